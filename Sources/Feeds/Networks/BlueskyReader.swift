import HTTP
import TextLayout

extension JSONFormat {
  /// Posts of Bluesky's API.
  static let bluesky = JSONFormat(
    documents: "feeds and threads of Bluesky",
    signs: [
      "post": .object(signs: 2), "uri": .string { $0.hasPrefix("at://") }, "record": .object(),
      "author": .object(), "value": .object(),
    ],
    minimumSigns: 2,
    isDocument: { member in
      switch member.name {
      case "thread": member.isObject && BlueskyThread.begins(at: member.value)
      case "feed", "posts":
        member.itemFormat == .bluesky || member.isEmptyList && member.names.contains("cursor")
      default: false
      }
    },
    items: .lists(["feed", "posts"]), thread: Thread(name: "thread", posts: BlueskyThread.posts),
    head: { head, base in
      var info = TimelineInfo()
      info.nextCursor =
        head.value("cursor")?.text.map(Sanitizer.line).flatMap { $0.isEmpty ? nil : $0 }
      return FeedHead(info: info, base: base)
    },
    post: { value, item in BlueskyReader(item: item).post(value) },
    generatedTexts: BlueskyReader.Wording.texts)
}

/// Converts posts of Bluesky's API to posts: elements of a feed (`post`, `reply`, `reason`), single
/// posts, and the records that posts quote.
struct BlueskyReader {
  let item: JSONItemContext

  /// The texts that the reader adds to posts.
  enum Wording: String, GeneratedText {
    // Posts that are unavailable.
    case quotedPost = "quoted post"
    case notFound = "post not found"
    case blocked = "blocked post"
    case quoteNotFound = "quoted post: not found"
    case quoteBlocked = "quoted post: blocked"
    case quoteDetached = "quoted post: detached by its author"
    /// The beginning of a profile's address.
    case profiles = "https://bsky.app/profile/"
    /// The path between a profile and one of its posts.
    case posts = "/post/"
  }

  /// The post in `value`, which stands at `offset` of the source; `nil` if that is not a post.
  ///
  /// - Complexity: O(n) in the bytes of its texts.
  func post(_ value: JSONValue) -> Post? {
    guard let fields = item.fields(value) else { return nil }
    if fields.flag("notFound") || fields.flag("blocked"), let uri = fields.words("uri") {
      return .absent(id: uri, fields.flag("notFound") ? Wording.notFound : Wording.blocked)
    }
    let element = item.fields(fields["post"])
    let view = element ?? fields
    guard view.has("uri"), JSONFields(view["record"] ?? view["value"]) != nil else { return nil }
    var post = post(view, depth: 0)
    if element != nil { addReason(of: fields, to: &post) }
    return post
  }

  /// Converts a post with author and counts, whose content is in `record`, or a quoted one, whose
  /// content is in `value`.
  private func post(_ view: JSONFields, depth: Int) -> Post {
    let uri = view.words("uri")
    var post = Post(id: uri ?? "byte \(item.offset)")
    let account = view.object("author")
    post.author = account.flatMap { author($0) }
    post.url = uri.flatMap { Self.page(of: $0) }
    let record = view.object(view.has("record") ? "record" : "value")
    var labels: [JSONFields] = []
    if let record {
      let text = BlueskyText(
        record.text("text") ?? "", facets: record.objects("facets"))
      post.body = text.styled
      if let damage = text.damage { item.notes.damages.append(damage) }
      post.tags = ItemReader.tags(text.tags + record.list("tags").map(\.text))
      post.language = record.list("langs").lazy.compactMap(\.text).first
      post.inReplyTo = record.object("reply")?.object("parent")?
        .words("uri")
      labels = record.object("labels")?.objects("values") ?? []
    }
    // The time of indexing replaces a time of creation that is missing or invalid.
    post.published = record?.date("createdAt") ?? view.date("indexedAt")
    addLabels(labels + view.objects("labels"), to: &post)
    let counts = Post.Counts(
      replies: view.count("replyCount"), reposts: view.count("repostCount"),
      likes: view.count("likeCount"))
    post.counts = counts.isEmpty ? nil : counts
    // A quoted record has a list of embeds.
    let embeds = view.objects("embed") + view.objects("embeds")
    for embed in embeds { add(embed, to: &post, depth: depth) }
    return post
  }

  private func author(_ account: JSONFields) -> Post.Author? {
    let handle = account.line("handle")
    let id = Sanitizer.line(account.words("did") ?? "")
    let name = account.line("displayName")
    let known = handle.isEmpty ? id : handle
    let author = Post.Author(
      name: name.isEmpty && handle.isEmpty ? id : name, handle: handle.isEmpty ? "" : "@\(handle)",
      url: known.isEmpty ? nil : Wording.profiles.text + known,
      avatar: FeedAddress.resolve(account.words("avatar"), base: item.base))
    return known.isEmpty && name.isEmpty ? nil : author
  }

