/// Header fields in order of arrival; the ASCII case of names is ignored.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// Maximum number of fields of a message; further fields are dropped.
  public static let maximumFields = 128
  /// Maximum length of a value in UTF-8 bytes; the rest is cut off.
  public static let maximumValueLength = 8192

  /// One header field.
  public struct Field: Hashable, Sendable {
    /// The name in the message's own spelling.
    public let name: String
    /// The value, without line breaks.
    public let value: String
  }

  /// All fields in their order, at most ``maximumFields``.
  public private(set) var fields: [Field] = []

  /// Creates headers without fields.
  public init() {}

  /// Creates headers with these fields in their order.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Adds a field, within the limits above. CR and LF, which would begin another field, and NUL are
  /// removed from name and value.
  ///
  /// - Complexity: O(n) in the bytes.
  public mutating func append(_ name: String, _ value: String) {
    guard fields.count < Self.maximumFields else { return }
    let bounded =
      value.utf8.count > Self.maximumValueLength
      ? String(decoding: value.utf8.prefix(Self.maximumValueLength), as: UTF8.self) : value
    fields.append(Field(name: Self.oneLine(name), value: Self.oneLine(bounded)))
  }

  /// The first value of that name; setting replaces all values of that name, `nil` removes them.
  ///
  /// - Complexity: O(fields).
  public subscript(name: String) -> String? {
    get { fields.first { Self.equal($0.name, name) }?.value }
    set {
      fields.removeAll { Self.equal($0.name, name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// All values of that name, in their order.
  ///
  /// - Complexity: O(fields).
  package func values(of name: String) -> [String] {
    fields.filter { Self.equal($0.name, name) }.map(\.value)
  }

  private static func equal(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count
      && a.utf8.elementsEqual(b.utf8) { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  private static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 13 || $0 == 10 || $0 == 0 }) else { return text }
    return String(decoding: text.utf8.filter { $0 != 13 && $0 != 10 && $0 != 0 }, as: UTF8.self)
  }
}
