import CCurl
import HTTP
import System

/// Cookies set in one chain of redirects, in libcurl's format.
struct CurlCookies: Sendable {
  /// Each one is NUL-terminated.
  var lines: [[CChar]] = []
}

/// The handle of one transfer in libcurl, with the memory that its options refer to.
///
/// 1. It is released after it has left its multi handle.
/// 2. libcurl copies strings, but neither lists nor the error buffer: they live as long as the
///    handle.
final class CurlHandle {
  let pointer: CurlLibrary.Handle
  private let library: CurlLibrary
  private let message: UnsafeMutablePointer<CChar>
  private var lists: [UnsafeMutablePointer<curl_slist>] = []

  /// - Throws: `HTTPError.unavailable`.
  init(_ library: CurlLibrary) throws(HTTPError) {
    guard let pointer = library.functions.easy_init() else { throw Self.noMemory }
    self.pointer = pointer
    self.library = library
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    library.functions.easy_cleanup(pointer)
    for list in lists { library.functions.slist_free_all(list) }
    message.deallocate()
  }

  private static let noMemory = HTTPError.unavailable(reason: "libcurl is out of memory")

  // MARK: Options

  func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try check { curl_set_long($0, pointer, option, value) }
  }

  func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
    try check { curl_set_string($0, pointer, option, value) }
  }

  func set(_ option: CURLoption, _ lines: [String]) throws(HTTPError) {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = library.functions.slist_append(list, line) else {
        library.functions.slist_free_all(list)
        throw Self.noMemory
      }
      list = longer
    }
    if let list { lists.append(list) }
    try set(option, list.map { UnsafeMutableRawPointer($0) })
  }

  private func set(
    _ option: CURLoption, _ value: UnsafeMutableRawPointer?
  ) throws(HTTPError) {
    try check { curl_set_pointer($0, pointer, option, value) }
  }

  private func set(_ option: CURLoption, _ callback: curl_write_callback) throws(HTTPError) {
    try check { curl_set_callback($0, pointer, option, callback) }
  }

  /// Sets libcurl's callbacks, which all receive `context`, and its error buffer.
  func setCallbacks(
    _ context: UnsafeMutableRawPointer, onHeader: curl_write_callback,
    onBody: curl_write_callback, onOpening: curl_opensocket_callback
  ) throws(HTTPError) {
    try set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(message))
    try set(CURLOPT_PRIVATE, context)
    try set(CURLOPT_HEADERDATA, context)
    try set(CURLOPT_WRITEDATA, context)
    try set(CURLOPT_HEADERFUNCTION, onHeader)
    try set(CURLOPT_WRITEFUNCTION, onBody)
    try check { curl_set_socket_opening($0, pointer, onOpening, context) }
  }

  func allowWebOnly() throws(HTTPError) {
    try check { curl_allow_web_only($0, pointer) }
  }

  private func check(
    _ setOption: (UnsafePointer<CurlFunctions>) -> CURLcode
  ) throws(HTTPError) {
    let code = withUnsafePointer(to: library.functions, setOption)
    guard code == CURLE_OK else {
      throw .unavailable(reason: "libcurl refuses an option: \(library.text(code))")
    }
  }

  /// Pauses or resumes the transfer, by a mask of `CURLPAUSE_` constants.
  func pause(_ mask: Int32) { _ = library.functions.easy_pause(pointer, mask) }

  // MARK: Results

  /// All cookies of this handle, for `take` of another one.
  var cookies: CurlCookies {
    let list = withUnsafePointer(to: library.functions) {
      curl_get_list($0, pointer, CURLINFO_COOKIELIST)
    }
    defer { library.functions.slist_free_all(list) }
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

  /// Enables cookies, and adds these: each is sent to the servers that it belongs to.
  func take(_ cookies: CurlCookies) {
    // A libcurl that is built without cookies refuses these options; then there are none.
    withUnsafePointer(to: library.functions) { functions in
      _ = curl_set_string(functions, pointer, CURLOPT_COOKIEFILE, "")
      for line in cookies.lines {
        _ = curl_set_string(functions, pointer, CURLOPT_COOKIELIST, line)
      }
    }
  }

  func number(_ info: CURLINFO) -> Int {
    withUnsafePointer(to: library.functions) { curl_get_long($0, pointer, info) }
  }

  func string(_ info: CURLINFO) -> String? {
    withUnsafePointer(to: library.functions) { functions in
      curl_get_string(functions, pointer, info).map { String(cString: $0) }
    }
  }

  /// libcurl's message for the result of this transfer.
  func text(_ code: CURLcode) -> String {
    let own = String(cString: message)
    return own.isEmpty ? library.text(code) : own
  }
}
