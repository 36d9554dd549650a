import HTTP
import TextLayout

/// Activities and objects of ActivityPub, such as those of an archive's outbox, to posts.
///
/// Addresses stand for objects wherever those may stand: what is only named is shown by its address.
struct ActivityReader {
  /// Objects within objects that are read.
  static let maximumDepth = 4

  private let base: String?
  private let offset: Int
  private var oddities: [String] = []
  private var damages: [String] = []

  /// The post in `value`, which stands at `offset` of the source; nil where that is no object of
  /// ActivityPub.
  ///
  /// - Complexity: O(n) in the bytes of its texts.
  static func post(_ value: JSONValue, base: String?, offset: Int) -> Post? {
    if case .string(let address) = value {
      return FeedAddress.isWeb(address) ? Post.link(to: address) : nil
    }
    guard let fields = JSONFields(value), fields.has("type") || fields.has("object") else {
      return nil
    }
    var reader = ActivityReader(base: base, offset: offset)
    var post = reader.post(fields, depth: 0)
    for damage in reader.damages { post.addDamage(damage) }
    post.addOddities(reader.oddities)
    return post
  }

  private init(base: String?, offset: Int) {
    self.base = base
    self.offset = offset
  }

  private mutating func post(_ fields: JSONFields, depth: Int) -> Post {
    let type = type(of: fields)
    let isObject = !fields.has("object") || depth >= Self.maximumDepth
    if isObject { return note(fields, type: type, depth: depth) }
    let inner = fields["object"]
    let actor = fields["actor"].flatMap { author($0) }
    switch type {
    case "Create", "Update", "Add":
      guard let object = JSONFields(inner) else { break }
      var post = self.post(object, depth: depth + 1)
      if post.author == nil { post.author = actor }
      if post.published == nil { post.published = date("published", of: fields) }
      return post
    case "Announce":
      var post = JSONFields(inner).map { self.post($0, depth: depth + 1) } ?? elsewhere(inner)
      if let id = address(fields["id"]) { post.id = id }
      if post.published == nil { post.published = date("published", of: fields) }
      post.repostedBy = actor
      return post
    default: break
    }
    // Whatever else was done is told in a line.
    var post = Post(id: address(fields["id"]) ?? "byte \(offset)")
    post.author = actor
    post.published = date("published", of: fields)
    post.url = address(inner)
    let word = type.isEmpty ? "activity" : type
    post.body.append("\(word)\(post.url == nil ? "" : " ")")
    if let url = post.url {
      post.body.append(url, style: TextStyle(role: .link, link: post.body.addLink(url)))
    }
    return post
  }

  /// An object that is only named.
  private mutating func elsewhere(_ value: JSONValue?) -> Post {
    guard let address = address(value) else {
      oddities.append("object")
      return Post(id: "byte \(offset)")
    }
    var post = Post.link(to: address)
    post.author = Self.author(at: address)
    return post
  }

  // MARK: An object

  private mutating func note(_ note: JSONFields, type: String, depth: Int) -> Post {
    let id = address(note["id"])
    var post = Post(id: id ?? "byte \(offset)")
    post.url = page(of: note) ?? FeedAddress.lenient(id, base: base)
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
    let content = HTMLReader.read(html ?? "", base: post.url ?? base)
    post.body = content.text
    if let damage = content.damage { damages.append(damage) }
    if isWarning, let summary {
      let warning = HTMLReader.read(summary, base: nil).text.plainText
      post.contentWarning = Sanitizing.collapsed(warning)
    }
    post.isSensitive = note.flag("sensitive", &oddities)
    post.published = date("published", of: note)
    post.modified = date("updated", of: note)
    post.language = language(of: note)
    post.inReplyTo = address(note["inReplyTo"])
    let tags = note.objects("tag", &oddities).filter { self.type(of: $0) == "Hashtag" }
    post.tags = ItemReader.tags(
      tags.map { tag in
        tag.text("name", &oddities).map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
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
        JSONFields(quoted).map { self.post($0, depth: depth + 1) } ?? elsewhere(quoted)
      ]
    }
    return post
  }

  private mutating func type(of fields: JSONFields) -> String {
    fields.list("type").lazy.compactMap(\.text).first.map(Sanitizing.line) ?? ""
  }

  /// A text, or the first of those in several languages.
  private mutating func text(_ name: String, of fields: JSONFields) -> String? {
    if let text = fields.words(name, &oddities) { return text }
    return fields.object(name + "Map", &oddities)?.members.lazy.compactMap(\.value.text)
      .first { !$0.isEmpty }
  }

  private mutating func language(of note: JSONFields) -> String? {
    let map = note.object("contentMap", &oddities)
    return map?.members.first.map { Sanitizing.line($0.key) }
  }

