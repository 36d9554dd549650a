/// Any JSON, for the parts of a feed whose shape is open.
enum JSONValue: Decodable {
  case null
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: AnyKey.self) {
      var object: [String: JSONValue] = [:]
      for key in container.allKeys {
        object[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
      }
      self = .object(object)
    } else if var container = try? decoder.unkeyedContainer() {
      var array: [JSONValue] = []
      while !container.isAtEnd { array.append(try container.decode(JSONValue.self)) }
      self = .array(array)
    } else {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let number = try? container.decode(Int64.self) {
        self = .text(String(number))
      } else if let number = try? container.decode(Double.self) {
        self = .text(String(number))
      } else if let flag = try? container.decode(Bool.self) {
        self = .text(String(flag))
      } else {
        self = .null
      }
    }
  }

  /// RSS written in JSON as the elements it stands for: members are children, `#value` is the text, and
  /// scalars of an object are its attributes, too.
  func element(named name: String, depth: Int = 0) -> FeedElement {
    let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
    let prefix = parts.count == 2 ? parts[0] : nil
    let space = FeedNamespace(address: nil, prefix: prefix)
    let element = FeedElement(space: space, name: (parts.last ?? name).lowercased())
    switch self {
    case .null: break
    case .text(let text): element.children.append(.text(text))
    case .array(let values):
      for value in values where depth < 64 {
        element.children.append(.element(value.element(named: name, depth: depth + 1)))
      }
    case .object(let members):
      for (key, value) in members.sorted(by: { $0.key < $1.key }) where depth < 64 {
        if key == "#value", case .text(let text) = value {
          element.children.append(.text(text))
        } else if case .array(let values) = value {
          for value in values {
            element.children.append(.element(value.element(named: key, depth: depth + 1)))
          }
        } else {
          if case .text(let text) = value {
            element.attributes.append(
              FeedElement.Attribute(space: .plain, name: key.lowercased(), value: text))
          }
          element.children.append(.element(value.element(named: key, depth: depth + 1)))
        }
      }
    }
    return element
  }

  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