  /// The web address of `at://DID/app.bsky.feed.post/KEY`.
  private static func page(of uri: String) -> String? {
    let parts = uri.split(separator: "/")
    guard parts.count == 4, parts[0] == "at:", parts[2] == "app.bsky.feed.post" else { return nil }
    return Wording.profiles.text + parts[1] + Wording.posts.text + parts[3]
  }

  /// Adds the reason for the post's place in this feed: a repost.
  private func addReason(of element: JSONFields, to post: inout Post) {
    guard let reason = element.object("reason"),
      let account = reason.object("by")
    else { return }
    post.repostedBy = author(account)
    let by = account.words("did") ?? account.words("handle") ?? ""
    post.id = reason.words("uri") ?? "\(post.id)#reposted-by-\(by)"
  }

  /// Labels of picture content hide the pictures. All others become warnings, except those that
  /// restrict who may see the post.
  private func addLabels(_ labels: [JSONFields], to post: inout Post) {
    var warnings = [post.contentWarning].compactMap { $0 }
    var seen = Set(warnings)
    for label in labels where !label.flag("neg") {
      guard let value = label.words("val").map(Sanitizing.collapsed),
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

  // MARK: Embeds

  private func add(_ embed: JSONFields, to post: inout Post, depth: Int) {
    for image in embed.objects("images") { add(image: image, to: &post) }
    if let playlist = FeedAddress.resolve(embed.text("playlist"), base: item.base) {
      let words = embed.line("alt")
      let thumbnail = FeedAddress.resolve(embed.text("thumbnail"), base: item.base)
      if let thumbnail {
        post.pictures.append(picture(thumbnail, words, of: embed))
      }
      post.attachments.append(
        Post.Attachment(url: playlist, mediaType: "video", title: thumbnail == nil ? words : ""))
    }
    if let page = embed.object("external"),
      let url = FeedAddress.lenient(page.text("uri"), base: item.base)
    {
      let title = page.line("title")
      post.card = Post.Card(url: url, title: title)
    }
    if let media = embed.object("media") { add(media, to: &post, depth: depth) }
    guard var record = embed.object("record") else { return }
    // In an embed with media, the record is nested one level deeper.
    if !record.has("uri"), let inner = item.fields(record["record"]) { record = inner }
    post.quotes.append(quote(record, depth: depth + 1))
  }

  private func add(image: JSONFields, to post: inout Post) {
    let addresses = [image.words("fullsize"), image.words("thumb")]
    let url =
      addresses.lazy.compactMap { FeedAddress.resolve($0, base: item.base) }.first
      ?? addresses.lazy.compactMap { FeedAddress.picture($0, base: item.base) }.first
    post.pictures.append(picture(url ?? "", image.line("alt"), of: image))
  }

  /// A picture with its aspect ratio. If the ratio is too small to be a size in pixels, it is
  /// scaled up and gives only the shape.
  private func picture(_ url: String, _ words: String, of image: JSONFields)
    -> Post.Picture
  {
    var picture = Post.Picture(url: url, alternativeText: words)
    guard let ratio = image.object("aspectRatio"),
      let width = ratio.side("width"), let height = ratio.side("height")
    else { return picture }
    let longest = max(width, height)
    let scale = longest < 100 ? 1_000 / longest : 1
    (picture.width, picture.height) = (width * scale, height * scale)
    return picture
  }

  private func quote(_ record: JSONFields, depth: Int) -> Post {
    let uri = record.words("uri")
    if depth < FeedLimits.nestedPosts, JSONFields(record["value"]) != nil {
      return post(record, depth: depth)
    }
    let absences: [(name: String, reason: Wording)] = [
      ("notFound", .quoteNotFound), ("blocked", .quoteBlocked), ("detached", .quoteDetached),
    ]
    for absence in absences where record.flag(absence.name) {
      return .absent(id: uri ?? "byte \(item.offset)", absence.reason)
    }
    // A list, a feed, or a post that is nested too deep.
    var post =
      uri.map { Post.link(to: Self.page(of: $0) ?? $0) }
      ?? .absent(id: "byte \(item.offset)", Wording.quotedPost)
    for name in ["displayName", "name"] where post.title.isEmpty {
      post.title = StyledText(Sanitizing.collapsed(record.text(name) ?? ""))
    }
    post.author = record.object("author").flatMap { author($0) }
    return post
  }
}
