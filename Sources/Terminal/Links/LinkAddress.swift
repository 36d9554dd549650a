/// The address of a link, in the form in which it is shown, copied, passed to a browser and sent to
/// the terminal: printable ASCII only, so that the address shown is the address opened.
///
/// Hosts with letters beyond ASCII are in punycode, user names and passwords are removed, except in
/// mail addresses, and other characters are percent-encoded if they are not ASCII or could delimit
/// the address in text, such as spaces, double quotes and angle brackets.
public struct LinkAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address.
  public let text: String
  /// The host, in lower case and punycode; empty for mail.
  public let host: String

  public var description: String { text }

  /// The most bytes of an address. `8,192`
  public static let maximumBytes = 8_192
  /// Schemes that are followed.
  public static let schemes = ["http", "https", "gemini", "mailto"]

  /// Why an address is not followed.
  public enum Refusal: Error, Hashable, Sendable {
    /// It is empty.
    case empty
    /// It has this number of bytes, which is too many.
    case tooLong(bytes: Int)
    /// It has a control character, a line separator, or a character that changes the direction of
    /// text.
    case control(UInt32)
    /// It has no scheme, or no `//` after one that requires it.
    case relative(String)
    /// Its scheme is not followed.
    case scheme(String)
    /// Its host is missing or invalid.
    case host(String)
    /// It is a mail address with a field that could do harm.
    case mailField(String)

    /// A few words for the status line.
    public var reason: String {
      switch self {
      case .empty: "it leads nowhere"
      case .tooLong(let bytes): "its address has \(bytes) bytes"
      case .control(let value):
        "its address has a control character, U+\(String(value, radix: 16, uppercase: true))"
      case .relative(let text): "'\(Self.cut(text))' is not a complete address"
      case .scheme(let name): "\(Self.cut(name)): addresses are not followed"
      case .host(let name): "'\(Self.cut(name))' is not a valid host"
      case .mailField(let name): "a mail with '\(Self.cut(name))' is not written"
      }
    }

    /// The first 40 characters, with `?` for those that are not printable ASCII.
    private static func cut(_ text: String) -> String {
      let shown = text.unicodeScalars.prefix(40).map { $0.isPrintableASCII ? String($0) : "?" }
      return shown.joined() + (text.unicodeScalars.count > 40 ? "…" : "")
    }
  }

  /// Checks the address that a document gives for a link.
  ///
  /// - Throws: `Refusal` if it must not be followed.
  /// - Complexity: O(n) in its bytes, ``maximumBytes`` at most.
  public init(_ address: String) throws(Refusal) {
    let count = address.utf8.count
    guard count <= Self.maximumBytes else { throw .tooLong(bytes: count) }
    let trimmed = address.drop { $0 == " " }
    guard !trimmed.isEmpty else { throw .empty }
    for scalar in trimmed.unicodeScalars where scalar.isControl { throw .control(scalar.value) }
    guard let colon = trimmed.firstIndex(of: ":"), Self.isScheme(trimmed[..<colon]) else {
      throw .relative(String(trimmed))
    }
    let scheme = trimmed[..<colon].lowercased()
    guard Self.schemes.contains(scheme) else { throw .scheme(scheme) }
    let rest = trimmed[trimmed.index(after: colon)...]
    if scheme == "mailto" {
      try Self.checkMailAddress(rest)
      host = ""
      text = "mailto:" + Self.encoded(rest)
    } else {
      guard rest.hasPrefix("//") else { throw .relative(String(trimmed)) }
      let place = rest.dropFirst(2)
      let end = place.firstIndex { "/?#\\".contains($0) } ?? place.endIndex
      let authority = try Self.authority(place[..<end])
      host = authority.host
      // Browsers read a backslash before the path as a slash.
      let path = place[end...]
      let isSlash = path.first == "\\" || path.isEmpty
      text =
        "\(scheme)://\(authority.text)" + (isSlash ? "/" : "")
        + Self.encoded(isSlash ? path.dropFirst() : path)
    }
    guard text.utf8.count <= Self.maximumBytes else { throw .tooLong(bytes: text.utf8.count) }
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }

  // MARK: Hosts

  /// The host with its port, without a user name and password, which could be mistaken for a host.
  private static func authority(
    _ text: Substring
  ) throws(Refusal) -> (host: String, text: String) {
    let place = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text
    if place.first == "[" {
      guard let end = place.firstIndex(of: "]"),
        place[place.index(after: place.startIndex)..<end].allSatisfy({
          $0.isHexDigit && $0.isASCII || $0 == ":" || $0 == "."
        })
      else { throw .host(String(place)) }
      let host = place[...end].lowercased()
      return (host, host + (try port(place[place.index(after: end)...], of: place)))
    }
    let end = place.lastIndex(of: ":") ?? place.endIndex
    let host = try host(place[..<end])
    return (host, host + (try port(place[end...], of: place)))
  }

  /// The port with its colon; empty if there is none.
  private static func port(_ text: Substring, of place: Substring) throws(Refusal) -> String {
    guard text.count > 1 else {
      guard text.isEmpty || text == ":" else { throw .host(String(place)) }
      return ""
    }
    guard text.first == ":", text.count <= 6, let number = UInt16(text.dropFirst()) else {
      throw .host(String(place))
    }
    return ":\(number)"
  }

  private static func host(_ text: Substring) throws(Refusal) -> String {
    var labels: [String] = []
    let lowered = text.lowercased()
    guard lowered.unicodeScalars.allSatisfy(\.mayBeInHost) else { throw .host(String(text)) }
    // East Asian full stops separate labels, too.
    for label in lowered.split(
      omittingEmptySubsequences: false, whereSeparator: { ".。．｡".contains($0) })
    {
      guard let ascii = Punycode.label(String(label)), ascii.utf8.count <= 63 else {
        throw .host(String(text))
      }
      labels.append(ascii)
    }
    if labels.count > 1, labels.last == "" { labels.removeLast() }
    let host = labels.joined(separator: ".")
    guard !labels.contains(""), host.utf8.count <= 253 else { throw .host(String(text)) }
    return host
  }

  // MARK: The rest

  private static let mailFields: Set<String> = [
    "to", "cc", "bcc", "subject", "body", "in-reply-to", "references", "keywords",
  ]

  /// Rejects all fields but the harmless ones: some programs attach any file that a field names.
  private static func checkMailAddress(_ rest: Substring) throws(Refusal) {
    guard !rest.isEmpty else { throw .empty }
    guard let question = rest.firstIndex(of: "?") else { return }
    for field in rest[rest.index(after: question)...].split(separator: "&") {
      let name = field.prefix { $0 != "=" }.lowercased()
      guard mailFields.contains(name) else { throw .mailField(name) }
    }
  }

  private static func encoded(_ text: Substring) -> String {
    var result = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      if scalar.isPrintableASCII, !" \"<>\\^`{|}".unicodeScalars.contains(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  // MARK: Texts of links

  /// Whether a link's text already shows this address, so that it need not be shown again: all of
  /// it, or a beginning that ends in `…` or `...`.
  public func isNamed(by text: String) -> Bool {
    guard text.utf8.count <= Self.maximumBytes else { return false }
    func comparisonForm(_ text: String) -> Substring {
      var rest = Substring(text.filter { !$0.isWhitespace })
      for prefix in ["https://", "http://", "mailto:", "www."] where rest.hasPrefix(prefix) {
        rest = rest.dropFirst(prefix.count)
      }
      return rest.hasSuffix("/") ? rest.dropLast() : rest
    }
    let address = comparisonForm(self.text)
    var shown = comparisonForm(text)
    guard shown.last == "…" || shown.hasSuffix("...") else {
      // Equal in this form, or before it was encoded.
      return shown == address || (try? LinkAddress(text)) == self
    }
    while let last = shown.last, last == "…" || last == "." { shown.removeLast() }
    // The host must be complete.
    return address.hasPrefix(shown) && shown.contains("/")
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintableASCII: Bool { (0x20..<0x7F).contains(value) }

  /// Characters that control a terminal, separate lines or change the direction of text.
  fileprivate var isControl: Bool {
    properties.generalCategory == .control || properties.generalCategory == .lineSeparator
      || properties.generalCategory == .paragraphSeparator
      || (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
      || [0x200E, 0x200F, 0x061C].contains(value)
  }

  /// Letters, marks, digits, symbols, and the punctuation of host names; no invisible characters.
  fileprivate var mayBeInHost: Bool {
    if isASCII {
      return properties.isAlphabetic || (0x30...0x39).contains(value)
        || "-._".unicodeScalars.contains(self)
    }
    if "。．｡・·".unicodeScalars.contains(self) { return true }
    switch properties.generalCategory {
    case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
      .decimalNumber, .otherSymbol:
      return !properties.isDefaultIgnorableCodePoint
    default: return false
    }
  }
}
