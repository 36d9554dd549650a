import CCurl
import HTTP
import System

/// A libcurl that has been opened.
struct CurlLibrary: Sendable {
  typealias Handle = UnsafeMutableRawPointer

  /// File names of libcurl. Both have the same interface; some systems have only the second.
  static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

  let functions: CurlFunctions

  /// Opens the first of `names` that is installed, which takes some milliseconds the first time.
  ///
  /// - Throws: `HTTPError.unavailable`.
  init(names: [String]) throws(HTTPError) {
    for name in names {
      var (opening, opened) = (curl_absent, CurlFunctions?.none)
      withUnsafeTemporaryAllocation(of: CurlFunctions.self, capacity: 1) { place in
        guard let functions = place.baseAddress else { return }
        opening = curl_open(name, functions)
        if opening == curl_opened { opened = functions.pointee }
      }
      if let opened {
        functions = opened
        return
      }
      if opening == curl_too_old {
        throw .unavailable(reason: "\(name) is older than 7.68")
      }
      if opening == curl_broken {
        throw .unavailable(reason: "\(name) cannot be set up")
      }
    }
    throw .unavailable(reason: "\(names.first ?? "libcurl") is not installed")
  }

  /// The pointer that `CURLOPT_PRIVATE` set.
  func privatePointer(of handle: Handle) -> UnsafeMutableRawPointer? {
    withUnsafePointer(to: functions) { curl_get_private($0, handle) }
  }

  /// libcurl's own message for a result code.
  func text(_ code: CURLcode) -> String {
    functions.easy_strerror(code).map { String(cString: $0) } ?? ""
  }
}
