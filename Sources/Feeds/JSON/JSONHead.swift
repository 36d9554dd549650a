import TextLayout

/// What a document of JSON says about itself beside its items.
struct JSONHead {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let members: [String: Range<Int>]
  private let format: FeedFormat
  private let hasItems: Bool

  /// - Parameters:
  ///   - members: names of the head's members, and where in `bytes` their values stand.
  ///   - hasItems: whether a list of items was found.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ members: [String: Range<Int>], format: FeedFormat,
    hasItems: Bool
  ) {
    (self.bytes, self.members, self.format, self.hasItems) = (bytes, members, format, hasItems)
  }

  /// What it says; the feed's author; what addresses of items are relative to.
  typealias Contents = (info: TimelineInfo, author: Post.Author?, base: String?)

  /// - Complexity: O(n) in the bytes of the members that count.
  func read(baseURL: String?) -> Contents {
    switch format {
    case .activitypub: return (collection(base: baseURL), nil, baseURL)
    case .bluesky:
      var info = TimelineInfo()
      info.nextCursor = value("cursor")?.text.map(Sanitizer.line).flatMap { $0.isEmpty ? nil : $0 }
      return (info, nil, baseURL)
    case .mastodon: return (TimelineInfo(), nil, baseURL)
    case .jsonfeed, .jsonl, .rss, .atom, .text: return feed(base: baseURL)
    }
  }

  private func value(_ name: String) -> JSONValue? {
    members[name].flatMap { JSONDocumentReader.decoded(bytes, $0) }
  }

  private func collection(base: String?) -> TimelineInfo {
    var info = TimelineInfo()
    let address = { (name: String) in
      let value = self.value(name)
      return FeedAddress.lenient(value?.text ?? JSONFields(value)?["id"]?.text, base: base)
    }
    info.feedURL = address("id")
    info.nextPage = address("next") ?? (hasItems ? nil : address("first"))
    return info
  }

  private func feed(base: String?) -> Contents {
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
    return (info, author, itemBase)
  }
}
