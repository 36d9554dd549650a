import CCurl
import HTTP

/// An address as libcurl parses it, so that the address that is checked is the one that libcurl
/// requests.
struct CurlAddress {
  /// The address as requested: spaces and non-ASCII characters are percent-encoded.
  let text: String
  /// In lower case.
  let scheme: String
  let host: String
  /// The host, with the port if one is given.
  let authority: String

  /// `nil` if libcurl finds no address with a host in `text`.
  init?(_ text: String, library: CurlLibrary) {
    let functions = library.functions
    // Port 0 is invalid, which older libraries do not check.
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
    // A host name with non-ASCII characters is replaced by the ASCII name that DNS looks up, if the
    // library can convert it: `１２７.0.0.1` becomes 127.0.0.1.
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
