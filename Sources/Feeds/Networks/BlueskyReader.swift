import HTTP
import TextLayout

/// Posts of Bluesky's API to posts: elements of a feed (`post`, `reply`, `reason`), posts by themselves,
/// and the records that posts quote.
struct BlueskyReader {
  /// Records within records that are read; of one further inside only the address is.
  static let maximumDepth = 4

  private let base: String?
  private let offset: Int
  private var oddities: [String] = []
  private var damages: [String] = []

  /// The post in `value`, which stands at `offset` of the source; nil where that is no post.
  ///
  /// - Complexity: O(n) in the bytes of its texts.
  static func post(_ value: JSONValue, base: String?, offset: Int) -> Post? {
    guard let fields = JSONFields(value) else { return nil }
    let element = JSONFields(fields["post"])
    let view = element ?? fields
    guard view.has("uri"), JSONFields(view["record"] ?? view["value"]) != nil else { return nil }
    var reader = BlueskyReader(base: base, offset: offset)
    var post = reader.post(view, depth: 0)
    if element != nil { reader.addReason(of: fields, to: &post) }
    for damage in reader.damages { post.addDamage(damage) }
    post.addOddities(reader.oddities)
    return post
  }

  private init(base: String?, offset: Int) {
    self.base = base
    self.offset = offset
  }

  /// A post with its author and counts (`record`), or as it stands in another one (`value`).
  private mutating func post(_ view: JSONFields, depth: Int) -> Post {
    let uri = view.words("uri", &oddities).map(Sanitizing.line)
    var post = Post(id: uri ?? "byte \(offset)")
    let account = view.object("author", &oddities)
    post.author = account.flatMap { author($0) }
    post.url = uri.flatMap { Self.page(of: $0) }
    let record = view.object(view.has("record") ? "record" : "value", &oddities)
    var labels: [JSONFields] = []
    if let record {
      let text = BlueskyText(
        record.text("text", &oddities) ?? "", facets: record.objects("facets", &oddities))
      post.body = text.styled
      if let damage = text.damage { damages.append(damage) }
      post.tags = ItemReader.tags(text.tags + record.list("tags").map(\.text))
      post.language = record.list("langs").lazy.compactMap(\.text).first.map(Sanitizing.line)
      post.inReplyTo = record.object("reply", &oddities)?.object("parent", &oddities)?
        .words("uri", &oddities).map(Sanitizing.line)
      labels = record.object("labels", &oddities)?.objects("values", &oddities) ?? []
    }
    // When it was seen stands in for a time its author left out, or got wrong.
    post.published =
      date(record?.words("createdAt", &oddities)) ?? date(view.words("indexedAt", &oddities))
    addLabels(labels + view.objects("labels", &oddities), to: &post)
    let counts = Post.Counts(
      replies: view.count("replyCount", &oddities), reposts: view.count("repostCount", &oddities),
      likes: view.count("likeCount", &oddities))
    post.counts = counts.isEmpty ? nil : counts
    // Quoted records have a list of what is embedded in them.
    let embeds = view.objects("embed", &oddities) + view.objects("embeds", &oddities)
    for embed in embeds { add(embed, to: &post, depth: depth) }
    return post
  }

  private mutating func author(_ account: JSONFields) -> Post.Author? {
    let handle = Sanitizing.collapsed(account.words("handle", &oddities) ?? "")
    let id = Sanitizing.line(account.words("did", &oddities) ?? "")
    let name = Sanitizing.collapsed(account.text("displayName", &oddities) ?? "")
    let known = handle.isEmpty ? id : handle
    let author = Post.Author(
      name: name.isEmpty && handle.isEmpty ? id : name, handle: handle.isEmpty ? "" : "@\(handle)",
      url: known.isEmpty ? nil : "https://bsky.app/profile/\(known)",
      avatar: FeedAddress.resolve(account.words("avatar", &oddities), base: base))
    return known.isEmpty && name.isEmpty ? nil : author
  }

  /// `at://DID/app.bsky.feed.post/KEY` on the web.
  private static func page(of uri: String) -> String? {
    let parts = uri.split(separator: "/")
    guard parts.count == 4, parts[0] == "at:", parts[2] == "app.bsky.feed.post" else { return nil }
    return "https://bsky.app/profile/\(parts[1])/post/\(parts[3])"
  }

  private mutating func date(_ text: String?) -> Double? {
    guard let text else { return nil }
    if let seconds = DateParser.seconds(text) { return seconds }
    damages.append("not a date: “\(Sanitizing.collapsed(String(text.prefix(60))))”")
    return nil
  }

