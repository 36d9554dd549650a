import CCurl
import HTTP
import System

/// Cookies set in one chain of redirects, in libcurl's format.
struct CurlCookies: Sendable {
  /// Each one ends with a zero.
  var lines: [[CChar]] = []
}

/// An opened libcurl.
struct CurlLibrary: Sendable {
  typealias Handle = UnsafeMutableRawPointer

  /// Both have the same interface; some systems have only the second.
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

  func set(_ option: CURLoption, _ value: Int, of handle: Handle) throws(HTTPError) {
    try check(withUnsafePointer(to: functions) { curl_set_long($0, handle, option, value) })
  }

  func set(_ option: CURLoption, _ value: String, of handle: Handle) throws(HTTPError) {
    try check(withUnsafePointer(to: functions) { curl_set_string($0, handle, option, value) })
  }

  func set(
    _ option: CURLoption, _ value: UnsafeMutableRawPointer?, of handle: Handle
  ) throws(HTTPError) {
    try check(withUnsafePointer(to: functions) { curl_set_pointer($0, handle, option, value) })
  }

  func set(
    _ option: CURLoption, _ callback: curl_write_callback, of handle: Handle
  ) throws(HTTPError) {
    try check(withUnsafePointer(to: functions) { curl_set_callback($0, handle, option, callback) })
  }

  /// Sets the callback that opens the sockets of a transfer.
  func setSocketCallback(
    _ callback: curl_opensocket_callback, _ context: UnsafeMutableRawPointer, of handle: Handle
  ) throws(HTTPError) {
    try check(
      withUnsafePointer(to: functions) { curl_set_socket_opening($0, handle, callback, context) })
  }

  func allowWebOnly(_ handle: Handle) throws(HTTPError) {
    try check(withUnsafePointer(to: functions) { curl_allow_web_only($0, handle) })
  }

  /// All cookies of a handle, in the form in which another handle takes them.
  func cookies(of handle: Handle) -> CurlCookies {
    let list = withUnsafePointer(to: functions) { curl_get_list($0, handle, CURLINFO_COOKIELIST) }
    defer { functions.slist_free_all(list) }
    var cookies = CurlCookies()
    var next = list
    while let entry = next {
      if let line = entry.pointee.data {
        cookies.lines.append(Array(UnsafeBufferPointer(start: line, count: strlen(line) + 1)))
      }
      next = entry.pointee.next
    }
    return cookies
  }

  /// Makes a handle send the cookies to the servers that they belong to, and accept new ones.
  func take(_ cookies: CurlCookies, by handle: Handle) {
    // A libcurl that is built without cookies refuses these options; then there are none.
    withUnsafePointer(to: functions) { functions in
      _ = curl_set_string(functions, handle, CURLOPT_COOKIEFILE, "")
      for line in cookies.lines { _ = curl_set_string(functions, handle, CURLOPT_COOKIELIST, line) }
    }
  }

  func number(_ info: CURLINFO, of handle: Handle) -> Int {
    withUnsafePointer(to: functions) { curl_get_long($0, handle, info) }
  }

  func string(_ info: CURLINFO, of handle: Handle) -> String? {
    withUnsafePointer(to: functions) { functions in
      curl_get_string(functions, handle, info).map { String(cString: $0) }
    }
  }

  /// The pointer that `CURLOPT_PRIVATE` set.
  func privatePointer(of handle: Handle) -> UnsafeMutableRawPointer? {
    withUnsafePointer(to: functions) { curl_get_private($0, handle) }
  }

  /// libcurl's own message for a result.
  func text(_ code: CURLcode) -> String {
    functions.easy_strerror(code).map { String(cString: $0) } ?? ""
  }

  private func check(_ code: CURLcode) throws(HTTPError) {
    guard code == CURLE_OK else {
      throw .unavailable(reason: "libcurl refuses an option: \(text(code))")
    }
  }
}
