import System

/// A URL, or a relative reference in a page: `"/b?c#d"` (RFC 3986).
///
/// Any text can be one; nothing in it is decoded or validated, which is left to the caller. A name
/// and password are not part of it, so that no value made from it can show them. Delimiters are
/// bytes: a slash with an accent on it is a slash.
package struct URLReference: Hashable, Sendable {
  /// In lower case, without its colon; `nil` in a relative reference.
  package var scheme: String?
  /// Host and port as written; `nil` without a `//`.
  package var authority: String?
  package var path: String
  /// Without its question mark.
  package var query: String?
  /// Without its hash.
  package var fragment: String?

  /// White space and control characters around `text` are ignored.
  ///
  /// - Complexity: O(n) in the bytes.
  package init(_ text: String) {
    let address = Self.separatingUserInfo(text).address
    var rest = address[...]
    func cut(_ rest: inout Substring, at mark: UInt8) -> String? {
      guard let index = rest.utf8.firstIndex(of: mark) else { return nil }
      defer { rest = rest[..<index] }
      return String(rest[rest.utf8.index(after: index)...])
    }
    fragment = cut(&rest, at: UInt8(ascii: "#"))
    query = cut(&rest, at: UInt8(ascii: "?"))
    if let scheme = Self.scheme(at: rest) {
      self.scheme = scheme.lowercased()
      rest = rest[rest.utf8.index(after: scheme.endIndex)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      let named = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
      let end = named.utf8.firstIndex(of: Self.slash) ?? named.endIndex
      authority = String(named[..<end])
      rest = named[end...]
    }
    path = String(rest)
  }

  /// Host and port in lower case, without the scheme's default port.
  package var host: String? {
    guard let all = authority?.lowercased() else { return nil }
    var host = all.utf8[...]
    // Several default ports in a row are no valid host, but all spellings become the same one.
    let usual = [scheme == "https" ? ":443" : ":80", ":"]
    while let port = usual.first(where: { host.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
      host = host.dropLast(port.utf8.count)
    }
    return String(Substring(host))
  }

  /// Scheme, host and port; `nil` unless it is an http or https address.
  package var origin: String? {
    guard isWeb, let scheme, let host else { return nil }
    return "\(scheme)://\(host)"
  }

  /// Whether it is an http or https address with a host.
  package var isWeb: Bool {
    (scheme == "http" || scheme == "https") && host?.isEmpty == false
  }

  /// The same for all spellings of an address that a server cannot distinguish.
  package var normalized: URLReference {
    var result = self
    result.authority = host
    result.path = path.isEmpty ? "/" : Self.removingDotSegments(path)
    result.fragment = nil
    return result
  }

  /// The reference resolved in a page at `base` (RFC 3986, 5.2).
  ///
  /// - Complexity: O(n) in the bytes of both.
  package func resolved(against base: URLReference) -> URLReference {
    var result = self
    if scheme == nil {
      result.scheme = base.scheme
      if authority == nil {
        result.authority = base.authority
        if path.isEmpty {
          result.path = base.path
          result.query = query ?? base.query
          return result
        }
        if path.utf8.first != Self.slash { result.path = base.joined(with: path) }
      }
    }
    result.path = Self.removingDotSegments(result.path)
    return result
  }

  /// The same address with a parameter of its query set to `value`, which is encoded; the other
  /// parameters stay unchanged.
  package func setting(parameter name: String, to value: String) -> URLReference {
    let isOther = { (part: Substring) in
      part != name && !part.utf8.starts(with: (name + "=").utf8)
    }
    let parts = (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map(Substring.init)
    var result = self
    result.query =
      (parts.filter(isOther).map(String.init) + [
        "\(name)=\(Self.encoded(value, where: Self.isReserved))"
      ])
      .joined(separator: "&")
    return result
  }

  // MARK: Parts

  private static let slash = UInt8(ascii: "/")

  /// `text` without surrounding white space and control characters and without the name and
  /// password; and these as written.
  ///
  /// Everything that could be meant as such is removed, because the rest is shown: if nothing
  /// before the path ends in `@` but a port is no number, all text up to the last `@`.
  ///
  /// The rest contains nothing that could be meant so either: splitting it again removes nothing.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func separatingUserInfo(_ text: String) -> (address: String, user: String?) {
    let text = String(text.unicodeScalars.trimmed { $0.value <= 32 })
    guard text.utf8.contains(mark) else { return (text, nil) }
    let scheme = scheme(at: text[...])
    // Without slashes there is no host, except with the two schemes that are often shortened.
    let isWeb = ["http", "https"].contains(scheme?.lowercased())
    var rest = text.utf8[...]
    if let scheme { rest = rest[rest.index(after: scheme.endIndex)...] }
    // The text before the host, including slashes that precede the host once the text between them
    // is removed.
    var start = String(text[..<rest.startIndex])
    var users: [Substring] = []
    while true {
      let slashes = rest.prefix { $0 == slash || $0 == UInt8(ascii: "\\") }
      if users.isEmpty {
        let hasHost = scheme == nil ? slashes.count > 1 : !slashes.isEmpty || isWeb
        guard hasHost else { return (text, nil) }
      }
      start += Substring(slashes)
      rest = rest[slashes.endIndex...]
      guard let end = endOfUserInfo(in: rest) else { break }
      users.append(Substring(rest[..<end]))
      rest = rest[rest.index(after: end)...]
    }
    guard !users.isEmpty else { return (text, nil) }
    return (start + Substring(rest), users.joined(separator: "@"))
  }

  private static let mark = UInt8(ascii: "@")

  /// The `@` that ends a name and password at the beginning of `rest`; `nil` if there is none.
  private static func endOfUserInfo(in rest: Substring.UTF8View) -> String.Index? {
    let authority = rest.prefix { !"/?#\\".utf8.contains($0) }
    if let end = authority.lastIndex(of: mark) { return end }
    guard let colon = authority.lastIndex(of: UInt8(ascii: ":")),
      !authority[colon...].contains(UInt8(ascii: "]")),
      !authority[colon...].dropFirst().allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
    else { return nil }
    return rest.lastIndex(of: mark)
  }

  /// The path of a relative reference in a page at this address.
  private func joined(with path: String) -> String {
    if authority != nil, self.path.isEmpty { return "/" + path }
    guard let slash = self.path.utf8.lastIndex(of: Self.slash) else { return path }
    return self.path[...slash] + path
  }

  /// The scheme with which `text` begins, in lower case; `nil` if it has none.
  package static func scheme(of text: String) -> String? {
    if text.hasPrefix("https:") { return "https" }
    if text.hasPrefix("http:") { return "http" }
    return scheme(at: text[...])?.lowercased()
  }

  private static func scheme(at text: Substring) -> Substring? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text[..<colon]
    let isNamed = name.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
    return isNamed && name.utf8.first?.isLetter == true ? name : nil
  }

  /// Removes dot segments (RFC 3986, 5.2.4).
  private static func removingDotSegments(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    var kept: [Substring] = []
    let parts = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
      .map(Substring.init)
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch part {
      case ".": if isLast { kept.append("") }
      case "..":
        // The first part of an absolute path is the empty one before its slash.
        if kept.count > (path.utf8.first == slash ? 1 : 0) { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(part)
      }
    }
    return kept.joined(separator: "/")
  }

  /// The bytes of `text` with `%` sequences decoded; invalid sequences stay unchanged.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func decoded(_ text: some StringProtocol) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
        let low = rest.dropFirst().first?.hexadecimalValue
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// `text` with the selected bytes as `%XX`.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func encoded(_ text: String, where isEncoded: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      if isEncoded(byte) {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isReserved(_ byte: UInt8) -> Bool {
    !byte.isAlphanumeric && !"-._~".utf8.contains(byte)
  }
}

extension URLReference: CustomStringConvertible {
  package var description: String {
    var text = scheme.map { $0 + ":" } ?? ""
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }
}
