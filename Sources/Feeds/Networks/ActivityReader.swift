import HTTP
import TextLayout

extension JSONFormat {
  /// Collections of ActivityPub.
  static let activityPub = JSONFormat(
    documents: "collections of ActivityPub",
    signs: [
      "actor": .any, "object": .any, "attributedTo": .any, "to": .any, "cc": .any,
      "@context": .any, "inReplyTo": .any,
    ],
    types: [
      "Create", "Announce", "Update", "Add", "Like", "Delete", "Undo", "Note", "Article", "Page",
      "Question", "Image", "Video", "Audio", "Event", "Document",
    ],
    isDocument: { member in
      switch member.name {
      case "orderedItems": member.isList
      case "items":
        member.isList
          && (member.itemFormat == .activitypub || member.names.contains("@context"))
      case "type": member.text.map(ActivityReader.collections.contains) ?? false
      default: false
      }
    },
    items: .lists(["orderedItems", "items"]), path: ["first"],
    head: { head, base in
      var info = TimelineInfo()
      info.feedURL = head.address("id", base: base)
      info.nextPage = head.address("next", base: base)
      if info.nextPage == nil, !head.hasItems { info.nextPage = head.address("first", base: base) }
      return FeedHead(info: info, base: base)
    },
    post: { value, item in ActivityReader(item: item).post(value) },
    generatedTexts: ActivityReader.Wording.texts)
}

/// Converts activities and objects of ActivityPub to posts, such as those in an archive's outbox.
///
/// An address may stand in place of any object; the post then shows the address.
struct ActivityReader {
  let item: JSONItemContext

  /// The types of collections.
  fileprivate static let collections: Set<String> = [
    "OrderedCollection", "OrderedCollectionPage", "Collection", "CollectionPage",
  ]

  /// The texts that it adds.
  enum Wording: String, GeneratedText {
    /// An activity without a type.
    case activity = "activity"
  }

  /// The post in `value`, which stands at `offset` of the source; `nil` if that is neither an
  /// object of ActivityPub nor the address of one.
  ///
  /// - Complexity: O(n) in the bytes of its texts.
  func post(_ value: JSONValue) -> Post? {
    if case .string(let address) = value {
      return FeedAddress.isWeb(address) ? Post.link(to: address) : nil
    }
    guard let fields = item.fields(value), fields.has("type") || fields.has("object") else {
      return nil
    }
    return post(fields, depth: 0)
  }

  private func post(_ fields: JSONFields, depth: Int) -> Post {
    let type = type(of: fields)
    let isObject = !fields.has("object") || depth >= FeedLimits.nestedPosts
    if isObject { return note(fields, type: type, depth: depth) }
    let inner = fields["object"]
    let actor = fields["actor"].flatMap { author($0) }
    switch type {
    case "Create", "Update", "Add":
      guard let object = item.fields(inner) else { break }
      var post = self.post(object, depth: depth + 1)
      if post.author == nil { post.author = actor }
      if post.published == nil { post.published = fields.date("published") }
      return post
    case "Announce":
      var post = item.fields(inner).map { self.post($0, depth: depth + 1) } ?? elsewhere(inner)
      if let id = address(fields["id"]) { post.id = id }
      if post.published == nil { post.published = fields.date("published") }
      post.repostedBy = actor
      return post
    default: break
    }
    // Any other activity is shown as a line: its type and the address of its object.
    var post = Post(id: address(fields["id"]) ?? "byte \(item.offset)")
    post.author = actor
    post.published = fields.date("published")
    post.url = address(inner)
    let word = type.isEmpty ? Wording.activity.text : type
    post.body.append("\(word)\(post.url == nil ? "" : " ")")
    if let url = post.url {
      post.body.append(url, style: TextStyle(role: .link, link: post.body.addLink(url)))
    }
    return post
  }

