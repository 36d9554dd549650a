import TextLayout

/// Reads the metadata of RSS and Atom feeds, and words their errors.
enum XMLFeedReader {
  /// - Parameter isInItem: whether lines are counted from the item's first one.
  static func reason(_ fault: XMLFeedParser.Fault, isInItem: Bool = false) -> String {
    guard fault.line > 0 else { return fault.message }
    let place = "line \(fault.line)\(isInItem ? " of the item" : "")"
    return "XML error in \(place): \(fault.message)"
  }

  static func author(of channel: FeedElement) -> Post.Author? {
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
      ?? channel.links("alternate", in: [.atom, .plain]).first?.attribute("href")
    return FeedAddress.lenient(link, base: base)
  }

  /// The feed's metadata. Addresses of items are relative to its home page.
  static func head(of channel: FeedElement, in root: FeedElement, base: String?) -> FeedHead {
    let title = channel.line(of: "title", in: [.plain, .atom, .dublinCore]) ?? ""
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
      channel.line(of: "language", in: [.plain, .dublinCore]) ?? root.attribute("lang", in: .xml)
    info.schedule = FeedSchedule(of: channel)
    if let language, !language.isEmpty { info.language = Sanitizer.line(language) }
    return FeedHead(info: info, author: author(of: channel), base: info.homePage ?? base)
  }
}
