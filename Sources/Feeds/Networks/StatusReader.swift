import HTTP
import TextLayout

/// Statuses of Mastodon's API, and of servers that speak it, to posts.
///
/// Shortcodes of custom emojis stay in the text. What is wrong with a status inside a status marks the
/// whole post.
struct StatusReader {
  /// Statuses within statuses that are read; of one further inside only the address is.
  static let maximumDepth = 4

  private let base: String?
  private let offset: Int
  private var oddities: [String] = []
  private var damages: [String] = []

  /// The post in `value`, which stands at `offset` of the source; nil where that is no status.
  ///
  /// - Complexity: O(n) in the bytes of its texts.
  static func post(_ value: JSONValue, base: String?, offset: Int) -> Post? {
    guard let status = Self.status(in: value) else { return nil }
    var reader = StatusReader(base: base, offset: offset)
    var post = reader.post(status, depth: 0)
    for damage in reader.damages { post.addDamage(damage) }
    post.addOddities(reader.oddities)
    return post
  }

  private init(base: String?, offset: Int) {
    self.base = base
    self.offset = offset
  }

  /// The status itself, or the one in an event of a stream or a quote by itself.
  private static func status(in value: JSONValue) -> JSONFields? {
    guard let fields = JSONFields(value) else { return nil }
    var odd: [String] = []
    if fields.has("event"), let payload = fields.text("payload", &odd) {
      guard let inner = try? JSONParser.value(of: Array(payload.utf8)) else { return nil }
      return JSONFields(inner).flatMap { isStatus($0) ? $0 : nil }
    }
    if isStatus(fields) { return fields }
    return JSONFields(fields["quoted_status"]).flatMap { isStatus($0) ? $0 : nil }
  }

  private static func isStatus(_ fields: JSONFields) -> Bool {
    let names = ["content", "account", "reblog", "media_attachments", "spoiler_text", "created_at"]
    return names.count { fields.has($0) } >= 2
  }

  // MARK: A status

  private mutating func post(_ status: JSONFields, depth: Int) -> Post {
    if depth < Self.maximumDepth, let original = status.object("reblog", &oddities) {
      var post = self.post(original, depth: depth + 1)
      if let id = status.words("id", &oddities) { post.id = Sanitizing.line(id) }
      post.repostedBy = author(of: status)
      addFilters(of: status, to: &post)
      return post
    }
    let uri = status.words("uri", &oddities)
    let id = status.words("id", &oddities) ?? uri
    var post = Post(id: id.map(Sanitizing.line) ?? "byte \(offset)")
    let address = status.words("url", &oddities) ?? uri.flatMap { FeedAddress.isWeb($0) ? $0 : nil }
    post.url = FeedAddress.lenient(address, base: base)
    post.author = author(of: status)
    let content = HTMLReader.read(status.text("content", &oddities) ?? "", base: post.url ?? base)
    post.body = content.text
    if let damage = content.damage { damages.append(damage) }
    post.published = date("created_at", of: status)
    post.modified = date("edited_at", of: status)
    post.language = status.words("language", &oddities).map(Sanitizing.line)
    post.inReplyTo = status.words("in_reply_to_id", &oddities).map(Sanitizing.line)
    let warning = Sanitizing.collapsed(status.text("spoiler_text", &oddities) ?? "")
    post.contentWarning = warning.isEmpty ? nil : warning
    post.isSensitive = status.flag("sensitive", &oddities)
    post.tags = ItemReader.tags(
      status.objects("tags", &oddities).map { $0.text("name", &oddities) })
    let counts = Post.Counts(
      replies: status.count("replies_count", &oddities),
      reposts: status.count("reblogs_count", &oddities),
      likes: status.count("favourites_count", &oddities))
    post.counts = counts.isEmpty ? nil : counts
    addMedia(of: status, content, to: &post)
    post.poll = status.object("poll", &oddities).map { poll($0) }
    post.card = card(of: status)
    if let quote = status.object("quote", &oddities) {
      post.quotes = [self.quote(quote, depth: depth + 1)]
    }
    addFilters(of: status, to: &post)
    return post
  }

  /// `@name@host`; an account of the server asked has no host in its name, but in its address.
  private mutating func author(of status: JSONFields) -> Post.Author? {
    guard let account = status.object("account", &oddities) else { return nil }
    let url = FeedAddress.lenient(account.words("url", &oddities), base: base)
    var handle = Sanitizing.collapsed(
      account.words("acct", &oddities) ?? account.words("username", &oddities) ?? "")
    if !handle.isEmpty {
      if !handle.contains("@"), let host = FeedAddress.host(of: url) { handle += "@" + host }
      handle = "@" + handle
    }
    let name = Sanitizing.collapsed(account.text("display_name", &oddities) ?? "")
    let own = Sanitizing.collapsed(account.text("username", &oddities) ?? "")
    let avatar =
      account.words("avatar_static", &oddities) ?? account.words("avatar", &oddities)
    let author = Post.Author(
      name: name.isEmpty ? own : name, handle: handle, url: url,
      avatar: FeedAddress.resolve(avatar, base: url ?? base))
    return author.name.isEmpty && author.handle.isEmpty ? nil : author
  }

