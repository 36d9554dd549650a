import CXML2
import HTTP

/// Addresses as feeds write them: with spaces around, relative, or of a kind nobody should follow. None
/// keeps a name and password.
enum WebAddress {
  /// `text` made absolute against `base` (RFC 3986 through libxml2), sanitized; nil where it is empty
  /// or runs a program in a browser (`javascript:`), and for `data:`, which is content.
  ///
  /// - Complexity: O(n) in the bytes of both.
  static func resolve(_ text: String?, base: String?) -> String? {
    guard let text else { return nil }
    let address = withoutUser(Sanitizing.trimmed(text))
    guard !address.isEmpty, address.utf8.count <= 8_192 else { return nil }
    if let scheme = scheme(of: address) {
      return refused.contains(scheme) ? nil : address
    }
    guard let base, !base.isEmpty else { return address.hasPrefix("//") ? "https:" + address : nil }
    guard let resolved = xmlBuildURI(escaped(address), base) else { return nil }
    defer { tideline_xml_free(resolved) }
    let result = withoutUser(Sanitizing.line(String(cString: resolved)))
    // The base may be of such a kind itself.
    return refused.contains(scheme(of: result) ?? "") ? nil : result
  }

  private static func withoutUser(_ address: String) -> String {
    guard address.utf8.contains(UInt8(ascii: "@")) else { return address }
    return URLReference.splittingUser(address).address
  }

  /// As ``resolve(_:base:)``, but an address that cannot be made absolute stays as it is.
  static func lenient(_ text: String?, base: String?) -> String? {
    guard let text else { return nil }
    if let resolved = resolve(text, base: base) { return resolved }
    let address = withoutUser(Sanitizing.trimmed(text))
    guard !address.isEmpty, scheme(of: address) == nil, address.utf8.count <= 8_192 else {
      return nil
    }
    return address
  }

  private static let refused: Set<String> = ["javascript", "vbscript", "data", "about", "blob"]

  /// The scheme in lower case: a letter, then letters, digits, `+`, `-` and `.` up to a colon.
  static func scheme(of address: String) -> String? {
    if address.hasPrefix("https:") { return "https" }
    if address.hasPrefix("http:") { return "http" }
    var name = ""
    for scalar in address.unicodeScalars {
      if scalar == ":" { return name.isEmpty ? nil : name.lowercased() }
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      let isOther = ("0"..."9").contains(scalar) || scalar == "+" || scalar == "-" || scalar == "."
      guard isLetter || (isOther && !name.isEmpty), name.utf8.count < 32 else { return nil }
      name.unicodeScalars.append(scalar)
    }
    return nil
  }

  /// `http` or `https`.
  static func isWeb(_ address: String) -> Bool {
    let scheme = scheme(of: address)
    return scheme == "http" || scheme == "https"
  }

  /// libxml2 refuses a reference with a space or a non-ASCII letter, which browsers accept.
  private static func escaped(_ address: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    let unsafe = Set("\"<>\\^`{|}".utf8)
    guard address.utf8.contains(where: { $0 <= 32 || $0 >= 127 || unsafe.contains($0) }) else {
      return address
    }
    var result: [UInt8] = []
    for byte in address.utf8 {
      if byte <= 32 || byte >= 127 || unsafe.contains(byte) {
        result += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether the path ends like a picture's.
  static func looksLikePicture(_ address: String) -> Bool {
    let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return [".jpg", ".jpeg", ".png", ".gif", ".webp"].contains { path.hasSuffix($0) }
  }
}

extension WebAddress {
  /// The host of an http(s) address, without its port; nil where it has none.
  static func host(of address: String?) -> String? {
    guard let address, let rest = behindScheme(of: address) else { return nil }
    let authority = rest.utf8.prefix { !"/?#".utf8.contains($0) }
    let host = authority.split(separator: UInt8(ascii: "@")).last?.prefix {
      $0 != UInt8(ascii: ":")
    }
    return host.flatMap { $0.isEmpty ? nil : String(Substring($0)) }
  }

  /// The parts of an http(s) address's path, without query and fragment.
  static func path(of address: String) -> [Substring] {
    guard let rest = behindScheme(of: address)?.prefix(while: { $0 != "?" && $0 != "#" }) else {
      return []
    }
    return Array(rest.split(separator: "/").dropFirst())
  }

  private static func behindScheme(of address: String) -> Substring? {
    guard let scheme = scheme(of: address), scheme == "http" || scheme == "https" else {
      return nil
    }
    let rest = address.dropFirst(scheme.utf8.count + 1)
    return rest.hasPrefix("//") ? rest.dropFirst(2) : nil
  }
}
