import TextLayout

/// The metadata of a document, which it gives before or after its items.
public struct DocumentHead: Hashable, Sendable {
  private let format: FeedFormat
  /// The values of the members, as bytes of the source.
  private var members: [String: [UInt8]] = [:]
  private var byteCount = 0
  /// Whether the document is RSS in JSON.
  public internal(set) var isRSS = false
  /// Whether the document is a Bluesky thread, in which posts are nested.
  var isThread = false
  /// Whether a list of items was found.
  var hasItems = false
  /// The parts of an XML document outside its items.
  private(set) var xml: XMLHead?

  /// An empty head.
  public init(format: FeedFormat = .jsonfeed) { self.format = format }

  init(xml: XMLHead) {
    format = .rss
    self.xml = xml
  }

  /// Stores a member, unless its value is larger than ``FeedLimits/beginningBytes`` or the head
  /// would exceed ``FeedLimits/itemBytes``.
  mutating func add(_ name: String, _ value: some Collection<UInt8>) {
    guard value.count <= FeedLimits.beginningBytes,
      byteCount + value.count <= FeedLimits.itemBytes
    else { return }
    members[name] = Array(value)
    byteCount += value.count
  }

  /// The timeline's metadata, such as its title. - Complexity: O(n) in the head's bytes
  public func info(baseURL: String? = nil) -> TimelineInfo { read(baseURL: baseURL).info }

  /// - Complexity: O(n) in the bytes of the stored members.
  func read(baseURL: String?) -> FeedHead {
    if let xml { return XMLContext(xml, baseURL: baseURL).head }
    if isRSS { return XMLFeedReader.head(of: channel, in: channel, base: baseURL) }
    var info = TimelineInfo()
    switch format {
    case .activitypub:
      info.feedURL = address("id", base: baseURL)
      info.nextPage = address("next", base: baseURL)
      if info.nextPage == nil, !hasItems { info.nextPage = address("first", base: baseURL) }
    case .bluesky:
      info.nextCursor = value("cursor")?.text.map(Sanitizer.line).flatMap { $0.isEmpty ? nil : $0 }
    case .mastodon: break
    case .jsonfeed, .jsonl, .rss, .atom, .text: return feed(base: baseURL)
    }
    return FeedHead(info: info, base: baseURL)
  }

  private func value(_ name: String) -> JSONValue? {
    members[name].flatMap { JSONParser.repairedValue(of: $0) }
  }

  private func address(_ name: String, base: String?) -> String? {
    let value = value(name)
    return FeedAddress.lenient(value?.text ?? JSONFields(value)?["id"]?.text, base: base)
  }

  private func feed(base: String?) -> FeedHead {
    let title = Sanitizing.collapsed(HTMLReader.decodingEntities(value("title")?.text ?? ""))
    var info = TimelineInfo(title: title)
    info.homePage = FeedAddress.lenient(value("home_page_url")?.text, base: base)
    info.feedURL = FeedAddress.lenient(value("feed_url")?.text, base: base)
    let own = info.feedURL ?? info.homePage ?? base
    info.nextPage = FeedAddress.lenient(value("next_url")?.text, base: own)
    info.icon =
      FeedAddress.resolve(value("icon")?.text, base: own)
      ?? FeedAddress.resolve(value("favicon")?.text, base: own)
    info.language = value("language")?.text.map(Sanitizer.line)
    let itemBase = info.homePage ?? info.feedURL ?? base
    let read = { (value: JSONValue) in JSONFeedReader.author(value, base: itemBase) }
    var authors: [Post.Author] = []
    if case .array(let list) = value("authors") { authors = list.compactMap(read) }
    if authors.isEmpty { authors = value("author").flatMap(read).map { [$0] } ?? [] }
    let author = ItemReader.joined(authors.compactMap(\.named))
    return FeedHead(info: info, author: author, base: itemBase)
  }

  /// RSS in JSON as the XML element to which it corresponds.
  private var channel: FeedElement {
    let members = members.keys.compactMap { name in
      value(name).map { JSONValue.Member(key: name, value: $0) }
    }
    return JSONValue.object(members).element(named: "channel")
  }
}
