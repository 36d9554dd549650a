import TestSupport
import Testing

@testable import TimelineStore

/// An id is found in any notation, and not confused with another one.
@Suite struct PostIDPatternTests {
  private func places(of needle: PostIDPattern?, in text: String) throws -> [Int] {
    let needle = try #require(needle)
    return Array(text.utf8).withUnsafeBytes(needle.places(in:))
  }

  @Test(arguments: [
    ("https://tide.example/post-12", #"{"id":"https:\/\/tide.example\/post-12"}"#),
    ("https://tide.example/post-12", #"{"id":"https:\u002F\u002Ftide.example\u002fpost-12"}"#),
    ("https://tide.example/?a=1&p=12", "<guid>https://tide.example/?a=1&amp;p=12</guid>"),
    ("https://tide.example/?a=1&p=12", "<guid>https:&#x2F;&#47;tide.example/?a=1&#38;p=12</guid>"),
    ("tag:tide.example,2026:12", "<id>tag:tide.example,2026:12</id>"),
    ("post12", "post12"),
    ("/7/harbour/", "id=/7/harbour/ "),
  ])
  func findsEscapedIDs(id: String, text: String) throws {
    #expect(try places(of: PostIDPattern(id: id), in: text).count == 1)
    #expect(try places(of: PostIDPattern(id: id), in: "\(text)\n\(text)").count == 2)
  }

  @Test(arguments: [
    ("https://tide.example/post-12", "https://tide.example/post-1"),
    ("https://tide.example/post-12", "https://tide.example/post-123"),
    ("https://tide.example/post-12", "https://tide.example/note-12"),
    ("https://tide.example/post-12", "http://tide.example/post-12"),
    ("https://tide.example/post-12", "https://tide.example/"),
    ("https://tide.example/post-12", "tide.example/post-12"),
    ("https://tide.example/2025/11/quay", "https://tide.example/2025/12/quay"),
  ])
  func skipsOthers(id: String, text: String) throws {
    #expect(try places(of: PostIDPattern(id: id), in: "\"\(text)\"").isEmpty)
  }

  @Test func findsRunsOfWords() throws {
    let needle = PostIDPattern(words: "Low – the tide turns at the quay, again")
    #expect(try places(of: needle, in: "At noon the tide turns at the quay.") == [7])
    #expect(try places(of: PostIDPattern(words: "the tide tu"), in: "the tide turns") == [0])
    #expect(PostIDPattern(words: "潮位 · 7") == nil)
    #expect(PostIDPattern(id: "a-b-c") == nil)
  }

  /// Ids with random escapes among ids that differ in one stretch, compared with the ids
  /// themselves.
  @Test(arguments: [1, 2, 3, UInt64.random(in: 0 ... .max)])
  func randomIDsAreFound(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let separators = Array("/:-_.?&=#")
    func written(_ id: String) -> String {
      id.map { character in
        guard let byte = character.asciiValue, separators.contains(character) else {
          return String(character)
        }
        let number = String(byte, radix: 16)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return "\\" + String(character)
        case 1: return "\\u00" + number
        case 2: return "&#x" + number + ";"
        case 3: return "&#\(byte);"
        default: return String(character)
        }
      }.joined()
    }
    for step in 0..<200 {
      var parts = ["https", "harbour", "\(Int.random(in: 0..<50, using: &generator))"]
      parts.append("post\(Int.random(in: 0..<50, using: &generator))")
      let id = parts.dropFirst().reduce(parts[0]) {
        $0 + String(separators.randomElement(using: &generator) ?? "/") + $1
      }
      let found = try places(of: PostIDPattern(id: id), in: "x \(written(id)) y")
      #expect(found.count == 1, "seed \(seed), step \(step), \(id)")
      let other = id + "\(Int.random(in: 0..<10, using: &generator))"
      let none = try places(of: PostIDPattern(id: id), in: "x \(written(other)) y")
      #expect(none.isEmpty, "seed \(seed), step \(step), \(other)")
    }
  }
}
