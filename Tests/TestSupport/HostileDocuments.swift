/// A field of a format, in an item with no other readable content.
public struct HostileField: Sendable {
  public let name: String
  /// The item; `{}` stands for the field's value.
  let template: String

  init(_ name: String, _ template: String) {
    (self.name, self.template) = (name, template)
  }
}

/// A format with all fields that a reader evaluates.
public struct HostileFormat: Sendable, CustomStringConvertible {
  public let description: String
  /// The format's name for `--format`.
  public let option: String
  public let fields: [HostileField]
  let head: String
  let separator: String
  let foot: String
  /// The ways in which values can be written into it.
  public let writings: [HostileText.Writing]

  /// A document with one item for each value, in its field.
  public func document(_ items: [(field: HostileField, value: [UInt8])]) -> [UInt8] {
    var bytes = Array(head.utf8)
    // Often the same for all fields.
    var last: (value: [UInt8], escaped: [UInt8]) = ([], [])
    for (index, item) in items.enumerated() {
      if index > 0 { bytes += separator.utf8 }
      if item.value != last.value { last = (item.value, escaped(item.value)) }
      let value = last.escaped
      let parts = item.field.template.replacing("{n}", with: "\(index)").split(
        separator: "{}", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0 { bytes += value }
        bytes += Array(part.utf8)
      }
    }
    return bytes + Array(foot.utf8)
  }

  /// Escapes backslashes, such as the one of a string terminator, which are not JSON's.
  private func escaped(_ value: [UInt8]) -> [UInt8] {
    guard writings.contains(.escapes) else { return value }
    var result: [UInt8] = []
    for (index, byte) in value.enumerated() {
      let beginsEscape = byte == 0x5C && index + 1 < value.count && value[index + 1] == 0x75
      result += byte == 0x5C && !beginsEscape ? [0x5C, 0x5C] : [byte]
    }
    return result
  }

  static func json(
    _ name: String, _ option: String, head: String, separator: String = ",\n", foot: String,
    _ fields: [HostileField]
  ) -> HostileFormat {
    HostileFormat(
      description: name, option: option, fields: fields, head: head, separator: separator,
      foot: foot, writings: [.raw, .escapes, .references])
  }

  public static let all = ofJSON + [rss, atom, text]
}
