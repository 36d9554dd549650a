import HTTP
import System
import TextLayout

/// Resolves and sanitizes addresses as feeds write them: between spaces, relative, or with a scheme
/// that must not be followed. User names and passwords are removed.
package enum FeedAddress {
  /// Longest address that is kept, in bytes.
  private static let longest = 8_192

  /// Makes `text` absolute against `base` (RFC 3986) and sanitizes it. `nil` if it is empty, too
  /// long, relative without a base, of a scheme that runs a program in a browser (`javascript:`),
  /// or content itself (`data:`).
  ///
  /// - Complexity: O(n) in the bytes of both.
  static func resolve(_ text: String?, base: String?) -> String? {
    guard let text else { return nil }
    if text.utf8.first == UInt8(ascii: "/"), text.utf8.count <= longestPlainPath, let base,
      isPlainPath(text.utf8), let origin = plainOrigin(of: base)
    {
      return origin + text
    }
    let address = withoutUser(Sanitizer.line(text))
    guard !address.isEmpty, address.utf8.count <= longest else { return nil }
    if let scheme = URLReference.scheme(of: address) {
      return refused.contains(scheme) ? nil : address
    }
    guard let base, !base.isEmpty else { return address.hasPrefix("//") ? "https:" + address : nil }
    // Encoded as browsers do in paths: spaces and letters beyond ASCII become `%` sequences.
    let escaped = URLReference.encoded(address) { byte in
      byte <= 32 || byte >= 127 || "\"<>\\^`{|}".utf8.contains(byte)
    }
    let resolved = URLReference(escaped).resolved(against: URLReference(base))
    let result = withoutUser(Sanitizer.line(resolved.description))
    // The base may have a refused scheme, too.
    let isRefused = refused.contains(URLReference.scheme(of: result) ?? "")
    return isRefused || result.isEmpty ? nil : result
  }

  /// The origin (`https://host`) of a web address whose host and port hold only ASCII letters,
  /// digits, `.` and `-`; `nil` for all others. Most paths need only be appended to it.
  ///
  /// - Complexity: O(n) in the bytes.
  static func plainOrigin(of base: String) -> String? {
    let bytes = base.utf8
    let scheme = bytes.starts(with: "https://".utf8) ? 8 : 7
    guard scheme == 8 || bytes.starts(with: "http://".utf8) else { return nil }
    let start = bytes.index(bytes.startIndex, offsetBy: scheme)
    let host = bytes[start...].prefix { byte in
      (byte | 0x20) &- UInt8(ascii: "a") < 26 || (45...58).contains(byte) && byte != 47
    }
    let behind = bytes[host.endIndex...].first
    guard let first = host.first, first != UInt8(ascii: ":"),
      behind == nil || behind.map({ "/?#".utf8.contains($0) }) == true
    else { return nil }
    return String(base[..<host.endIndex])
  }

  static let longestPlainPath = 1_024

  /// Whether the value is a path from the root that resolution leaves unchanged.
  ///
  /// - Complexity: O(n) in the bytes.
  static func isPlainPath(_ value: some Sequence<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in value {
      switch byte {
      case UInt8(ascii: "/"): if previous == UInt8(ascii: "/") { return false }
      case _ where previous == 0: return false
      case UInt8(ascii: "."): if previous == UInt8(ascii: "/") { return false }
      case 48...57, 65...90, 97...122, 45, 95, UInt8(ascii: "?"), UInt8(ascii: "="),
        UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: ";"):
        break
      default: return false
      }
      previous = byte
    }
    return previous != 0
  }

  private static func withoutUser(_ address: String) -> String {
    guard address.containsByte(UInt8(ascii: "@")) else { return address }
    return URLReference.separatingUserInfo(address).address
  }

  /// Removes the name and password from every address in `text`.
  ///
  /// - Parameter isAddress: whether all of `text` is one address; otherwise it counts as one if it
  ///   contains no blank.
  /// - Complexity: O(n) in the bytes.
  static func removingUserInfo(in text: String, isAddress: Bool) -> String {
    var text = text
    if isAddress || !text.utf8.contains(where: { $0 <= 32 }) {
      let split = URLReference.separatingUserInfo(text)
      if split.user != nil { text = split.address }
    }
    guard text.containsByte(UInt8(ascii: "@")) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var copied = 0
    var position = 0
    while position < bytes.count {
      guard let host = hostStart(in: bytes, at: position) else {
        position += 1
        continue
      }
      let authority = bytes[host...].prefix { $0 > 32 && !"/?#\\\"'<>".utf8.contains($0) }
      if let end = authority.lastIndex(of: UInt8(ascii: "@")) {
        result += bytes[copied..<host]
        copied = end + 1
      }
      position = max(position + 1, authority.endIndex)
    }
    return copied == 0 ? text : String(decoding: result + bytes[copied...], as: UTF8.self)
  }

  /// The offset of the host if the slashes of an address, or the colon behind its scheme, are at
  /// `place`; `nil` if neither is.
  private static func hostStart(in bytes: [UInt8], at place: Int) -> Int? {
    let slashes = { (start: Int) in
      bytes[start...].prefix { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    }
    if bytes[place] == UInt8(ascii: ":") {
      let scheme = bytes[..<place].suffix(5).map { $0 | 0x20 }
      guard scheme == Array("https".utf8) || scheme.suffix(4) == Array("http".utf8)[...] else {
        return nil
      }
      return slashes(place + 1).endIndex
    }
    let run = slashes(place)
    return run.count > 1 ? run.endIndex : nil
  }

  /// Like ``resolve(_:base:)``, but keeps a relative address that cannot be made absolute.
  static func lenient(_ text: String?, base: String?) -> String? {
    guard let text else { return nil }
    if let resolved = resolve(text, base: base) { return resolved }
    let address = withoutUser(Sanitizer.line(text))
    guard !address.isEmpty, URLReference.scheme(of: address) == nil, address.utf8.count <= longest
    else {
      return nil
    }
    return address
  }

  /// The address of a picture, resolved as by ``resolve(_:base:)``. Of an unusable address the part
  /// that shows why it is unusable is kept, so that the picture keeps its words and its place, with
  /// a mark: its scheme, or the whole address if it has none. A `data:` address of up to
  /// ``longestPictureData`` bytes is usable. `nil` if the address is empty.
  ///
  /// - Complexity: O(n) in the bytes of both.
  static func picture(_ text: String?, base: String?) -> String? {
    guard let text else { return nil }
    if let resolved = resolve(text, base: base) { return resolved }
    let address = withoutUser(Sanitizer.line(text))
    guard !address.isEmpty else { return nil }
    guard let scheme = URLReference.scheme(of: address) else {
      return address.utf8.count <= longest ? address : "https:"
    }
    if scheme == "data", address.utf8.count <= longestPictureData { return address }
    return "\(scheme):"
  }

  /// Longest `data:` address of a picture, in bytes: addresses are kept and compared.
  static let longestPictureData = 65_536

  private static let refused: Set<String> = ["javascript", "vbscript", "data", "about", "blob"]

  /// Whether a file is a picture: by its media type, in any letter case; by its address if the type
  /// is missing or says only that it is a file.
  static func isPicture(_ address: String?, type: String) -> Bool {
    let type = type.lowercased()
    let isUnknown = type.isEmpty || type == "application/octet-stream"
    guard isUnknown, let address else { return type.hasPrefix("image/") }
    let own = Sanitizer.line(address)
    return pictureType(of: own) != nil || own.utf8.starts(with: "data:image/".utf8)
  }

  /// The media type implied by the extension of the path, such as `"image/png"` for `.png`; `nil`
  /// if it is not a picture's.
  static func pictureType(of address: String) -> String? {
    switch pathExtension(of: address) {
    case "jpg", "jpeg": return "image/jpeg"
    case "png": return "image/png"
    case "gif": return "image/gif"
    case "webp": return "image/webp"
    default: return nil
    }
  }

  /// The letters behind the last dot of an address without its query and fragment; `nil` without a
  /// dot.
  static func pathExtension(of address: String) -> ElementName? {
    let path = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return ElementName(path[path.index(after: dot)...])
  }

  /// Replaces the scheme of feed readers by that of the web: `feed:https://…` becomes `https://…`,
  /// `feed://…` becomes `http://…`. Other addresses stay unchanged.
  package static func replacingFeedScheme(_ address: String) -> String {
    let scheme = "feed:"
    guard address.prefix(scheme.count).lowercased() == scheme else { return address }
    let rest = address.dropFirst(scheme.count)
    if isWeb(String(rest)) { return String(rest) }
    return rest.hasPrefix("//") ? "http:" + rest : address
  }

  /// Whether the address is http(s) and has a host.
  static func isWeb(_ address: String) -> Bool { URLReference(address).isWeb }

  /// The host of an http(s) address without its port; `nil` if it has none.
  static func host(of address: String?) -> String? {
    guard let address, case let reference = URLReference(address), reference.isWeb,
      let authority = reference.authority?.utf8
    else { return nil }
    // The colons within the brackets of an IPv6 address are part of it.
    let bracket = authority.firstIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    let end = authority[bracket...].firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    return end == authority.startIndex ? nil : String(authority[..<end])
  }

  /// Longest file name that is shown, in characters.
  static let longestFileName = 80

  /// The display name of the file at an address: the last part of its path with `%` sequences
  /// decoded, in one sanitized line; of a longer name, the beginning and the end. `nil` if the path
  /// does not end in a name with a dot.
  ///
  /// - Complexity: O(n) in the bytes.
  static func fileName(of address: String) -> String? {
    let reference = URLReference(address)
    guard let last = reference.path.split(separator: "/").last else { return nil }
    let bytes = URLReference.decoded(last)
    let decoded = UnicodeText.firstInvalidByte(of: bytes) == nil
    // An encoded slash separates folder names, too.
    let path = decoded ? String(decoding: bytes, as: UTF8.self) : String(last)
    let name = Sanitizing.collapsed(String(path.split(separator: "/").last ?? ""))
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      name.index(after: dot) != name.endIndex
    else { return nil }
    guard name.count > longestFileName else { return name }
    let end = name.suffix(16)
    return String(name.prefix(longestFileName - end.count - 1)) + "…" + String(end)
  }

  /// The parts of an http(s) address's path, without query and fragment; empty for other addresses.
  static func path(of address: String) -> [Substring] {
    let reference = URLReference(address)
    return reference.isWeb ? reference.path.split(separator: "/") : []
  }
}
