import HTTP

/// What is wrong with an item, noted while its fields are read.
final class ItemNotes {
  /// Names of fields that hold something else than they should.
  var oddities: [String] = []
  var damages: [String] = []
  /// Times that were read of texts without a zone.
  private var zoneless: Set<Double> = []

  /// Says in `post` what was noted, each field once.
  func mark(_ post: inout Post) {
    for damage in damages { post.addDamage(damage) }
    if let time = post.published ?? post.modified { post.hasZone = !zoneless.contains(time) }
    guard !oddities.isEmpty else { return }
    var seen: Set<String> = []
    let list = oddities.filter { seen.insert($0).inserted }.map { "“\($0)”" }
    post.addDamage("of an unexpected type: \(list.joined(separator: ", "))")
  }

  /// The first time that can be read in `texts`; where there is none, the first text is noted.
  func date(_ texts: [String]) -> Double? {
    for text in texts {
      guard let moment = DateParser.moment(text) else { continue }
      if !moment.hasZone { zoneless.insert(moment.seconds) }
      return moment.seconds
    }
    if let text = texts.first {
      damages.append("not a date: “\(Sanitizing.collapsed(String(text.prefix(60))))”")
    }
    return nil
  }
}

/// The members of an object of JSON, read leniently.
///
/// Null is as good as absent. What has quite another type than asked for reads as absent, too, and
/// its name is noted, for the post to say so.
struct JSONFields {
  let members: [JSONValue.Member]
  private var notes: ItemNotes?

  /// Nil for what is not an object. Without `notes` nothing is noted.
  init?(_ value: JSONValue?, notes: ItemNotes? = nil) {
    guard case .object(let members) = value else { return nil }
    self.members = members
    self.notes = notes
  }

  /// The same fields, what is wrong with which is noted elsewhere, or nowhere.
  func noting(_ notes: ItemNotes?) -> JSONFields {
    var fields = self
    fields.notes = notes
    return fields
  }

  /// - Complexity: O(n) in the members, as all other look-ups.
  subscript(name: String) -> JSONValue? {
    members.last { $0.key == name && !$0.value.isNull }?.value
  }

  func has(_ name: String) -> Bool { self[name] != nil }

  /// A string, or a number written as one.
  func text(_ name: String) -> String? {
    guard let value = self[name] else { return nil }
    if value.text == nil { notes?.oddities.append(name) }
    return value.text
  }

  /// A string that holds something.
  func words(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// A string in one sanitized line; empty where there is none.
  func line(_ name: String) -> String { text(name).map(Sanitizing.collapsed) ?? "" }

  func flag(_ name: String) -> Bool { text(name) == "true" }

  /// Seconds since 1970, of the first of these fields that holds a date.
  func date(_ names: String...) -> Double? {
    let texts = names.compactMap(words)
    guard let notes else { return texts.lazy.compactMap(DateParser.seconds).first }
    return notes.date(texts)
  }

  /// A number, also one in a string.
  func number(_ name: String) -> Double? {
    guard let value = self[name] else { return nil }
    if let number = value.text.flatMap(Double.init), number.isFinite { return number }
    notes?.oddities.append(name)
    return nil
  }

  /// A whole number that is no less than 0; what is less reads as absent.
  func count(_ name: String) -> Int? {
    number(name).flatMap { Int(exactly: $0.rounded()) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The side of a picture in pixels, where it is one a picture can have.
  func side(_ name: String) -> Int? {
    count(name).flatMap { (1..<100_000).contains($0) ? $0 : nil }
  }

  /// The text of a picture's hash (`BlurHash`), where it may be one: it has 166 characters at most.
  var blurHash: String? {
    text("blurhash").flatMap { (6...166).contains($0.utf8.count) ? $0 : nil }
  }

  func object(_ name: String) -> JSONFields? {
    guard let value = self[name] else { return nil }
    let fields = JSONFields(value, notes: notes)
    if fields == nil { notes?.oddities.append(name) }
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

  /// What `read` makes of those; what it makes nothing of is noted.
  func list<Element>(_ name: String, _ read: (JSONValue) -> Element?) -> [Element] {
    let values = list(name)
    let elements = values.compactMap(read)
    if elements.count < values.count { notes?.oddities.append(name) }
    return elements
  }

  /// The objects of an array, or one in place of it; what is none of them is noted.
  func objects(_ name: String) -> [JSONFields] {
    list(name) { JSONFields($0, notes: notes) }
  }
}