  /// Why the post stands in this feed.
  private mutating func addReason(of element: JSONFields, to post: inout Post) {
    guard let reason = element.object("reason", &oddities),
      let account = reason.object("by", &oddities)
    else { return }
    post.repostedBy = author(account)
    let by = account.words("did", &oddities) ?? account.words("handle", &oddities) ?? ""
    post.id = Sanitizing.line(reason.words("uri", &oddities) ?? "\(post.id)#reposted-by-\(by)")
  }

  /// Labels on what pictures show hide those; all others warn of the post, but for those that say who
  /// may see it.
  private mutating func addLabels(_ labels: [JSONFields], to post: inout Post) {
    var warnings = [post.contentWarning].compactMap { $0 }
    var seen = Set(warnings)
    for label in labels where !label.flag("neg", &oddities) {
      guard let value = label.words("val", &oddities).map(Sanitizing.collapsed),
        !value.hasPrefix("!no-")
      else { continue }
      if ["porn", "sexual", "nudity", "graphic-media", "gore", "nsfl"].contains(value) {
        post.isSensitive = true
      } else if seen.insert(value).inserted {
        warnings.append(value)
      }
    }
    if !warnings.isEmpty { post.contentWarning = warnings.joined(separator: " · ") }
  }

  // MARK: What is embedded

  private mutating func add(_ embed: JSONFields, to post: inout Post, depth: Int) {
    for image in embed.objects("images", &oddities) { add(image: image, to: &post) }
    if let playlist = FeedAddress.resolve(embed.text("playlist", &oddities), base: base) {
      let words = Sanitizing.collapsed(embed.text("alt", &oddities) ?? "")
      let thumbnail = FeedAddress.resolve(embed.text("thumbnail", &oddities), base: base)
      if let thumbnail {
        post.pictures.append(picture(thumbnail, words, of: embed))
      }
      post.attachments.append(
        Post.Attachment(url: playlist, mediaType: "video", title: thumbnail == nil ? words : ""))
    }
    if let page = embed.object("external", &oddities),
      let url = FeedAddress.lenient(page.text("uri", &oddities), base: base)
    {
      let title = Sanitizing.collapsed(page.text("title", &oddities) ?? "")
      post.card = Post.Card(url: url, title: title)
    }
    if let media = embed.object("media", &oddities) { add(media, to: &post, depth: depth) }
    guard var record = embed.object("record", &oddities) else { return }
    // With media beside it, the record stands one level further in.
    if !record.has("uri"), let inner = JSONFields(record["record"]) { record = inner }
    post.quotes.append(quote(record, depth: depth + 1))
  }

  private mutating func add(image: JSONFields, to post: inout Post) {
    let address = image.words("fullsize", &oddities) ?? image.words("thumb", &oddities)
    guard let url = FeedAddress.resolve(address, base: base) else { return }
    let words = Sanitizing.collapsed(image.text("alt", &oddities) ?? "")
    post.pictures.append(picture(url, words, of: image))
  }

  /// A ratio need not be a size: one too small for a picture says how it is shaped alone.
  private mutating func picture(_ url: String, _ words: String, of image: JSONFields)
    -> Post.Picture
  {
    var picture = Post.Picture(url: url, alternativeText: words)
    guard let ratio = image.object("aspectRatio", &oddities),
      let width = ratio.side("width", &oddities), let height = ratio.side("height", &oddities)
    else { return picture }
    let longest = max(width, height)
    let scale = longest < 100 ? 1_000 / longest : 1
    (picture.width, picture.height) = (width * scale, height * scale)
    return picture
  }

  private mutating func quote(_ record: JSONFields, depth: Int) -> Post {
    let uri = record.words("uri", &oddities) ?? "byte \(offset)"
    if depth < Self.maximumDepth, JSONFields(record["value"]) != nil {
      return post(record, depth: depth)
    }
    for (name, reason) in [
      ("notFound", "not found"), ("blocked", "blocked"), ("detached", "detached by its author"),
    ] where record.flag(name, &oddities) {
      return .absent(id: uri, "quoted post: \(reason)")
    }
    // A list or a feed, or a post too deep inside.
    var post = Post.link(to: Self.page(of: uri) ?? uri)
    for name in ["displayName", "name"] where post.title.isEmpty {
      post.title = StyledText(Sanitizing.collapsed(record.text(name, &oddities) ?? ""))
    }
    post.author = record.object("author", &oddities).flatMap { author($0) }
    return post
  }
}
