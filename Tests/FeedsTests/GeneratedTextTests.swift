import FoundationEssentials
import TestSupport
import Testing

@testable import Feeds
@testable import TextLayout

/// Every word that a post shows is in its row, or is one of the program's own.
@Suite struct GeneratedTextTests {
  /// The members and values that readers know, taken from their source code, so that new ones are
  /// included.
  private static let vocabulary: [String] = {
    let root = PackageFiles.root + "/Sources/Feeds/"
    let folders = ["JSON", "Networks", "Post", "XML"]
    var words: Set<String> = []
    for folder in folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
      for name in names {
        guard let bytes = try? PackageFiles.bytes(at: root + folder + "/" + name) else { continue }
        let parts = String(decoding: bytes, as: UTF8.self).split(
          separator: "\"", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() where index % 2 == 1 {
          for word in part.split(separator: " ")
          where word.count < 24
            && word.allSatisfy({ $0.isASCII && ($0.isLetter || "_.@".contains($0)) })
          {
            words.insert(String(word))
          }
        }
      }
    }
    return words.sorted()
  }()

  private struct Writer {
    var generator: SeededGenerator

    mutating func any(_ list: [String]) -> String { list.randomElement(using: &generator) ?? "" }

    mutating func value(_ depth: Int, _ name: String = "") -> String {
      switch Int.random(in: 0..<14, using: &generator) {
      case 0: return "null"
      case 1: return "true"
      case 2: return "\(Int.random(in: 0..<999, using: &generator))"
      case 3...7 where depth < 4: return object(depth)
      case 8...9 where depth < 4:
        let count = Int.random(in: 0...2, using: &generator)
        return "[" + (0..<count).map { _ in value(depth + 1) }.joined(separator: ",") + "]"
      case 10: return "\"at://did:plc:xyz/app.bsky.feed.post/k\(depth)\""
      case 11: return "\"https://zeal.example/users/quay\""
      case 12: return "\"\(any(GeneratedTextTests.vocabulary))\""
      default: return "\"zyxq <b>vuw</b> &amp; 水位\""
      }
    }

    mutating func object(_ depth: Int) -> String {
      let shapes = [
        ["type", "account", "status"], ["content", "account", "quote", "filtered"],
        ["uri", "record", "author", "embed"], ["notFound", "uri"], ["uri", "notFound", "blocked"],
        ["type", "object", "actor", "content"], ["content_text", "_tideline", "quotes"],
        ["uri", "displayName", "value"], ["detached", "record"], [],
      ]
      var names = shapes.randomElement(using: &generator) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        names.append(any(GeneratedTextTests.vocabulary))
      }
      // Most activities become one line, except those of one type.
      let type = Int.random(in: 0..<4, using: &generator) == 0 ? "\"type\":\"Create\"," : ""
      return "{" + type
        + names.map { name in "\"\(name)\":" + value(depth + 1, name) }.joined(separator: ",") + "}"
    }
  }

  @Test func vocabularyIsFound() {
    #expect(Self.vocabulary.count > 150)
    for word in ["favourite", "quote", "notFound", "filtered"] {
      #expect(Self.vocabulary.contains(word))
    }
  }

  /// Words of notifications, of unavailable posts, and any future ones, are found in random items
  /// of all networks.
  @Test(arguments: Rounds.seeds(3))
  func shownWordsAreInTheirRows(_ seed: UInt64) {
    var writer = Writer(generator: SeededGenerator(seed: seed))
    var matcher = TextMatcher()
    for _ in 0..<4 {
      let row = writer.object(0)
      for format in [.jsonl] + FeedFormat.ofJSON {
        let reader = RowReader(format: format, head: DocumentHead())
        let bytes = Array(row.utf8)
        // Only a few parts of each row, because each needs its own filter.
        var tried: Set<Substring> = []
        bytes.withUnsafeBytes { bytes in
          let post = reader.post(bytes, offset: 987_654, length: bytes.count)
          _ = post.anySearchedText { text in
            for part in text.split(separator: " ")
            where tried.count < 4 && tried.insert(part).inserted {
              guard let needle = TextNeedle(String(part)),
                var filter = reader.filter(for: [[needle]])
              else { continue }
              #expect(
                filter.mayMatch(bytes) || !matcher.contains(needle, in: text),
                "seed \(seed), \(format): '\(part)' of '\(text)' is missed in \(row)")
            }
            return false
          }
        }
      }
    }
  }

  /// Feeds contain all words that their posts show; otherwise a search would have to read each row.
  @Test func feedsAddNoWords() throws {
    var matcher = TextMatcher()
    let word = try #require(TextNeedle("https")?.longestWord)
    #expect(!FeedFormat.rss.mayGenerate(word, &matcher))
    #expect(FeedFormat.bluesky.mayGenerate(word, &matcher))
    let other = try #require(TextNeedle("harbour")?.longestWord)
    #expect(!FeedFormat.bluesky.mayGenerate(other, &matcher))
  }
}
