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

  /// RSS in JSON as XML elements: members become children, `#value` the text, and members of an
  /// object that are scalars also attributes.
  func element(named name: String, depth: Int = 0) -> FeedElement {
    let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
    let prefix = parts.count == 2 ? parts[0] : nil
    let space = FeedNamespace(address: nil, prefix: prefix)
    let element = FeedElement(space: space, name: (parts.last ?? name).lowercased())
    switch self {
    case .null: break
    case .string, .number, .bool: element.add(.text(text ?? ""))
    case .array(let values):
      for value in values where depth < 64 {
        element.add(.element(value.element(named: name, depth: depth + 1)))
      }
    case .object(let members):
      for (key, value) in members.map({ ($0.key, $0.value) }).sorted(by: { $0.0 < $1.0 })
      where depth < 64 {
        if key == "#value", let text = value.text {
          element.add(.text(text))
        } else if case .array(let values) = value {
          for value in values {
            element.add(.element(value.element(named: key, depth: depth + 1)))
          }
        } else {
          if let text = value.text {
            element.add(
              FeedElement.Attribute(space: .plain, name: key.lowercased(), value: text))
          }
          element.add(.element(value.element(named: key, depth: depth + 1)))
        }
      }
    }
    return element
  }
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
