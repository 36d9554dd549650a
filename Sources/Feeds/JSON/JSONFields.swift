import HTTP

/// The problems of an item, recorded while its fields are read.
final class ItemDiagnostics {
  /// The names of fields that have a value of an unexpected type.
  var mistypedFields: [String] = []
  var damages: [String] = []
  /// The times that were read from texts without a zone.
  private var timesWithoutZone: Set<Double> = []

  /// Writes the recorded problems to `post`, each field once, and whether its time has a zone.
  func mark(_ post: inout Post) {
    for damage in damages { post.addDamage(damage) }
    if let time = post.published ?? post.modified, timesWithoutZone.contains(time) {
      post.hasZone = false
    }
    guard !mistypedFields.isEmpty else { return }
    var seen: Set<String> = []
    let list = mistypedFields.filter { seen.insert($0).inserted }.map { "“\($0)”" }
    post.addDamage("of an unexpected type: \(list.joined(separator: ", "))")
  }

  /// The first readable date in `texts`, in seconds since 1970; if none is readable, the first text
  /// is recorded as damage.
  func date(_ texts: [String]) -> Double? {
    for text in texts {
      guard let moment = DateParser.moment(text) else { continue }
      if !moment.hasZone { timesWithoutZone.insert(moment.seconds) }
      return moment.seconds
    }
    if let text = texts.first {
      damages.append("not a date: “\(Sanitizing.collapsed(String(text.prefix(60))))”")
    }
    return nil
  }
}

/// The members of a JSON object, read leniently.
///
/// `null` counts as absent. So does a value of an unexpected type; the name of its field is
/// recorded, so that the post can report it.
struct JSONFields {
  let members: [JSONValue.Member]
  private var notes: ItemDiagnostics?

  /// Returns `nil` if `value` is not an object. Without `notes` nothing is recorded.
  init?(_ value: JSONValue?, notes: ItemDiagnostics? = nil) {
    guard case .object(let members) = value else { return nil }
    self.members = members
    self.notes = notes
  }

  /// The same fields, with their problems recorded in `notes`; `nil` records none.
  func recordingProblems(_ notes: ItemDiagnostics?) -> JSONFields {
    var fields = self
    fields.notes = notes
    return fields
  }

  /// - Complexity: O(n) in the members, as for all other look-ups.
  subscript(name: String) -> JSONValue? {
    members.last { $0.key == name && !$0.value.isNull }?.value
  }

  func has(_ name: String) -> Bool { self[name] != nil }

  /// A string, or a number or Boolean as a string.
  func text(_ name: String) -> String? {
    guard let value = self[name] else { return nil }
    if value.text == nil { notes?.mistypedFields.append(name) }
    return value.text
  }

  /// A string that is not empty.
  func words(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// The string in one sanitized line; empty if there is none.
  func line(_ name: String) -> String { text(name).map(Sanitizing.collapsed) ?? "" }

  func flag(_ name: String) -> Bool { text(name) == "true" }

  /// The seconds since 1970 of the first of these fields that contains a date.
  func date(_ names: String...) -> Double? {
    let texts = names.compactMap(words)
    guard let notes else { return texts.lazy.compactMap(DateParser.seconds).first }
    return notes.date(texts)
  }

  /// A number, or a string that contains one.
  func number(_ name: String) -> Double? {
    guard let value = self[name] else { return nil }
    if let number = value.text.flatMap(Double.init), number.isFinite { return number }
    notes?.mistypedFields.append(name)
    return nil
  }

  /// A number of at least 0, rounded to an integer; a negative one counts as absent.
  func count(_ name: String) -> Int? {
    number(name).flatMap { Int(exactly: $0.rounded()) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The side of a picture in pixels, from 1 to 99,999; otherwise `nil`.
  func side(_ name: String) -> Int? {
    count(name).flatMap { (1..<100_000).contains($0) ? $0 : nil }
  }

  /// The BlurHash of a picture, if it has 6 to 166 characters.
  var blurHash: String? {
    text("blurhash").flatMap { (6...166).contains($0.utf8.count) ? $0 : nil }
  }

  func object(_ name: String) -> JSONFields? {
    guard let value = self[name] else { return nil }
    let fields = JSONFields(value, notes: notes)
    if fields == nil { notes?.mistypedFields.append(name) }
    return fields
  }

  /// The elements of an array, or a single value in place of an array.
  func list(_ name: String) -> [JSONValue] {
    switch self[name] {
    case nil: []
    case .array(let values): values
    case let value?: [value]
    }
  }

  /// The elements, converted by `read`; if it rejects any, the field is recorded.
  func list<Element>(_ name: String, _ read: (JSONValue) -> Element?) -> [Element] {
    let values = list(name)
    let elements = values.compactMap(read)
    if elements.count < values.count { notes?.mistypedFields.append(name) }
    return elements
  }

  /// The objects of an array, or a single object; if there are other elements, the field is
  /// recorded.
  func objects(_ name: String) -> [JSONFields] {
    list(name) { JSONFields($0, notes: notes) }
  }
}
