/// Any JSON value.
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  /// The members in source order; a name may occur twice.
  case object([Member])

  struct Member: Hashable, Sendable {
    var key: String
    var value: JSONValue
  }

  /// A string, or a number or Boolean as a string.
  var text: String? {
    switch self {
    case .string(let text): text
    case .number(let number): number.description
    case .bool(let flag): String(flag)
    case .null, .array, .object: nil
    }
  }

  var isNull: Bool { self == .null }
}

/// A number as it is written: identifiers may have more digits than any numeric type can hold.
struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
  var text: String
  var isInteger: Bool

  var description: String {
    if isInteger { return text }
    guard let value = Double(text), value.isFinite else { return text }
    return Int64(exactly: value).map(String.init) ?? String(value)
  }
}