  /// The post of an object of which only the address is given.
  private func elsewhere(_ value: JSONValue?) -> Post {
    guard let address = address(value) else {
      item.notes.mistypedFields.append("object")
      return Post(id: "byte \(item.offset)")
    }
    var post = Post.link(to: address)
    post.author = Self.author(at: address)
    return post
  }

  // MARK: Objects

  private func note(_ note: JSONFields, type: String, depth: Int) -> Post {
    let id = address(note["id"])
    var post = Post(id: id ?? "byte \(item.offset)")
    post.url = page(of: note) ?? FeedAddress.lenient(id, base: item.base)
    for value in note.list("attributedTo") + note.list("actor") where post.author == nil {
      post.author = author(value)
    }
    if type != "Note", let title = text("name", of: note) {
      post.title = HTMLReader.readTitle(title)
    }
    let summary = text("summary", of: note)
    let isWarning = type == "Note" || type == "Question"
    var html = text("content", of: note)
    if html == nil, !isWarning { html = summary }
    let content = HTMLReader.read(html ?? "", base: post.url ?? item.base, as: item.form)
    content.fill(&post)
    if let damage = content.damage { item.notes.damages.append(damage) }
    if isWarning, let summary {
      let warning = HTMLReader.read(summary, base: nil).text.plainText
      post.contentWarning = Sanitizing.collapsed(warning)
    }
    post.isSensitive = note.flag("sensitive")
    post.published = note.date("published")
    post.modified = note.date("updated")
    post.language = language(of: note)
    post.inReplyTo = address(note["inReplyTo"])
    let tags = note.objects("tag").filter { self.type(of: $0) == "Hashtag" }
    post.tags = ItemReader.tags(
      tags.map { tag in
        tag.text("name").map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
      })
    let counts = Post.Counts(
      replies: total("replies", of: note), reposts: total("shares", of: note),
      likes: total("likes", of: note))
    post.counts = counts.isEmpty ? nil : counts
    addMedia(of: note, content, to: &post)
    post.poll = poll(of: note)
    for name in ["quote", "quoteUrl", "quoteUri", "_misskey_quote"] where post.quotes.isEmpty {
      guard let quoted = note[name] else { continue }
      post.quotes = [
        item.fields(quoted).map { self.post($0, depth: depth + 1) } ?? elsewhere(quoted)
      ]
    }
    return post
  }

  private func type(of fields: JSONFields) -> String {
    fields.list("type").lazy.compactMap(\.text).first.map(Sanitizer.line) ?? ""
  }

  /// A text, or the first of its translations.
  private func text(_ name: String, of fields: JSONFields) -> String? {
    if let text = fields.words(name) { return text }
    return fields.object(name + "Map")?.members.lazy.compactMap(\.value.text)
      .first { !$0.isEmpty }
  }

  private func language(of note: JSONFields) -> String? {
    let map = note.object("contentMap")
    return map?.members.first?.key
  }

  private func total(_ name: String, of note: JSONFields) -> Int? {
    item.fields(note[name])?.count("totalItems")
  }

  private func poll(of note: JSONFields) -> Post.Poll? {
    let isMultiple = note.has("anyOf")
    guard isMultiple || note.has("oneOf") else { return nil }
    let options = note.objects(isMultiple ? "anyOf" : "oneOf").map { option in
      Post.Poll.Option(
        title: option.line("name"),
        votes: total("replies", of: option))
    }
    return Post.Poll(
      options: options, voters: isMultiple ? note.count("votersCount") : nil,
      closes: note.date("endTime") ?? note.date("closed"))
  }

