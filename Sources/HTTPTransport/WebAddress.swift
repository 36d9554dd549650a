import CCurl

/// An address as libcurl reads it.
struct WebAddress {
  /// In the form in which it is asked for: spaces and letters beyond ASCII are encoded.
  let text: String
  /// The host, and the port where one is named.
  let authority: String

  /// Nil where libcurl finds no address with a host in `text`.
  init?(_ text: String, library: CurlLibrary) {
    let functions = library.functions
    guard let url = functions.url() else { return nil }
    defer { functions.url_cleanup(url) }
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE)
    guard functions.url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK else { return nil }
    func part(_ part: CURLUPart) -> String? {
      var value: UnsafeMutablePointer<CChar>?
      guard functions.url_get(url, part, &value, 0) == CURLUE_OK, let value else { return nil }
      defer { functions.free(value) }
      return String(cString: value)
    }
    guard let whole = part(CURLUPART_URL), let host = part(CURLUPART_HOST), !host.isEmpty
    else { return nil }
    self.text = whole
    authority = part(CURLUPART_PORT).map { "\(host):\($0)" } ?? host
  }
}