  private mutating func date(_ name: String, of status: JSONFields) -> Double? {
    guard let text = status.words(name, &oddities) else { return nil }
    if let seconds = DateParser.seconds(text) { return seconds }
    damages.append("not a date: “\(Sanitizing.collapsed(String(text.prefix(60))))”")
    return nil
  }

  // MARK: Its parts

  private mutating func addMedia(
    of status: JSONFields, _ content: HTMLContent, to post: inout Post
  ) {
    var pictures = PictureCollector()
    post.attachments = content.attachments
    for media in status.objects("media_attachments", &oddities) {
      let type = Sanitizing.line(media.text("type", &oddities) ?? "")
      let words = Sanitizing.collapsed(media.text("description", &oddities) ?? "")
      let meta = media.object("meta", &oddities)
      let size = meta?.object("original", &oddities) ?? meta?.object("small", &oddities)
      let (width, height) = (size?.side("width", &oddities), size?.side("height", &oddities))
      let full = address(of: media, ["url", "remote_url"])
      let preview = address(of: media, ["preview_url", "preview_remote_url"])
      // A film is shown by its preview, which is no film.
      let picture = type == "image" ? full ?? preview : preview
      if let picture, picture != full || type == "image" {
        pictures.add(
          Post.Picture(url: picture, alternativeText: words, width: width, height: height))
      }
      guard type != "image", let full = full ?? preview else { continue }
      let duration = size?.number("duration", &oddities) ?? meta?.number("duration", &oddities)
      post.attachments.append(
        Post.Attachment(
          url: full, mediaType: type, title: picture == nil ? words : "",
          duration: duration.flatMap { $0 >= 0 ? $0 : nil }))
    }
    for picture in content.pictures { pictures.add(picture) }
    post.pictures = pictures.result
  }

  private mutating func address(of media: JSONFields, _ names: [String]) -> String? {
    for name in names {
      if let url = FeedAddress.resolve(media.text(name, &oddities), base: base) { return url }
    }
    return nil
  }

  private mutating func poll(_ poll: JSONFields) -> Post.Poll {
    let options = poll.objects("options", &oddities).map { option in
      Post.Poll.Option(
        title: Sanitizing.collapsed(option.text("title", &oddities) ?? ""),
        votes: option.count("votes_count", &oddities))
    }
    return Post.Poll(
      options: options,
      voters: poll.flag("multiple", &oddities) ? poll.count("voters_count", &oddities) : nil,
      closes: date("expires_at", of: poll))
  }

  private mutating func card(of status: JSONFields) -> Post.Card? {
    guard let card = status.object("card", &oddities),
      let url = FeedAddress.lenient(card.text("url", &oddities), base: base)
    else { return nil }
    let title = HTMLReader.decodingEntities(card.text("title", &oddities) ?? "")
    return Post.Card(url: url, title: Sanitizing.collapsed(title))
  }

  /// A quote with its state, or the quoted status itself, as some servers have it.
  private mutating func quote(_ quote: JSONFields, depth: Int) -> Post {
    let isWrapped = quote.has("state") || quote.has("quoted_status")
    let status = isWrapped ? quote.object("quoted_status", &oddities) : quote
    if let status, depth < Self.maximumDepth { return post(status, depth: depth) }
    if let url = status.flatMap({ $0.words("url", &oddities) ?? $0.words("uri", &oddities) }) {
      return .link(to: url)
    }
    let id = quote.words("quoted_status_id", &oddities)
    let state = Sanitizing.collapsed(quote.text("state", &oddities) ?? "accepted")
    let reason = state == "accepted" ? id.map { " \(Sanitizing.line($0))" } ?? "" : ": \(state)"
    return .absent(id: id ?? "byte \(offset)", "quoted post\(reason)")
  }

  /// Filters that warn are warnings; one that hides folds the post away.
  private mutating func addFilters(of status: JSONFields, to post: inout Post) {
    var hiding = [post.filter].compactMap { $0 }
    var warnings = [post.contentWarning].compactMap { $0 }
    for result in status.objects("filtered", &oddities) {
      guard let filter = result.object("filter", &oddities) else { continue }
      let title = Sanitizing.collapsed(filter.text("title", &oddities) ?? "")
      let name = title.isEmpty ? "a filter" : title
      switch filter.text("filter_action", &oddities) {
      case "hide": hiding.append(name)
      case "blur": post.isSensitive = true
      default: warnings.append("filtered: \(name)")
      }
    }
    if !hiding.isEmpty { post.filter = hiding.joined(separator: ", ") }
    if !warnings.isEmpty { post.contentWarning = warnings.joined(separator: " · ") }
  }
}

extension Post {
  /// Names fields that hold something else than they should, each once.
  mutating func addOddities(_ names: [String]) {
    guard !names.isEmpty else { return }
    var seen: Set<String> = []
    let list = names.filter { seen.insert($0).inserted }.map { "“\($0)”" }.joined(separator: ", ")
    addDamage("of an unexpected type: \(list)")
  }
}
