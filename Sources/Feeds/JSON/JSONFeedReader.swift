import HTTP
import TextLayout

extension JSONFormat {
  /// JSON Feed, and RSS in JSON, whose items ``ItemReader`` reads.
  static let feed = JSONFormat(
    documents: "JSON Feed",
    signs: [
      "content_text": .any, "content_html": .any, "date_published": .any, "date_modified": .any,
      "external_url": .any,
    ],
    isDocument: { member in
      switch member.name {
      case "rss": member.isObject
      case "items": member.isList
      case "version": member.text?.contains("jsonfeed.org") == true
      default: false
      }
    },
    items: .list("items"), path: ["rss", "channel"], head: JSONFeedReader.head,
    post: { value, item in
      JSONFeedReader(base: item.base, offset: item.offset, form: item.form).post(value)
    },
    generatedTexts: JSONFeedReader.Wording.texts)
}

/// Converts items of JSON Feed to posts, including the `_tideline` members that ``PostWriter``
/// writes.
///
/// Every field is optional. Numbers are accepted as text.
struct JSONFeedReader {
  /// The depth of nested items that are read: as deep as ``PostWriter`` writes posts of other
  /// networks. Of a deeper item only the address is read.
  static let maximumDepth = 5

  let base: String?
  let offset: Int
  let form: ContentForm

  /// The texts that it adds.
  enum Wording: String, GeneratedText {
    case quotedPost = "quoted post"
  }

  /// The metadata of a document.
  static func head(of document: DocumentHead, base: String?) -> FeedHead {
    let title = Sanitizing.collapsed(
      HTMLReader.decodingEntities(document.value("title")?.text ?? ""))
    var info = TimelineInfo(title: title)
    info.homePage = FeedAddress.lenient(document.value("home_page_url")?.text, base: base)
    info.feedURL = FeedAddress.lenient(document.value("feed_url")?.text, base: base)
    let own = info.feedURL ?? info.homePage ?? base
    info.nextPage = FeedAddress.lenient(document.value("next_url")?.text, base: own)
    info.icon =
      FeedAddress.resolve(document.value("icon")?.text, base: own)
      ?? FeedAddress.resolve(document.value("favicon")?.text, base: own)
    info.language = document.value("language")?.text.map(Sanitizer.line)
    let itemBase = info.homePage ?? info.feedURL ?? base
    let read = { (value: JSONValue) in Self.author(value, base: itemBase) }
    var authors: [Post.Author] = []
    if case .array(let list) = document.value("authors") { authors = list.compactMap(read) }
    if authors.isEmpty { authors = document.value("author").flatMap(read).map { [$0] } ?? [] }
    let author = ItemReader.joined(authors.compactMap(\.named))
    return FeedHead(info: info, author: author, base: itemBase)
  }

  /// The post in `value`, which stands at `offset` of the source; `nil` if `value` is not an
  /// object, or has no field that JSON Feed defines.
  ///
  /// - Complexity: O(n) in the bytes of its texts.
  func post(_ value: JSONValue) -> Post? {
    let notes = ItemDiagnostics()
    guard let item = JSONFields(value, notes: notes) else { return nil }
    let post = post(item, notes, depth: 0)
    let isRecognized =
      Self.names.contains(where: item.has) || !item.list("attachments").isEmpty
      || !notes.mistypedFields.isEmpty
    return isRecognized ? post : nil
  }

  /// Members by which an object is recognized as an item; one suffices.
  static let names = [
    "id", "url", "external_url", "title", "content_html", "content_text", "summary", "image",
    "banner_image", "date_published", "_tideline",
  ]

  private func post(_ item: JSONFields, _ notes: ItemDiagnostics, depth: Int) -> Post {
    var post = Post(id: item.text("id") ?? "byte \(offset)")
    let address = item.text("url")
    let itemBase = FeedAddress.resolve(address, base: base) ?? base
    post.url = FeedAddress.lenient(address, base: base)
    post.externalURL = FeedAddress.lenient(item.text("external_url"), base: base)
    post.title = StyledText(
      Sanitizing.collapsed(HTMLReader.decodingEntities(item.text("title") ?? "")))
    let authors = item.list("authors") { Self.author($0, base: base) }
    let author = item.list("author") { Self.author($0, base: base) }
    post.author = ItemReader.joined((authors.isEmpty ? author : authors).compactMap(\.named))
    post.tags = ItemReader.tags(item.list("tags", \.text))
    post.language = item.text("language")
    var content = HTMLContent()
    if let html = item.text("content_html") {
      content = HTMLReader.read(html, base: itemBase, as: form)
    }
    let (text, summary) = (item.text("content_text"), item.text("summary"))
    if !content.hasText, let text = text ?? summary {
      let plain = HTMLContent.plain(text, as: form)
      (content.text, content.source) = (plain.text, plain.source)
      content.damage = plain.damage ?? content.damage
    }
    content.fill(&post)
    if let damage = content.damage { notes.damages.append(damage) }
    addMedia(of: item, content, base: itemBase, to: &post)
    post.published = item.date("date_published", "date_modified")
    post.modified = item.date("date_modified")
    if let own = item.object("_tideline")?.recordingProblems(nil) {
      add(own, notes, to: &post, depth: depth)
    }
    notes.mistypedFields = item.members.map(\.key).filter(notes.mistypedFields.contains)
    notes.mark(&post)
    return post
  }

