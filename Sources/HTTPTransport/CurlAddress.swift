import CCurl
import HTTP

/// An address as libcurl reads it: what is judged here is what libcurl goes to.
struct CurlAddress {
  /// In the form in which it is asked for: spaces and letters beyond ASCII are encoded.
  let text: String
  /// In lower case.
  let scheme: String
  let host: String
  /// The host, and the port where one is named.
  let authority: String

  /// Nil where libcurl finds no address with a host in `text`.
  init?(_ text: String, library: CurlLibrary) {
    let functions = library.functions
    // Port 0 is none, which older libraries do not know.
    guard HTTPAddress(text).problem == nil, let url = functions.url() else { return nil }
    defer { functions.url_cleanup(url) }
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE)
    guard functions.url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK else { return nil }
    func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
      var value: UnsafeMutablePointer<CChar>?
      guard functions.url_get(url, part, &value, flags) == CURLUE_OK, let value else {
        return nil
      }
      defer { functions.free(value) }
      return String(cString: value)
    }
    // A name in letters beyond ASCII as it is looked up, where the library can say it: `１２７.0.0.1`
    // is 127.0.0.1 then.
    if let ascii = part(CURLUPART_HOST, UInt32(CURLU_PUNYCODE)), ascii != part(CURLUPART_HOST) {
      _ = functions.url_set(url, CURLUPART_HOST, ascii, 0)
    }
    guard let whole = part(CURLUPART_URL), let host = part(CURLUPART_HOST), !host.isEmpty,
      let scheme = part(CURLUPART_SCHEME)
    else { return nil }
    self.text = whole
    self.scheme = scheme.lowercased()
    self.host = host
    authority = part(CURLUPART_PORT).map { "\(host):\($0)" } ?? host
  }
}
