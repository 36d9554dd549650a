import TextLayout

extension ItemReader {
  /// The post of an Atom entry, 1.0 or 0.3.
  func atomPost() -> Post {
    let alternates = item.links("alternate", in: [.atom, .plain])
    let alternate =
      alternates.first { ($0.attribute("type") ?? "text/html").contains("html") }
      ?? alternates.first
    let id =
      item.line(of: "id", in: [.atom, .plain]) ?? item.line(of: "guid", in: [.atom, .plain])
    // Some entries have links as in RSS, with the address as text.
    let address = alternate?.attribute("href") ?? item.line(of: "link", in: [.atom, .plain])
    var post = Post(id: id ?? address ?? "")
    post.url = FeedAddress.lenient(address, base: alternate?.base(within: base))
    if post.url == nil, let id, FeedAddress.isWeb(id) { post.url = id }
    if let title = item.first("title", in: [.atom, .plain]) { post.title = atomTitle(title) }
    post.author = Self.joined(
      item.elements("author", in: [.atom, .plain]).compactMap { Self.atomAuthor($0, base: base) })
    if post.author == nil, let source = item.first("source", in: .atom) {
      post.author = source.first("author", in: .atom).flatMap { Self.atomAuthor($0, base: base) }
    }
    post.author = post.author ?? Self.rssAuthor(of: item)
    let updated =
      item.line(of: "updated", in: [.atom, .plain]) ?? item.line(of: "modified", in: .atom)
    post.published = date(
      item.line(of: "published", in: [.atom, .plain]), item.line(of: "issued", in: .atom),
      updated, item.line(of: "created", in: .atom), dublinCoreDate,
      item.line(of: "pubdate", in: [.atom, .plain]))
    post.modified = date(updated, item.line(of: "modified", in: .dublinCore))
    post.tags = Self.tags(
      item.elements("category", in: [.atom, .plain]).map {
        $0.attribute("label") ?? $0.attribute("term") ?? $0.line
      })
    var media = MediaElements(of: item, base: base)
    let content = atomContent(&media, base: post.url ?? base)
    fill(&post, content: content, media: media)
    return post
  }

  private func atomTitle(_ title: FeedElement) -> StyledText {
    switch title.attribute("type")?.lowercased() {
    case "html", "text/html": return HTMLReader.readTitle(title.line ?? "", isDeclared: true)
    case "xhtml", "application/xhtml+xml":
      return StyledText(Sanitizing.collapsed(title.text))
    case nil: return HTMLReader.readTitle(title.line ?? "")
    default:
      // Plain text; entities in it show that it was escaped once too often.
      return StyledText(HTMLReader.decodingEntities(title.line ?? ""))
    }
  }

  /// The first of `content`, `content:encoded`, `summary` and `description` that shows anything.
  /// Content at another address (`src`) becomes a picture or an attachment.
  private func atomContent(_ media: inout MediaElements, base: String?) -> HTMLContent? {
    let candidates = [
      item.first("content", in: [.atom, .plain]), item.first("encoded", in: .content),
      item.first("summary", in: [.atom, .plain]), item.first("description", in: [.atom, .plain]),
    ]
    var elsewhere: HTMLContent?
    for element in candidates.compactMap({ $0 }) {
      let own = element.base(within: base)
      let type = element.attribute("type") ?? "text"
      let source = element.attribute("src")
      if type.lowercased().hasPrefix("image/"), let url = FeedAddress.picture(source, base: own) {
        elsewhere = HTMLContent(pictures: [Post.Picture(url: url)])
        continue
      }
      if let url = FeedAddress.resolve(source, base: own) {
        elsewhere = HTMLContent(attachments: [Post.Attachment(url: url, mediaType: type)])
        guard element.line != nil else { continue }
      }
      var content: HTMLContent
      if type == "text" || type == "text/plain",
        element.name == "content" || element.name == "summary"
      {
        content = .plain(element.text, as: form)
      } else {
        content = Self.content(of: element, base: own, as: form)
      }
      if !content.hasText, content.pictures.isEmpty, content.attachments.isEmpty { continue }
      if let elsewhere {
        content.pictures += elsewhere.pictures
        content.attachments += elsewhere.attachments
      }
      return content
    }
    return elsewhere
  }

  static func atomAuthor(_ element: FeedElement, base: String?) -> Post.Author? {
    let email = element.line(of: "email", in: [.atom, .plain]) ?? ""
    let name = element.line(of: "name", in: [.atom, .plain]) ?? element.line ?? email
    guard !name.isEmpty else { return nil }
    let address =
      element.line(of: "uri", in: [.atom, .plain]) ?? element.line(of: "url", in: [.atom, .plain])
    return Post.Author(
      name: PersonName.shown(name), url: FeedAddress.lenient(address, base: base))
  }
}
