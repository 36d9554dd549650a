/// The members of an object of JSON, read leniently.
///
/// Null is as good as absent. What has quite another type than asked for reads as absent, too, and its
/// name is added to `odd`, for the post to say so.
struct JSONFields {
  let members: [JSONValue.Member]

  /// Nil for what is not an object.
  init?(_ value: JSONValue?) {
    guard case .object(let members) = value else { return nil }
    self.members = members
  }

  /// - Complexity: O(n) in the members, as all other look-ups.
  subscript(name: String) -> JSONValue? {
    members.last { $0.key == name && !$0.value.isNull }?.value
  }

  func has(_ name: String) -> Bool { self[name] != nil }

  /// A string, or a number written as one.
  func text(_ name: String, _ odd: inout [String]) -> String? {
    guard let value = self[name] else { return nil }
    if value.text == nil { odd.append(name) }
    return value.text
  }

  /// A string that holds something.
  func words(_ name: String, _ odd: inout [String]) -> String? {
    text(name, &odd).flatMap { $0.isEmpty ? nil : $0 }
  }

  func flag(_ name: String, _ odd: inout [String]) -> Bool { text(name, &odd) == "true" }

  /// A number, also one in a string.
  func number(_ name: String, _ odd: inout [String]) -> Double? {
    guard let value = self[name] else { return nil }
    if let number = value.text.flatMap(Double.init), number.isFinite { return number }
    odd.append(name)
    return nil
  }

  /// A whole number that is no less than 0; what is less reads as absent.
  func count(_ name: String, _ odd: inout [String]) -> Int? {
    number(name, &odd).flatMap { Int(exactly: $0.rounded()) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The side of a picture in pixels, where it is one a picture can have.
  func side(_ name: String, _ odd: inout [String]) -> Int? {
    count(name, &odd).flatMap { (1..<100_000).contains($0) ? $0 : nil }
  }

  func object(_ name: String, _ odd: inout [String]) -> JSONFields? {
    guard let value = self[name] else { return nil }
    let fields = JSONFields(value)
    if fields == nil { odd.append(name) }
    return fields
  }

  /// The elements of an array, or one value in place of it.
  func list(_ name: String) -> [JSONValue] {
    switch self[name] {
    case nil: []
    case .array(let values): values
    case let value?: [value]
    }
  }

  /// The objects of an array, or one in place of it; what is none of them is noted.
  func objects(_ name: String, _ odd: inout [String]) -> [JSONFields] {
    let values = list(name)
    let objects = values.compactMap { JSONFields($0) }
    if objects.count < values.count { odd.append(name) }
    return objects
  }
}
