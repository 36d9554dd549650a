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
    let bytes = CharacterReferences.repaired(
      start == 0 ? text.bytes : Array(text.bytes[start...]))
    var pass = Pass(bytes, firstLine: firstLine, baseURL: baseURL)
    if pass.parser.hasBareAmpersand || pass.parser.hasMismatchedTag {
      let whole = pass.parser.hasBareAmpersand ? AmpersandRepair.repaired(bytes) : bytes
      let repair = pass.parser.hasMismatchedTag ? TagRepair(whole, firstLine: firstLine) : nil
      pass = Pass(repair?.bytes ?? whole, repair, firstLine: firstLine, baseURL: baseURL)
    }
    var document = try document(pass, format: format)
    guard let root = pass.parser.root else {
      throw FeedError(.nothingReadable(reason: "no element", place: .line(1)))
    }
    let channel = root.first("channel", in: .plain) ?? root
    document.complete(
      head(of: channel, in: root, base: baseURL), isRepaired: text.firstRepair != nil)
    return document
  }

  /// One pass of the parser and the posts it found.
  private struct Pass {
    let parser: XMLFeedParser
    let posts: [Post]
    /// The first error within an item.
    let firstFault: XMLFeedParser.Fault?

    init(_ bytes: [UInt8], _ repair: TagRepair? = nil, firstLine: Int, baseURL: String?) {
      var posts: [Post] = []
      var firstFault: XMLFeedParser.Fault?
      parser = XMLFeedParser(repair: repair) { item, parent, fault in
        if firstFault == nil { firstFault = fault }
        let reader = ItemReader(item: item, base: Self.base(within: parent, baseURL))
        posts.append(reader.post(damage: fault.map(XMLFeedReader.reason)))
      }
      parser.parse(bytes, firstLine: firstLine)
      (self.posts, self.firstFault) = (posts, firstFault)
    }

    private static func base(within parent: FeedElement?, _ baseURL: String?) -> String? {
      guard let parent else { return baseURL }
      return FeedAddress.resolve(parent.attribute("base", in: .xml), base: baseURL)
        ?? XMLFeedReader.homePage(of: parent, base: baseURL) ?? baseURL
    }
  }

  fileprivate static func reason(_ fault: XMLFeedParser.Fault) -> String {
    guard fault.line > 0 else { return fault.message }
    return "XML error in line \(fault.line): \(fault.message)"
  }

  private static func document(
    _ pass: Pass, format: FeedFormat
  ) throws(FeedError) -> FeedDocument {
    var posts = pass.posts
    if let fault = pass.parser.fault {
      guard !posts.isEmpty else {
        throw FeedError(.nothingReadable(reason: fault.message, place: .line(fault.line)))
      }
      var mark = Post(id: "damage in line \(fault.line)")
      mark.damage = reason(fault)
      posts.append(mark)
    }
    if !posts.isEmpty, posts.allSatisfy({ $0.damage != nil && $0.isBlank }),
      let fault = pass.firstFault ?? pass.parser.fault
    {
      throw FeedError(
        .nothingReadable(
          reason: fault.message, place: .line(max(1, fault.line))))
    }
    return FeedDocument(format: format, posts: posts)
  }

  private static func author(of channel: FeedElement) -> Post.Author? {
    let atom = channel.first("author", in: .atom).flatMap {
      ItemReader.atomAuthor($0, base: nil)
    }
    return atom ?? channel.line(of: "managingeditor", in: .plain).map {
      Post.Author(name: PersonName.shown($0))
    }
      ?? ItemReader.rssAuthor(of: channel)
  }

  private static func homePage(of channel: FeedElement, base: String?) -> String? {
    let link =
      channel.line(of: "link", in: .plain)
      ?? channel.links("alternate", in: .atom, .plain).first?.attribute("href")
    return FeedAddress.lenient(link, base: base)
  }

  /// What a feed says about itself. Addresses of items are relative to its home page.
  static func head(of channel: FeedElement, in root: FeedElement, base: String?) -> FeedHead {
    let title = channel.line(of: "title", in: .plain, .atom, .dublinCore) ?? ""
    var info = TimelineInfo(title: HTMLReader.readTitle(title).plainText)
    info.homePage = homePage(of: channel, base: base)
    let address = { (relation: String) in
      FeedAddress.lenient(
        channel.links(relation, in: .atom).first?.attribute("href"), base: root.base(within: base))
    }
    (info.feedURL, info.nextPage) = (address("self"), address("next"))
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
    return FeedHead(info: info, author: author(of: channel), base: info.homePage ?? base)
  }
}
