import HTTP
import TextLayout

/// Reads an XML item into a post: the part that RSS and Atom share.
struct ItemReader {
  let item: FeedElement
  /// The address that relative addresses are resolved against.
  let base: String?
  let notes = ItemDiagnostics()
  let form: ContentForm

  init(item: FeedElement, base: String?, as form: ContentForm) {
    self.item = item
    self.base = item.base(within: base)
    self.form = form
  }

  /// The post. `damage` is the parser's message about the item.
  func post(damage: String?) -> Post {
    if let damage { notes.damages.append(damage) }
    var post = isAtom ? atomPost() : rssPost()
    if let answered = item.first("in-reply-to", in: .thread) {
      post.inReplyTo = answered.attribute("href") ?? answered.attribute("ref")
    }
    if let language = item.attribute("lang", in: .xml) ?? item.line(of: "language", in: .dublinCore)
    {
      post.language = language
    }
    if post.id.isEmpty {
      // The id must not depend on the form in which the item is read.
      let text = form == .styled ? post.body : ItemReader(item: item, base: base, as: .styled).body
      post.id = Sanitizing.hash([
        post.url ?? "", post.title.plainText, text.plainText,
        post.published.map { "\($0)" } ?? "", post.attachments.first?.url ?? "",
      ])
    }
    notes.mark(&post)
    return post
  }

  private var body: StyledText { (isAtom ? atomPost() : rssPost()).body }

  private var isAtom: Bool { item.space == .atom || item.name == "entry" }

  /// Fills in the text and the media of the item.
  func fill(_ post: inout Post, content: HTMLContent?, media: MediaElements) {
    var media = media
    var content = content
    if content?.hasText != true, let described = media.words(as: form) {
      content?.text = described.text
      content?.source = described.source
      if content == nil { content = described }
    }
    if let content {
      media.add(content)
      content.fill(&post)
      if let damage = content.damage { notes.damages.append(damage) }
    }
    post.pictures = media.pictures.result
    post.attachments = media.attachments
    post.contentWarning = media.contentWarning
  }

  /// The first of `texts` that is a readable date; if there are only unreadable ones, the post is
  /// marked.
  func date(_ texts: String?...) -> Double? {
    notes.date(texts.compactMap { $0 }.filter { !$0.isEmpty })
  }

  /// The words of the item's categories as tags, without duplicates.
  static func tags(_ words: [String?]) -> [String] {
    var seen: Set<String> = []
    return words.compactMap { word in
      let tag = Sanitizing.collapsed(HTMLReader.decodingEntities(word ?? ""))
      return tag.isEmpty || !seen.insert(tag).inserted ? nil : tag
    }
  }

  /// Several authors as one: their names separated by commas, and the first one's address.
  static func joined(_ authors: [Post.Author]) -> Post.Author? {
    guard var author = authors.first else { return nil }
    var seen: Set<String> = [""]
    author.name = authors.map(\.name).filter { seen.insert($0).inserted }.joined(separator: ", ")
    return author.named
  }
}
