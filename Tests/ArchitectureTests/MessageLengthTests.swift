import FoundationEssentials
import Testing

/// The program's own messages fit into a status line of 60 columns.
@Suite struct MessageLengthTests {
  /// The columns of the line without its margins.
  private static let columns = 58
  /// A stand-in for interpolated values: the number of a post, a key, a short name.
  private static let filledIn = "1234567"
  /// Modules whose views and commands show messages to the reader.
  private static let speaking = ["TerminalApp", "TimelineUI", "Pictures"]
  private static let calls = ["tell(", ".refused(", "announce("]

  @Test func messagesFitNarrowScreens() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    var found = 0
    for file in try SourceFile.inPackage.get() where Self.speaking.contains(file.module) {
      let text = String(
        decoding: try Data(contentsOf: URL(filePath: root + "/" + file.path)), as: UTF8.self)
      for message in Self.messages(in: text) {
        found += 1
        #expect(message.count <= Self.columns, "\(file.path): \(message)")
      }
    }
    #expect(found > 20)
  }

  /// The string literals that are first arguments of the calls, with interpolations replaced.
  static func messages(in source: String) -> [String] {
    var messages: [String] = []
    for call in calls {
      for rest in source.components(separatedBy: call).dropFirst() {
        let argument = rest.drop { $0.isWhitespace }
        if let message = literal(argument) { messages.append(message) }
      }
    }
    return messages
  }

  /// `nil` if `text` does not begin with a string literal.
  private static func literal(_ text: Substring) -> String? {
    guard text.first == "\"" else { return nil }
    var result = ""
    var rest = text.dropFirst()
    while let character = rest.popFirst() {
      switch character {
      case "\"": return result
      case "\\" where rest.first == "(":
        var depth = 0
        repeat {
          guard let next = rest.popFirst() else { return nil }
          depth += next == "(" ? 1 : next == ")" ? -1 : 0
        } while depth > 0
        result += filledIn
      case "\\":
        if let escaped = rest.popFirst() { result.append(escaped) }
      case "\n": return nil
      default: result.append(character)
      }
    }
    return nil
  }

  @Test func interpolationsAreReplaced() {
    let source = #"tell("a \(b ?? "c") d \"e\"", .hint) x.refused(name) .refused("f")"#
    #expect(Self.messages(in: source) == ["a 1234567 d \"e\"", "f"])
  }
}
