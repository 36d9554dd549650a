import TextLayout

extension ItemReader {
  /// The post of an RSS item of any version, also of RSS in JSON, including other vocabularies.
  func rssPost() -> Post {
    let guid = item.line(of: "guid", in: .plain) ?? item.line(of: "id", in: [.atom, .plain])
    let isPermanent = item.first("guid", in: .plain)?.attribute("ispermalink") != "false"
    var address =
      item.line(of: "link", in: .plain)
      ?? item.links("alternate", in: [.atom, .plain]).first?.attribute("href")
    if address == nil, isPermanent, let guid, FeedAddress.isWeb(guid) { address = guid }
    let about = item.attribute("about", in: .rdf)

    var post = Post(id: guid ?? about ?? address ?? "")
    post.url = FeedAddress.lenient(address ?? about, base: base)
    if let title = item.line(of: "title", in: .plain) ?? item.line(of: "title", in: .dublinCore)
      ?? item.line(of: "title", in: .atom)
    {
      post.title = HTMLReader.readTitle(title)
    }
    post.author = Self.rssAuthor(of: item)
    let updated =
      item.line(of: "updated", in: [.atom, .plain]) ?? item.line(of: "modified", in: .dublinCore)
    post.published = date(
      item.line(of: "pubdate", in: .plain), dublinCoreDate,
      item.line(of: "published", in: [.atom, .plain]), item.line(of: "date", in: .plain), updated)
    post.modified = date(updated)
    post.tags = Self.tags(categories(of: item))
    fill(&post, content: rssContent(), media: MediaElements(of: item, base: base))
    return post
  }

  /// The Dublin Core date: `date`, else when the item was issued, created or made available.
  var dublinCoreDate: String? {
    ["date", "issued", "created", "available"].lazy
      .compactMap { item.line(of: $0, in: .dublinCore) }.first
  }

  /// The fullest text of the item: `content:encoded`, XHTML, the description, a podcast's summary.
  private func rssContent() -> HTMLContent? {
    let address = FeedAddress.resolve(item.line(of: "link", in: .plain), base: base) ?? base
    let candidates: [FeedElement?] = [
      item.first("encoded", in: [.content, .plain]), item.first("body", in: .xhtml),
      item.first("div", in: .xhtml), item.first("description", in: .plain),
      item.first("description", in: .dublinCore), item.first("content", in: [.plain, .atom]),
      item.first("summary", in: .itunes), item.first("summary", in: [.atom, .plain]),
      item.first("subtitle", in: .itunes),
    ]
    for element in candidates.compactMap({ $0 }) {
      let content = Self.content(of: element, base: element.base(within: address), as: form)
      if content.hasText || !content.pictures.isEmpty { return content }
    }
    return nil
  }

  /// Reads an element's content: escaped HTML as text, or markup that was not escaped.
  static func content(
    of element: FeedElement, base: String?, as form: ContentForm
  ) -> HTMLContent {
    if element.elements.isEmpty, element.space != .xhtml {
      return HTMLReader.read(element.text, base: base, as: form)
    }
    if form == .source {
      return HTMLReader.read(HTMLWriter.html(ofContent: element), base: base, as: .source)
    }
    var builder = HTMLTextBuilder(base: base, flow: .html)
    replay(element, into: &builder)
    return builder.finish()
  }

  /// Passes an element's content to the builder as if HTML had been parsed.
  ///
  /// - Complexity: O(n); recursion as deep as the XML parser lets elements nest.
  private static func replay(_ element: FeedElement, into builder: inout HTMLTextBuilder) {
    for child in element.children {
      switch child {
      case .text(let text): builder.characters(text)
      case .element(let inner):
        let attributes = HTMLAttributes(
          pairs: inner.attributes.map { (name: $0.name, value: $0.value) })
        let name = ElementName(inner.name)
        builder.start(name, attributes, called: inner.name)
        replay(inner, into: &builder)
        builder.end(name)
      }
    }
  }

  private func categories(of item: FeedElement) -> [String?] {
    let wrapped = item.first("categories", in: .plain)?.elements("category", in: .plain) ?? []
    let own = item.elements("category", in: [.plain, .atom]) + wrapped
    return own.map { $0.line ?? $0.attribute("term") }
      + item.elements("subject", in: .dublinCore).map(\.line)
  }

  /// The author: `dc:creator`s, else `author`, which holds a name, an address, or `address (name)`.
  static func rssAuthor(of item: FeedElement) -> Post.Author? {
    let creators = item.elements("creator", in: .dublinCore).compactMap(\.line)
    if !creators.isEmpty {
      return joined(creators.map { Post.Author(name: PersonName.shown($0)) })
    }
    if let atom = item.first("author", in: .atom) { return atomAuthor(atom, base: nil) }
    if let plain = item.first("author", in: .plain) {
      if let name = plain.line(of: "name", in: .plain) ?? plain.line {
        return Post.Author(name: PersonName.shown(name))
      }
    }
    return item.line(of: "author", in: .itunes).map { Post.Author(name: PersonName.shown($0)) }
  }
}
