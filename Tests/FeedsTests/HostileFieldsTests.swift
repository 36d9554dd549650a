import TestSupport
import Testing

@testable import Feeds

/// Hostile text in any field: no post contains it, no output shows it.
@Suite struct HostileFieldsTests {
  /// Fields whose value no reader keeps; the others must appear in a post.
  private static let unread: Set<String> = [
    "an element", "a comment", "a name", "a name of a field", "a field of another type", "emojis",
    "media:rating", "source", "title's type", "type of an object",
  ]

  private func format(_ format: HostileFormat) throws -> FeedFormat {
    try #require(FeedFormat(rawValue: format.option))
  }

  /// A field that reaches no post would test nothing.
  @Test(arguments: HostileFormat.all) func everyFieldIsRead(format: HostileFormat) throws {
    for field in format.fields {
      let bytes = format.document([(field, Array("lighthouse".utf8))])
      let posts = try FeedReader.read(bytes, format: self.format(format)).posts
      let all = posts.flatMap(Self.strings).joined(separator: "\n")
      let isRead = all.contains("lighthouse")
      #expect(
        isRead != Self.unread.contains(field.name), "\(format) \(field.name)")
    }
  }

  /// The `index`th text as the format can write it: in one way, another one for each text, or with
  /// many rounds in all ways.
  private func writings(
    of text: HostileText, _ index: Int, in format: HostileFormat
  ) -> [(writing: HostileText.Writing, bytes: [UInt8])] {
    let all = format.writings.compactMap { writing in
      text.bytes(writing).map { (writing: writing, bytes: $0) }
    }
    return Rounds.areMany || all.isEmpty ? all : [all[index / 2 % all.count]]
  }

  /// All fields in one document: damage in one item must not let the next one through.
  @Test(arguments: HostileFormat.all) func noFieldLetsAnythingThrough(format: HostileFormat) throws
  {
    let kind = try self.format(format)
    let number = HostileFormat.all.firstIndex { $0.option == format.option } ?? 0
    let texts = Array(HostileText.all.enumerated())
    for (index, text) in Rounds.some(of: texts, number: number, step: 3) {
      for (writing, bytes) in writings(of: text, index, in: format) {
        let fields = text.isLong ? Array(format.fields.prefix(8)) : format.fields
        let values = fields.map { ($0, Array("v".utf8) + bytes + Array("w".utf8)) }
        let problems = Self.problems(format.document(values), kind)
        if !problems.isEmpty { Issue.record("\(format), \(text), \(writing): \(problems)") }
      }
    }
  }

  /// In XML a field can damage all that follow it, so each is also tested alone.
  @Test(arguments: HostileFormat.all.filter { $0.option == "rss" || $0.option == "atom" })
  func singleFieldsAreSafe(format: HostileFormat) throws {
    let kind = try self.format(format)
    for (index, text) in HostileText.all.enumerated() where !text.isLong {
      for (writing, bytes) in writings(of: text, index, in: format) {
        for field in Rounds.some(of: format.fields, number: index, step: 6) {
          let problems = Self.problems(format.document([(field, bytes)]), kind)
          if problems.isEmpty { continue }
          Issue.record("\(format) \(field.name), \(text), \(writing): \(problems)")
        }
      }
    }
  }

  private static func problems(_ bytes: [UInt8], _ format: FeedFormat) -> [String] {
    do throws(FeedError) {
      let document = try FeedReader.read(bytes, format: format)
      var problems: [String] = []
      for post in document.posts {
        for string in strings(of: post) {
          problems += HostileOutput.problems(in: Array(string.utf8), .text)
        }
        problems += HostileOutput.problems(in: Array(PostWriter.plainText(post).utf8), .text)
        problems += HostileOutput.problems(in: Array(PostWriter.jsonItem(post).utf8), .json)
      }
      return problems
    } catch {
      return HostileOutput.problems(in: Array("\(error)".utf8), .text)
    }
  }

  /// Every string in a post, in whatever property.
  private static func strings(of value: Any) -> [String] {
    if let string = value as? String { return [string] }
    return Mirror(reflecting: value).children.flatMap { strings(of: $0.value) }
  }
}
