import TestSupport
import Testing

@testable import Feeds
@testable import TextLayout

/// The table of formats.
@Suite struct FormatTests {
  @Test(arguments: FeedFormat.allCases) func everyFormatIsOfOneKind(_ format: FeedFormat) {
    switch format.descriptor {
    case .lines, .paragraphs: #expect(format.isLines)
    case .xml(let roots): #expect(format.isXML && roots.allSatisfy(format.hasRoot))
    case .json: #expect(format.isJSONDocument)
    }
    #expect(
      [format.isLines, format.isXML, format.isJSONDocument].count { $0 } == 1,
      "\(format) is of several kinds")
  }

  @Test func allNetworksAreNamed() {
    #expect(FeedFormat.networks.split(separator: ",").count == FeedFormat.ofJSON.count - 1)
    let message = FeedError(.unknownJSON(members: ["a"])).message
    for format in FeedFormat.ofJSON { #expect(message.contains(format.json.documents)) }
  }

  /// Suites that try every format do so by these samples.
  @Test func everyFormatHasSamples() {
    #expect(
      Set(SocialSamples.all.map(\.0)) == Set(FeedFormat.ofJSON).subtracting([.jsonfeed]))
    #expect(Set(HostileFormat.all.map(\.option)) == Set(FeedFormat.allCases.map(\.rawValue)))
  }

  @Test(arguments: FeedFormat.ofJSON) func generatedTextsAreFoundInTheirFormat(
    _ format: FeedFormat
  ) throws {
    var matcher = TextMatcher()
    for text in format.json.generatedTexts {
      let word = try #require(TextNeedle(text)?.longestWord)
      #expect(format.mayGenerate(word, &matcher), "\(text)")
      #expect(FeedFormat.jsonl.mayGenerate(word, &matcher), "\(text)")
      #expect(!FeedFormat.rss.mayGenerate(word, &matcher), "\(text)")
      #expect(!FeedFormat.text.mayGenerate(word, &matcher), "\(text)")
    }
  }

  /// An empty list tells a format only beside other members, and the members of a network tell more
  /// than a list that JSON Feed has, too.
  @Test(arguments: [
    (#"{"items":[]}"#, FeedFormat.jsonfeed), (#"{"@context":"x","items":[]}"#, .activitypub),
    (#"{"orderedItems":[]}"#, .activitypub), (#"{"cursor":"1","feed":[]}"#, .bluesky),
    (#"{"accounts":[],"statuses":[]}"#, .mastodon), (#"{"statuses":[],"a":1}"#, .jsonl),
    (#"{"feed":[],"a":1}"#, .jsonl), (#"{"rss":{"items":[]}}"#, .jsonfeed),
    (#"{"items":[{"type":"Note","to":"a"}]}"#, .activitypub),
    (#"{"posts":[{"post":{}}]}"#, .bluesky), (#"{"thread":{"post":{}}}"#, .bluesky),
    (#"{"thread":{"a":1},"content_text":"x"}"#, .jsonl),
    (#"{"ancestors":[{"account":{},"content":"x"}]}"#, .mastodon),
    (#"{"type":"Collection","first":"x"}"#, .activitypub),
  ])
  func documentsTellTheirFormat(_ text: String, _ format: FeedFormat) throws {
    #expect(try FeedReader.detect(Array(text.utf8)) == format)
  }

  // MARK: Signs

  private struct Member {
    let name: String
    let text: String?
    let isObject: Bool
  }

  /// The signs, spelled out.
  private static func naiveFormat(of members: [Member]) -> FeedFormat? {
    let count = { (isSign: (Member) -> Bool) in members.count(where: isSign) }
    let isFeed = count {
      [
        "content_text", "content_html", "date_published", "date_modified", "external_url",
      ].contains($0.name)
    }
    if isFeed > 0 { return .jsonfeed }
    let status = count { member in
      switch member.name {
      case "account", "quoted_status", "reblog", "status": member.isObject
      case "content": member.text != nil
      case "spoiler_text", "visibility", "favourites_count", "reblogs_count", "replies_count",
        "in_reply_to_account_id", "in_reply_to_id", "media_attachments", "edited_at":
        true
      case "payload": member.text?.first == "{"
      case "event": ["update", "status.update"].contains(member.text)
      case "state": member.text == "accepted"
      case "type": ["favourite", "admin.sign_up", "mention", "update"].contains(member.text)
      default: false
      }
    }
    if status >= 2 { return .mastodon }
    let activity = count {
      ["actor", "object", "attributedTo", "to", "cc", "@context", "inReplyTo"].contains($0.name)
    }
    let type = members.last { $0.name == "type" }?.text
    if activity > 0, ["Create", "Document"].contains(type) { return .activitypub }
    let bluesky = count {
      $0.isObject && ["record", "author", "value", "post"].contains($0.name)
        || $0.name == "uri" && $0.text == "at://a"
    }
    return bluesky + count { $0.isObject && $0.name == "post" } >= 2 ? .bluesky : nil
  }

  @Test(arguments: Rounds.seeds(3)) func itemsAreRecognizedByTheirSigns(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let formats: [FeedFormat] = [.jsonfeed, .mastodon, .activitypub, .bluesky]
    // Few members of JSON Feed, each of which decides alone.
    let names =
      formats.flatMap { format in
        Array(repeating: format.json.signs.map(\.key), count: format == .jsonfeed ? 1 : 3)
          .flatMap(\.self)
      } + Array(repeating: "type", count: 12) + ["id", "title"]
    let texts = [
      "at://a", "{", "update", "status.update", "accepted", "Create", "Document", "favourite",
      "admin.sign_up", "mention", "Collection", "x", "",
    ]
    var found: Set<FeedFormat?> = []
    for _ in 0..<4_000 {
      let members = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        let kind = Int.random(in: 0..<3, using: &generator)
        return Member(
          name: names.randomElement(using: &generator) ?? "",
          text: kind == 0 ? texts.randomElement(using: &generator) : nil, isObject: kind == 1)
      }
      var evidence = JSONFormatEvidence()
      for member in members {
        evidence.add(member.name, text: member.text, isObject: member.isObject)
      }
      let expected = Self.naiveFormat(of: members)
      #expect(evidence.format == expected, "seed \(seed): \(members)")
      found.insert(expected)
    }
    #expect(found == Set(formats + [nil]))
  }
}
