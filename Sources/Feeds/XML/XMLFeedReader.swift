import TextLayout

/// RSS and Atom documents to posts.
enum XMLFeedReader {
  /// - Complexity: O(n) in the bytes.
  static func read(
    _ text: UnicodeText, format: FeedFormat, baseURL: String?
  ) throws(FeedError) -> FeedDocument {
    // White space before the XML declaration is the parser's end, and nobody's loss.
    let start = text.bytes.firstIndex { $0 > 32 } ?? text.bytes.endIndex
    let firstLine = 1 + text.bytes[..<start].count { $0 == 0x0A }
    let bytes = start == 0 ? text.bytes : Array(text.bytes[start...])
    var session = Session(
      baseURL: baseURL, isRepaired: text.firstRepair != nil, firstLine: firstLine)
    var parser = session.parse(bytes)
    if parser.hasBareAmpersand || parser.hasMismatchedTag {
      session = Session(
        baseURL: baseURL, isRepaired: text.firstRepair != nil, firstLine: firstLine)
      let whole = parser.hasBareAmpersand ? AmpersandRepair.repaired(bytes) : bytes
      let repair = parser.hasMismatchedTag ? TagRepair(whole, firstLine: firstLine) : nil
      parser = session.parse(repair?.bytes ?? whole, repair)
    }
    return try document(session, parser, format: format, baseURL: baseURL)
  }

  /// One pass of the parser and the posts it found.
  private final class Session {
    var posts: [Post] = []
    /// The first error within an item.
    var firstFault: XMLFeedParser.Fault?
    let baseURL: String?
    let isRepaired: Bool
    let firstLine: Int

    init(baseURL: String?, isRepaired: Bool, firstLine: Int) {
      self.baseURL = baseURL
      self.isRepaired = isRepaired
      self.firstLine = firstLine
    }

    func parse(_ bytes: [UInt8], _ repair: TagRepair? = nil) -> XMLFeedParser {
      let parser = XMLFeedParser(repair: repair) { [unowned self] item, parent, fault in
        if firstFault == nil { firstFault = fault }
        let reader = ItemReader(item: item, base: base(within: parent))
        var post = reader.post(damage: fault.map(XMLFeedReader.reason))
        if isRepaired, post.holdsReplacement {
          post.damage = [post.damage, "bytes that are not text were replaced"]
            .compactMap { $0 }.joined(separator: "; ")
        }
        posts.append(post)
      }
      parser.parse(bytes, firstLine: firstLine)
      return parser
    }

    private func base(within parent: FeedElement?) -> String? {
      guard let parent else { return baseURL }
      if let own = FeedAddress.resolve(parent.attribute("base", in: .xml), base: baseURL) {
        return own
      }
      return XMLFeedReader.homePage(of: parent, base: baseURL) ?? baseURL
    }
  }

  fileprivate static func reason(_ fault: XMLFeedParser.Fault) -> String {
    guard fault.line > 0 else { return fault.message }
    return "XML error in line \(fault.line): \(fault.message)"
  }

  private static func document(
    _ session: Session, _ parser: XMLFeedParser, format: FeedFormat, baseURL: String?
  ) throws(FeedError) -> FeedDocument {
    var posts = session.posts
    if let fault = parser.fault {
      guard !posts.isEmpty else {
        throw FeedError(.nothingReadable(reason: fault.message, place: .line(fault.line)))
      }
      var mark = Post(id: "damage in line \(fault.line)")
      mark.damage = reason(fault)
      posts.append(mark)
    }
    guard let root = parser.root else {
      throw FeedError(.nothingReadable(reason: "no element", place: .line(1)))
    }
    if !posts.isEmpty, posts.allSatisfy({ $0.damage != nil && $0.isBlank }),
      let fault = session.firstFault ?? parser.fault
    {
      throw FeedError(
        .nothingReadable(
          reason: fault.message, place: .line(max(1, fault.line))))
    }
    let channel = root.first("channel", in: .plain) ?? root
    var document = FeedDocument(format: format, info: info(of: channel, in: root, base: baseURL))
    document.posts = posts
    document.fillFromFeed(author: author(of: channel))
    document.makeIDsUnique()
    return document
  }

  static func author(of channel: FeedElement) -> Post.Author? {
    let atom = channel.first("author", in: .atom).flatMap {
      ItemReader.atomAuthor($0, base: nil)
    }
    return atom ?? channel.line(of: "managingeditor", in: .plain).map(ItemReader.mailAuthor)
      ?? ItemReader.rssAuthor(of: channel)
  }

  private static func homePage(of channel: FeedElement, base: String?) -> String? {
    if let link = channel.line(of: "link", in: .plain) {
      return FeedAddress.lenient(link, base: base)
    }
    let links = channel.elements("link", in: .atom, .plain)
    let alternate = links.first { ($0.attribute("rel") ?? "alternate") == "alternate" }
    return FeedAddress.lenient(alternate?.attribute("href"), base: base)
  }

  static func info(
    of channel: FeedElement, in root: FeedElement, base: String?
  ) -> TimelineInfo {
    let title = channel.line(of: "title", in: .plain, .atom, .dublinCore) ?? ""
    var info = TimelineInfo(title: HTMLReader.decodingEntities(title))
    info.homePage = homePage(of: channel, base: base)
    let own = FeedAddress.resolve(root.attribute("base", in: .xml), base: base)
    let links = channel.elements("link", in: .atom)
    info.feedURL = FeedAddress.lenient(
      links.first { $0.attribute("rel") == "self" }?.attribute("href"), base: own ?? base)
    info.nextPage = FeedAddress.lenient(
      links.first { $0.attribute("rel") == "next" }?.attribute("href"), base: own ?? base)
    let images = channel.elements("image", in: .plain) + root.elements("image", in: .plain)
    let icons: [String?] = [
      channel.line(of: "icon", in: .atom), channel.line(of: "logo", in: .atom),
      images.lazy.compactMap { $0.line(of: "url", in: .plain) }.first,
      channel.first("image", in: .itunes)?.attribute("href"),
      channel.first("thumbnail", in: .media)?.attribute("url"),
    ]
    info.icon = icons.lazy.compactMap { FeedAddress.resolve($0, base: info.homePage ?? base) }.first
    let language =
      channel.line(of: "language", in: .plain, .dublinCore) ?? root.attribute("lang", in: .xml)
    if let language, !language.isEmpty { info.language = Sanitizer.line(language) }
    return info
  }
}

extension Post {
  /// Nothing of it can be shown but its damage.
  package var isBlank: Bool {
    title.isEmpty && body.isEmpty && pictures.isEmpty && attachments.isEmpty && url == nil
  }

  var holdsReplacement: Bool {
    title.plainText.unicodeScalars.contains("\u{FFFD}")
      || body.plainText.unicodeScalars.contains("\u{FFFD}")
      || (author?.name ?? "").unicodeScalars.contains("\u{FFFD}")
  }
}
