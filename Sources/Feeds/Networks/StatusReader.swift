import HTTP
import TextLayout

extension JSONFormat {
  /// Statuses of Mastodon's API.
  static let mastodon = JSONFormat(
    documents: "statuses and contexts of Mastodon",
    signs: [
      "account": .object(), "quoted_status": .object(), "reblog": .object(), "status": .object(),
      "content": .string(), "spoiler_text": .any, "visibility": .any, "favourites_count": .any,
      "reblogs_count": .any, "replies_count": .any, "in_reply_to_account_id": .any,
      "in_reply_to_id": .any, "media_attachments": .any, "edited_at": .any,
      "type": .string { StatusReader.notifications[$0] != nil },
      // Streaming events contain their status as a string.
      "payload": .string { $0.hasPrefix("{") },
      "event": .string { $0 == "update" || $0 == "status.update" },
      "state": .string { $0 == "accepted" },
    ],
    minimumSigns: 2,
    isDocument: { member in
      switch member.name {
      case "statuses", "ancestors", "descendants":
        member.itemFormat == .mastodon
          || member.isEmptyList && !member.names.isDisjoint(with: ["accounts", "ancestors"])
      default: false
      }
    },
    items: .lists(["statuses", "ancestors", "descendants"]),
    post: { value, item in StatusReader(item: item).post(value) },
    generatedTexts: StatusReader.Wording.texts)
}

/// Converts statuses of Mastodon's API, and of servers that implement it, to posts.
///
/// Shortcodes of custom emoji stay in the text. A problem in a nested status marks the whole post.
struct StatusReader {
  let item: JSONItemContext

  /// The post in `value`, which stands at `offset` of the source; `nil` if that is not a status.
  ///
  /// - Complexity: O(n) in the bytes of its texts.
  func post(_ value: JSONValue) -> Post? {
    if let fields = item.fields(value), let post = notification(fields) { return post }
    return status(in: value).map { post($0, depth: 0) }
  }

  /// The words that each type of notification adds about its account; `nil` if its status says
  /// enough.
  static let notifications: [String: Wording?] = [
    "mention": nil, "status": nil, "quote": nil, "favourite": .likes, "reblog": .reposts,
    "follow": .follows, "follow_request": .asksToFollow, "poll": .pollEnded,
    "update": .postEdited, "admin.sign_up": .signedUp,
  ]

  /// The texts that it adds.
  enum Wording: String, GeneratedText {
    // Notifications, whose account is the author of the post.
    case likes = "likes your post"
    case reposts = "reposted your post"
    case follows = "follows you"
    case asksToFollow = "asks to follow you"
    case pollEnded = "a poll has ended"
    case postEdited = "a post was edited"
    case signedUp = "signed up"
    // Filters of an account.
    case filtered = "filtered"
    case unnamedFilter = "a filter"
    case quotedPost = "quoted post"
  }

  /// Returns `nil` if `fields` are not a notification.
  private func notification(_ fields: JSONFields) -> Post? {
    guard let type = fields.words("type"), fields.object("account") != nil,
      !fields.has("content")
    else { return nil }
    // A newer server may send types that are not in this list.
    let words =
      Self.notifications[type].map { $0?.text ?? "" }
      ?? type.split(separator: "_").joined(separator: " ")
    let status = fields.object("status").map { self.post($0, depth: 1) }
    guard !words.isEmpty else { return status }
    var post = Post(id: fields.words("id").map { "notification \($0)" } ?? "byte \(item.offset)")
    post.author = author(of: fields)
    post.published = fields.date("created_at")
    HTMLContent.plain(words, as: item.form).fill(&post)
    post.quotes = [status].compactMap { $0 }
    return post
  }

  /// The status itself, or the one in a streaming event or in a single quote.
  private func status(in value: JSONValue) -> JSONFields? {
    guard let fields = item.fields(value) else { return nil }
    if fields.has("event"), let payload = fields["payload"]?.text {
      guard let inner = try? JSONParser.value(of: Array(payload.utf8)) else { return nil }
      return item.fields(inner).flatMap { isStatus($0) ? $0 : nil }
    }
    if isStatus(fields) { return fields }
    return item.fields(fields["quoted_status"]).flatMap { isStatus($0) ? $0 : nil }
  }

  private func isStatus(_ fields: JSONFields) -> Bool {
    let names = ["content", "account", "reblog", "media_attachments", "spoiler_text", "created_at"]
    return names.count { fields.has($0) } >= 2
  }

  // MARK: Statuses

  private func post(_ status: JSONFields, depth: Int) -> Post {
    if depth < FeedLimits.nestedPosts, let original = status.object("reblog") {
      var post = self.post(original, depth: depth + 1)
      if let id = status.words("id") { post.id = id }
      post.repostedBy = author(of: status)
      addFilters(of: status, to: &post)
      return post
    }
    let uri = status.words("uri")
    let id = status.words("id") ?? uri
    var post = Post(id: id ?? "byte \(item.offset)")
    let address = status.words("url") ?? uri.flatMap { FeedAddress.isWeb($0) ? $0 : nil }
    post.url = FeedAddress.lenient(address, base: item.base)
    post.author = author(of: status)
    let content = HTMLReader.read(
      status.text("content") ?? "", base: post.url ?? item.base, as: item.form)
    content.fill(&post)
    if let damage = content.damage { item.notes.damages.append(damage) }
    post.published = status.date("created_at")
    post.modified = status.date("edited_at")
    post.language = status.words("language")
    post.inReplyTo = status.words("in_reply_to_id")
    let warning = status.line("spoiler_text")
    post.contentWarning = warning.isEmpty ? nil : warning
    post.isSensitive = status.flag("sensitive")
    post.tags = ItemReader.tags(
      status.objects("tags").map { $0.text("name") })
    let counts = Post.Counts(
      replies: status.count("replies_count"),
      reposts: status.count("reblogs_count"),
      likes: status.count("favourites_count"))
    post.counts = counts.isEmpty ? nil : counts
    addMedia(of: status, content, to: &post)
    post.poll = status.object("poll").map { poll($0) }
    post.card = card(of: status)
    if let quote = status.object("quote") {
      post.quotes = [self.quote(quote, depth: depth + 1)]
    }
    addFilters(of: status, to: &post)
    return post
  }

