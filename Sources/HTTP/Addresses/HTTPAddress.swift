/// An http(s) address as typed, split so that a password in it is shown nowhere: descriptions,
/// comparisons as text, logs and histories see only ``url``.
public struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address without a name and password.
  public let url: String
  /// The name and password in the address, only for its own origin; `nil` if there are none.
  public let login: HTTPLogin?
  /// The reason why nothing can be requested from the address, in one clause; `nil` if it is valid.
  public let problem: String?

  /// White space around `text` is ignored.
  ///
  /// - Complexity: O(n) in the bytes.
  public init(_ text: String) {
    let (url, user) = URLReference.separatingUserInfo(text)
    self.url = url
    problem = Self.problem(of: url, user: user)
    login = problem == nil ? user.flatMap { HTTPLogin($0, for: url) } : nil
  }

  public var description: String { url }

  private static func problem(of url: String, user: String?) -> String? {
    let reference = URLReference(url)
    guard let scheme = reference.scheme, scheme == "http" || scheme == "https" else {
      let scheme = reference.scheme.map { "“\($0.prefix(40)):”" } ?? "an address without a scheme"
      return "\(scheme) cannot be opened, only http: and https: can"
    }
    guard let authority = reference.authority else {
      return "not a URL: two slashes are missing after \(scheme):"
    }
    if user?.utf8.contains(where: { "/?#\\".utf8.contains($0) }) == true {
      return "not a URL: “/”, “?”, “#” and “\\” in a password are written %2F, %3F, %23 and %5C"
    }
    var colon = authority.utf8.lastIndex(of: UInt8(ascii: ":"))
    if let last = colon, authority[last...].utf8.contains(UInt8(ascii: "]")) { colon = nil }
    let port = colon.map { authority[authority.utf8.index(after: $0)...] }
    let host = authority[..<(colon ?? authority.endIndex)]
    if host.isEmpty || host == "[]" || !reference.isWeb { return "not a URL: it has no host" }
    if host.unicodeScalars.contains(where: { $0.value <= 32 || $0.value == 127 }) {
      return "not a URL: a space or control character in its host"
    }
    if let port, !port.isEmpty {
      let isNumber = port.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
      guard isNumber, let number = UInt16(port), number > 0 else {
        let isPlain = port.utf8.allSatisfy { $0 > 32 && $0 < 127 }
        let shown = isPlain ? "“\(port.prefix(20))”" : "the text after the colon"
        return "not a URL: \(shown) is not a port number from 1 to 65535"
      }
    }
    if url.utf8.contains(where: { $0 < 32 || $0 == 127 }) {
      return "not a URL: it holds a control character"
    }
    return nil
  }
}

/// A name and password for one origin. Its descriptions contain neither.
public struct HTTPLogin: Hashable, Sendable {
  /// The origin that they are for: scheme, host and port.
  public let origin: String
  /// The user name, percent-decoded.
  public let name: String
  /// The password, percent-decoded; empty if the address has none.
  public let password: String

  /// `nil` if `user`, in the form `name:password` of a URL, is empty, or `url` has no origin.
  init?(_ user: String, for url: String) {
    guard let origin = URLReference(url).origin else { return nil }
    let colon = UInt8(ascii: ":")
    let parts = user.utf8.split(separator: colon, maxSplits: 1, omittingEmptySubsequences: false)
      .map { String(decoding: URLReference.decoded(Substring($0)), as: UTF8.self) }
    guard let name = parts.first, !(name.isEmpty && parts.count < 2) else { return nil }
    self.origin = origin
    self.name = name
    password = parts.count > 1 ? parts[1] : ""
  }
}

extension HTTPLogin: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "login at \(origin)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}