  /// Reads the `_tideline` members that ``PostWriter`` wrote.
  private func add(_ own: JSONFields, _ notes: ItemDiagnostics, to post: inout Post, depth: Int) {
    post.contentWarning = own.text("warning").map(Sanitizing.collapsed)
    post.isSensitive = own.flag("sensitive")
    post.filter = own.text("filter").map(Sanitizing.collapsed)
    post.inReplyTo = own.text("in_reply_to")
    post.source = own.text("source").map(Sanitizing.collapsed)
    post.repostedBy = own["reposted_by"].flatMap { Self.author($0, base: base) }?.named
    post.counts = own.object("counts").map { counts in
      Post.Counts(
        replies: counts.count("replies"), reposts: counts.count("reposts"),
        likes: counts.count("likes"))
    }
    post.poll = own.object("poll").map { poll in
      let options = poll.objects("options").map { option in
        Post.Poll.Option(title: option.line("title"), votes: option.count("votes"))
      }
      return Post.Poll(
        options: options, voters: poll.count("voters"), closes: poll.date("closes"))
    }
    post.card = own.object("card").flatMap { card in
      FeedAddress.lenient(card.text("url"), base: base).map { url in
        Post.Card(url: url, title: card.line("title"))
      }
    }
    post.quotes = own.list("quotes").compactMap { value in
      let notes = ItemDiagnostics()
      guard let item = JSONFields(value, notes: notes) else { return nil }
      guard depth < Self.maximumDepth else {
        return (item.text("url") ?? item.text("id")).map { .link(to: $0) }
          ?? .absent(id: "byte \(offset)", Wording.quotedPost)
      }
      return self.post(item, notes, depth: depth + 1)
    }
    if let error = own.text("error") { notes.damages.append(Sanitizing.collapsed(error)) }
  }

  /// An author, written as an object or as a name; `nil` for anything else.
  static func author(_ value: JSONValue, base: String?) -> Post.Author? {
    if case .string(let name) = value {
      return Post.Author(name: PersonName.shown(name))
    }
    guard let author = JSONFields(value) else { return nil }
    return Post.Author(
      name: PersonName.shown(author.text("name") ?? ""),
      handle: author.object("_tideline")?.line("handle") ?? "",
      url: FeedAddress.lenient(author.text("url"), base: base),
      avatar: FeedAddress.resolve(author.text("avatar"), base: base))
  }

  private func addMedia(
    of item: JSONFields, _ content: HTMLContent, base: String?, to post: inout Post
  ) {
    var pictures = PictureCollector()
    for address in [item.text("image"), item.text("banner_image")] {
      guard let url = FeedAddress.picture(address, base: base) else { continue }
      pictures.add(Post.Picture(url: url))
    }
    post.attachments = content.attachments
    var attached = Set(content.attachments.map(\.url))
    for file in item.objects("attachments").map({ $0.recordingProblems(nil) }) {
      let address = file.text("url")
      let type = Sanitizer.line(file.text("mime_type") ?? "")
      let title = file.line("title")
      if FeedAddress.isPicture(address, type: type) {
        // JSON Feed defines no size; feeds that give one use the names of Media RSS.
        let sized = file.object("_tideline") ?? file
        pictures.add(
          Post.Picture(
            url: FeedAddress.picture(address, base: base) ?? "", alternativeText: title,
            width: sized.side("width"),
            height: sized.side("height")))
      } else if let url = FeedAddress.resolve(address, base: base), attached.insert(url).inserted {
        post.attachments.append(
          Post.Attachment(
            url: url, mediaType: type, title: title,
            byteCount: file.number("size_in_bytes").flatMap { Int(exactly: $0.rounded()) },
            duration: file.number("duration_in_seconds")))
      }
    }
    for picture in content.pictures { pictures.add(picture) }
    post.pictures = pictures.result
  }
}