  /// The author with the handle `@name@host`. Accounts of the queried server have a host only in
  /// their address.
  private func author(of status: JSONFields) -> Post.Author? {
    guard let account = status.object("account") else { return nil }
    let url = FeedAddress.lenient(account.words("url"), base: item.base)
    var handle = account.line(account.words("acct") == nil ? "username" : "acct")
    if !handle.isEmpty {
      if !handle.contains("@"), let host = FeedAddress.host(of: url) { handle += "@" + host }
      handle = "@" + handle
    }
    let name = account.line("display_name")
    let own = account.line("username")
    let avatar =
      account.words("avatar_static") ?? account.words("avatar")
    let author = Post.Author(
      name: name.isEmpty ? own : name, handle: handle, url: url,
      avatar: FeedAddress.resolve(avatar, base: url ?? item.base))
    return author.named
  }

  // MARK: Parts of a status

  private func addMedia(
    of status: JSONFields, _ content: HTMLContent, to post: inout Post
  ) {
    var pictures = PictureCollector()
    post.attachments = content.attachments
    for media in status.objects("media_attachments") {
      let type = Sanitizer.line(media.text("type") ?? "")
      let words = media.line("description")
      let meta = media.object("meta")
      let size = meta?.object("original") ?? meta?.object("small")
      let (width, height) = (size?.side("width"), size?.side("height"))
      let full = address(of: media, ["url", "remote_url"])
      let preview = address(of: media, ["preview_url", "preview_remote_url"])
      // A film is shown by its preview, unless the preview is the film itself.
      let picture =
        type == "image" ? full ?? preview ?? unusable(media.text("url")) : preview
      if let picture, picture != full || type == "image" {
        var shown = Post.Picture(
          url: picture, alternativeText: words, width: width, height: height)
        shown.blurHash = media.blurHash
        pictures.add(shown)
      }
      guard type != "image", let full = full ?? preview else { continue }
      let duration = size?.number("duration") ?? meta?.number("duration")
      post.attachments.append(
        Post.Attachment(
          url: full, mediaType: type, title: picture == nil ? words : "",
          duration: duration.flatMap { $0 >= 0 ? $0 : nil }))
    }
    for picture in content.pictures { pictures.add(picture) }
    post.pictures = pictures.result
  }

  /// The address of a listed picture that cannot be loaded: it keeps its description, with a mark.
  private func unusable(_ address: String?) -> String {
    FeedAddress.picture(address, base: item.base) ?? ""
  }

  private func address(of media: JSONFields, _ names: [String]) -> String? {
    names.lazy.compactMap { FeedAddress.resolve(media.text($0), base: item.base) }.first
  }

  private func poll(_ poll: JSONFields) -> Post.Poll {
    let options = poll.objects("options").map { option in
      Post.Poll.Option(
        title: option.line("title"),
        votes: option.count("votes_count"))
    }
    return Post.Poll(
      options: options,
      voters: poll.flag("multiple") ? poll.count("voters_count") : nil,
      closes: poll.date("expires_at"))
  }

  private func card(of status: JSONFields) -> Post.Card? {
    guard let card = status.object("card"),
      let url = FeedAddress.lenient(card.text("url"), base: item.base)
    else { return nil }
    let title = HTMLReader.decodingEntities(card.text("title") ?? "")
    return Post.Card(url: url, title: Sanitizing.collapsed(title))
  }

  /// A quote with its state, or on some servers the quoted status itself.
  private func quote(_ quote: JSONFields, depth: Int) -> Post {
    let isWrapped = quote.has("state") || quote.has("quoted_status")
    let status = isWrapped ? quote.object("quoted_status") : quote
    if let status, depth < FeedLimits.nestedPosts { return post(status, depth: depth) }
    if let url = status.flatMap({ $0.words("url") ?? $0.words("uri") }) {
      return .link(to: url)
    }
    let id = quote.words("quoted_status_id")
    let state = Sanitizing.collapsed(quote.text("state") ?? "accepted")
    let reason = state == "accepted" ? id.map { " \(Sanitizer.line($0))" } ?? "" : ": \(state)"
    return .absent(id: id ?? "byte \(item.offset)", Wording.quotedPost, reason)
  }

  /// Filters that warn become warnings, those that blur hide the pictures, and those that hide
  /// collapse the post.
  private func addFilters(of status: JSONFields, to post: inout Post) {
    var hiding = [post.filter].compactMap { $0 }
    var warnings = [post.contentWarning].compactMap { $0 }
    for result in status.objects("filtered") {
      guard let filter = result.object("filter") else { continue }
      let title = filter.line("title")
      let name = title.isEmpty ? Wording.unnamedFilter.text : title
      switch filter.text("filter_action") {
      case "hide": hiding.append(name)
      case "blur": post.isSensitive = true
      default: warnings.append("\(Wording.filtered.text): \(name)")
      }
    }
    if !hiding.isEmpty { post.filter = hiding.joined(separator: ", ") }
    if !warnings.isEmpty { post.contentWarning = warnings.joined(separator: " · ") }
  }
}