  private mutating func date(_ name: String, of fields: JSONFields) -> Double? {
    guard let text = fields.words(name, &oddities) else { return nil }
    if let seconds = DateParser.seconds(text) { return seconds }
    damages.append("not a date: “\(Sanitizing.collapsed(String(text.prefix(60))))”")
    return nil
  }

  private mutating func total(_ name: String, of note: JSONFields) -> Int? {
    JSONFields(note[name])?.count("totalItems", &oddities)
  }

  private mutating func poll(of note: JSONFields) -> Post.Poll? {
    let isMultiple = note.has("anyOf")
    guard isMultiple || note.has("oneOf") else { return nil }
    let options = note.objects(isMultiple ? "anyOf" : "oneOf", &oddities).map { option in
      Post.Poll.Option(
        title: Sanitizing.collapsed(option.text("name", &oddities) ?? ""),
        votes: total("replies", of: option))
    }
    return Post.Poll(
      options: options, voters: isMultiple ? note.count("votersCount", &oddities) : nil,
      closes: date("endTime", of: note) ?? date("closed", of: note))
  }

  private mutating func addMedia(of note: JSONFields, _ content: HTMLContent, to post: inout Post) {
    var pictures = PictureCollector()
    post.attachments = content.attachments
    let media =
      note.objects("attachment", &oddities) + note.list("image").compactMap(JSONFields.init)
    for file in media {
      guard let written = link(in: file) else { continue }
      let type = Sanitizing.line(file.text("mediaType", &oddities) ?? written.type)
      let words = Sanitizing.collapsed(text("name", of: file) ?? "")
      // In an archive addresses begin at its folder.
      let isInArchive = base == nil && URLReference.scheme(of: written.url) == nil
      let own = isInArchive ? String(written.url.drop { $0 == "/" }) : written.url
      guard let url = FeedAddress.lenient(own, base: base) else { continue }
      let isPicture =
        type.isEmpty
        ? self.type(of: file) == "Image" || FeedAddress.looksLikePicture(url)
        : type.hasPrefix("image/")
      if isPicture {
        pictures.add(
          Post.Picture(
            url: url, alternativeText: words, width: file.side("width", &oddities),
            height: file.side("height", &oddities)))
      } else {
        post.attachments.append(Post.Attachment(url: url, mediaType: type, title: words))
      }
    }
    for picture in content.pictures { pictures.add(picture) }
    post.pictures = pictures.result
  }

  // MARK: Addresses

  /// The web page of an object: `url`, of several the one that is HTML.
  private mutating func page(of note: JSONFields) -> String? {
    var first: String?
    for value in note.list("url") {
      let fields = JSONFields(value)
      let written = fields.map { $0.text("href", &oddities) } ?? value.text
      guard let url = FeedAddress.lenient(written, base: base) else { continue }
      if fields == nil || fields?.text("mediaType", &oddities) == "text/html" { return url }
      if first == nil { first = url }
    }
    return first
  }

  /// The address of a file, and its type where it stands there.
  private mutating func link(in file: JSONFields) -> (url: String, type: String)? {
    for value in file.list("url") + file.list("href") {
      if let text = value.text, !text.isEmpty { return (text, "") }
      if let link = JSONFields(value), let url = link.words("href", &oddities) {
        return (url, link.text("mediaType", &oddities) ?? "")
      }
    }
    return nil
  }

  /// The address that `value` is, or that the object in it has.
  private func address(_ value: JSONValue?) -> String? {
    let text = value?.text ?? JSONFields(value)?["id"]?.text
    return text.map(Sanitizing.line).flatMap { $0.isEmpty ? nil : $0 }
  }

  private mutating func author(_ value: JSONValue) -> Post.Author? {
    guard let actor = JSONFields(value) else { return address(value).flatMap(Self.author(at:)) }
    let id = address(value)
    var author = id.flatMap(Self.author(at:)) ?? Post.Author(name: "")
    if let own = actor.words("preferredUsername", &oddities) {
      let host = FeedAddress.host(of: id).map { "@\($0)" } ?? ""
      author.handle = "@" + Sanitizing.collapsed(own) + host
    }
    let name = Sanitizing.collapsed(text("name", of: actor) ?? "")
    if !name.isEmpty { author.name = name }
    author.url = page(of: actor) ?? id
    let icon = actor.list("icon").lazy.compactMap { JSONFields($0) }.first
    author.avatar = FeedAddress.resolve(icon.flatMap { link(in: $0)?.url }, base: base)
    return author.name.isEmpty && author.handle.isEmpty ? nil : author
  }

  /// Who an address belongs to: `https://host/users/NAME`, `https://host/@NAME`, also with more behind.
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
