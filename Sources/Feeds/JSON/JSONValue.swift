/// Any JSON value.
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number's digits, as ``JSONScanner/number()`` reads them.
  case number(String)
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
    case .string(let text), .number(let text): text
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
