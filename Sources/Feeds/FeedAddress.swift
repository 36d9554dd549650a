import HTTP
import TextLayout

/// Addresses as feeds write them: with spaces around, relative, or of a kind nobody should follow. None
/// keeps a name and password.
enum FeedAddress {
  /// `text` made absolute against `base` (RFC 3986), sanitized; nil where it is empty
  /// or runs a program in a browser (`javascript:`), and for `data:`, which is content.
  ///
  /// - Complexity: O(n) in the bytes of both.
  static func resolve(_ text: String?, base: String?) -> String? {
    guard let text else { return nil }
    let address = withoutUser(Sanitizer.line(text))
    guard !address.isEmpty, address.utf8.count <= 8_192 else { return nil }
    if let scheme = URLReference.scheme(of: address) {
      return refused.contains(scheme) ? nil : address
    }
    guard let base, !base.isEmpty else { return address.hasPrefix("//") ? "https:" + address : nil }
    // As a browser writes what stands in a path: with spaces and letters beyond ASCII encoded.
    let escaped = URLReference.encoded(address) { byte in
      byte <= 32 || byte >= 127 || "\"<>\\^`{|}".utf8.contains(byte)
    }
    let resolved = URLReference(escaped).resolved(against: URLReference(base))
    let result = withoutUser(Sanitizer.line(resolved.description))
    // The base may be of such a kind itself.
    let isRefused = refused.contains(URLReference.scheme(of: result) ?? "")
    return isRefused || result.isEmpty ? nil : result
  }

  private static func withoutUser(_ address: String) -> String {
    guard address.utf8.contains(UInt8(ascii: "@")) else { return address }
    return URLReference.splittingUser(address).address
  }

  /// As ``resolve(_:base:)``, but an address that cannot be made absolute stays as it is.
  static func lenient(_ text: String?, base: String?) -> String? {
    guard let text else { return nil }
    if let resolved = resolve(text, base: base) { return resolved }
    let address = withoutUser(Sanitizer.line(text))
    guard !address.isEmpty, URLReference.scheme(of: address) == nil, address.utf8.count <= 8_192
    else {
      return nil
    }
    return address
  }

  private static let refused: Set<String> = ["javascript", "vbscript", "data", "about", "blob"]

  /// Whether the path ends like a picture's.
  static func looksLikePicture(_ address: String) -> Bool {
    let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return [".jpg", ".jpeg", ".png", ".gif", ".webp"].contains { path.hasSuffix($0) }
  }

  /// `http` or `https`, with a host.
  static func isWeb(_ address: String) -> Bool { URLReference(address).isWeb }

  /// The host of an http(s) address, without its port; nil where it has none.
  static func host(of address: String?) -> String? {
    guard let address, case let reference = URLReference(address), reference.isWeb else {
      return nil
    }
    let host = reference.authority?.utf8.prefix { $0 != UInt8(ascii: ":") } ?? "".utf8[...]
    return host.isEmpty ? nil : String(Substring(host))
  }

  /// The parts of an http(s) address's path, without query and fragment.
  static func path(of address: String) -> [Substring] {
    let reference = URLReference(address)
    return reference.isWeb ? reference.path.split(separator: "/") : []
  }
}