  private func addMedia(of note: JSONFields, _ content: HTMLContent, to post: inout Post) {
    var pictures = PictureCollector()
    post.attachments = content.attachments
    let media =
      note.objects("attachment") + note.list("image").compactMap(item.fields)
    for file in media {
      let written = link(in: file) ?? ("", "")
      let type = Sanitizer.line(file.text("mediaType") ?? written.type)
      let words = Sanitizing.collapsed(text("name", of: file) ?? "")
      // Addresses in an archive are relative to its folder.
      let isInArchive = item.base == nil && URLReference.scheme(of: written.url) == nil
      let own = isInArchive ? String(written.url.drop { $0 == "/" }) : written.url
      let isNamedPicture = type.isEmpty && self.type(of: file) == "Image"
      if isNamedPicture || FeedAddress.isPicture(own, type: type) {
        var shown = Post.Picture(
          url: FeedAddress.picture(own, base: item.base) ?? "", alternativeText: words,
          width: file.side("width"), height: file.side("height"))
        shown.blurHash = file.blurHash
        pictures.add(shown)
      } else if let url = FeedAddress.lenient(own, base: item.base) {
        post.attachments.append(Post.Attachment(url: url, mediaType: type, title: words))
      }
    }
    for picture in content.pictures { pictures.add(picture) }
    post.pictures = pictures.result
  }

  // MARK: Addresses

  /// The web page of an object: its `url`; of several, the one that is HTML.
  private func page(of note: JSONFields) -> String? {
    var first: String?
    for value in note.list("url") {
      let fields = item.fields(value)
      let written = fields.map { $0.text("href") } ?? value.text
      guard let url = FeedAddress.lenient(written, base: item.base) else { continue }
      if fields == nil || fields?.text("mediaType") == "text/html" { return url }
      if first == nil { first = url }
    }
    return first
  }

  /// The address of a file, and its media type if it stands beside the address.
  private func link(in file: JSONFields) -> (url: String, type: String)? {
    for value in file.list("url") + file.list("href") {
      if let text = value.text, !text.isEmpty { return (text, "") }
      if let link = item.fields(value), let url = link.words("href") {
        return (url, link.text("mediaType") ?? "")
      }
    }
    return nil
  }

  /// The address in `value`: a string, or the `id` of an object.
  private func address(_ value: JSONValue?) -> String? {
    let text = value?.text ?? JSONFields(value)?["id"]?.text
    return text.map(Sanitizer.line).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The account that owns an archive; the address of its picture is relative to the archive's
  /// folder.
  func owner(_ value: JSONValue) -> Post.Author? {
    guard var owner = author(value), let fields = item.fields(value) else { return nil }
    let icon = fields.list("icon").lazy.compactMap(item.fields).first
    owner.avatar = icon.flatMap { FeedAddress.lenient(link(in: $0)?.url, base: nil) }
    return owner
  }

  private func author(_ value: JSONValue) -> Post.Author? {
    guard let actor = item.fields(value) else { return address(value).flatMap(Self.author(at:)) }
    let id = address(value)
    var author = id.flatMap(Self.author(at:)) ?? Post.Author(name: "")
    if let own = actor.words("preferredUsername") {
      let host = FeedAddress.host(of: id).map { "@\($0)" } ?? ""
      author.handle = "@" + Sanitizing.collapsed(own) + host
    }
    let name = Sanitizing.collapsed(text("name", of: actor) ?? "")
    if !name.isEmpty { author.name = name }
    author.url = page(of: actor) ?? id
    let icon = actor.list("icon").lazy.compactMap(item.fields).first
    author.avatar = FeedAddress.resolve(icon.flatMap { link(in: $0)?.url }, base: item.base)
    return author.named
  }

  /// The account at an address such as `https://host/users/NAME` or `https://host/@NAME`, even if
  /// the path continues.
  static func author(at address: String) -> Post.Author? {
    guard let host = FeedAddress.host(of: address) else { return nil }
    let path = FeedAddress.path(of: address)
    var name = path.first { $0.hasPrefix("@") }.map { $0.dropFirst() }
    if name == nil, let users = path.firstIndex(where: { $0 == "users" || $0 == "u" }) {
      name = path[(users + 1)...].first
    }
    guard let name, !name.isEmpty else { return nil }
    let own = Sanitizing.collapsed(String(name))
    return Post.Author(name: own, handle: "@\(own)@\(host)", url: nil)
  }
}
