import HTTP
import TextLayout

/// Items written in JSON to posts: elements of a document's list, or lines.
struct JSONItemReader: Sendable {
  /// What relative addresses are relative to.
  let base: String?
  /// What all items are; nil where each is told apart by itself.
  private let kind: JSONItemKind?

  /// A reader of the items of sources in `format`.
  init(format: FeedFormat, base: String?) {
    self.base = base
    kind = JSONItemKind(itemsOf: format)
  }

  /// The post in `bytes`, which begin at `offset` of the source and hold one JSON value.
  ///
  /// What cannot be decoded is closed where it was cut off, and the rest of it read; if that fails,
  /// too, the post holds its beginning as text. Either way it says why.
  ///
  /// - Complexity: O(n) in the bytes.
  func post(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int) -> Post {
    guard bytes.count <= FeedLimits.itemBytes else {
      return raw(
        bytes, offset: offset,
        damage:
          "\(bytes.count) bytes, more than \(FeedLimits.itemBytes): only its beginning is shown")
    }
    let (copy, isRepaired) = Self.prepared(bytes)
    let value: JSONValue
    do throws(JSONScanner.Failure) {
      value = try JSONParser.value(of: copy)
    } catch {
      return salvaged(bytes, copy, offset: offset, failure: error)
    }
    guard var post = post(of: value, offset: offset) else {
      guard case .object = value else {
        return raw(bytes, offset: offset, damage: "not a JSON object (item at byte \(offset))")
      }
      return raw(bytes, offset: offset, damage: nil)
    }
    if isRepaired { post.addDamage("bytes that are not UTF-8 were replaced") }
    return post
  }

  /// Nil where `value` is nothing that makes a post.
  private func post(of value: JSONValue, offset: Int) -> Post? {
    switch kind ?? JSONItemKind(of: value) ?? .feedItem {
    case .feedItem:
      guard let item = JSONItem(value), item.isRecognized else { return nil }
      return post(item, offset: offset)
    case .status: return StatusReader.post(value, base: base, offset: offset)
    case .activity: return ActivityReader.post(value, base: base, offset: offset)
    case .blueskyPost: return BlueskyReader.post(value, base: base, offset: offset)
    }
  }

  /// Valid UTF-8, and whether bytes had to be replaced for it.
  static func prepared(_ bytes: UnsafeBufferPointer<UInt8>) -> ([UInt8], Bool) {
    let copy = Array(bytes)
    guard UnicodeText.firstInvalidByte(of: copy) != nil else { return (copy, false) }
    return (Array(String(decoding: copy, as: UTF8.self).utf8), true)
  }

  private func salvaged(
    _ bytes: UnsafeBufferPointer<UInt8>, _ copy: [UInt8], offset: Int,
    failure: JSONScanner.Failure
  ) -> Post {
    let fault = copy.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      return scanner.value().fault
    }
    guard let fault, !fault.missing.isEmpty else {
      return raw(
        bytes, offset: offset, damage: "\(Self.reason(failure)) (item at byte \(offset))")
    }
    let damage = "\(fault.reason) at byte \(offset + bytes.count)"
    for candidate in fault.closed(copy) {
      if let value = try? JSONParser.value(of: candidate),
        var post = post(of: value, offset: offset)
      {
        post.addDamage(damage)
        return post
      }
    }
    return raw(bytes, offset: offset, damage: damage)
  }

  private static func reason(_ failure: JSONScanner.Failure) -> String {
    switch failure {
    case .malformed: "not valid JSON"
    case .tooDeep: "more than \(JSONScanner.maximumDepth) brackets open"
    }
  }

  /// A post that holds the beginning of its source as text.
  func raw(
    _ bytes: UnsafeBufferPointer<UInt8>, offset: Int, damage: String?
  ) -> Post {
    var post = Post(id: "byte \(offset)")
    let beginning = bytes.prefix(FeedLimits.beginningBytes)
    post.body = PlainText.styled(String(decoding: beginning, as: UTF8.self))
    post.damage = damage
    return post
  }

  /// Items within items that are read, as many as a ``PostWriter`` writes of other networks' posts; of
  /// one further inside only the address is.
  static let maximumDepth = 5

  private func post(_ item: JSONItem, offset: Int, depth: Int = 0) -> Post {
    var post = Post(id: item.id.map(Sanitizing.line) ?? "byte \(offset)")
    let itemBase = FeedAddress.resolve(item.url, base: base) ?? base
    post.url = FeedAddress.lenient(item.url, base: base)
    post.externalURL = FeedAddress.lenient(item.externalURL, base: base)
    post.title = StyledText(
      Sanitizing.collapsed(HTMLReader.decodingEntities(item.title ?? "")))
    post.author = ItemReader.joined(item.authors.compactMap { $0.author(base: base) })
    post.tags = ItemReader.tags(item.tags)
    post.language = item.language.map(Sanitizing.line)
    var content = HTMLContent()
    if let html = item.contentHTML { content = HTMLReader.read(html, base: itemBase) }
    if content.text.isEmpty, let text = item.contentText ?? item.summary {
      content.text = PlainText.styled(text)
    }
    post.body = content.text
    if let damage = content.damage { post.addDamage(damage) }
    addMedia(of: item, content, base: itemBase, to: &post)
    post.published = date(item.published, of: &post)
    post.modified = date(item.modified, of: &post)
    if let own = item.own { add(own, to: &post, offset: offset, depth: depth) }
    post.addOddities(item.oddities)
    return post
  }

  /// What ``PostWriter`` wrote under `_tideline`.
  private func add(_ own: JSONExtension, to post: inout Post, offset: Int, depth: Int) {
    post.contentWarning = own.warning.map(Sanitizing.collapsed)
    post.isSensitive = own.isSensitive
    post.filter = own.filter.map(Sanitizing.collapsed)
    post.inReplyTo = own.inReplyTo.map(Sanitizing.line)
    post.repostedBy = own.repostedBy.flatMap(JSONAuthor.init)?.author(base: base)
    post.counts = own.counts
    post.poll = own.poll
    if let card = own.card {
      var odd: [String] = []
      post.card = FeedAddress.lenient(card.text("url", &odd), base: base).map {
        Post.Card(url: $0, title: Sanitizing.collapsed(card.text("title", &odd) ?? ""))
      }
    }
    post.quotes = own.quotes.compactMap { value in
      guard let item = JSONItem(value) else { return nil }
      guard depth < Self.maximumDepth else {
        return .link(to: item.url ?? item.id ?? "byte \(offset)")
      }
      return self.post(item, offset: offset, depth: depth + 1)
    }
    if let error = own.error { post.addDamage(Sanitizing.collapsed(error)) }
  }

  private func addMedia(
    of item: JSONItem, _ content: HTMLContent, base: String?, to post: inout Post
  ) {
    var pictures = PictureCollector()
    for address in [item.image, item.bannerImage] {
      guard let url = FeedAddress.resolve(address, base: base) else { continue }
      pictures.add(Post.Picture(url: url))
    }
    post.attachments = content.attachments
    var attached = Set(content.attachments.map(\.url))
    for attachment in item.attachments {
      guard let url = FeedAddress.resolve(attachment.url, base: base) else { continue }
      let type = Sanitizing.line(attachment.mimeType ?? "")
      let title = Sanitizing.collapsed(attachment.title ?? "")
      if type.hasPrefix("image/") || (type.isEmpty && FeedAddress.looksLikePicture(url)) {
        let size = { (side: Int?) in side.flatMap { (1..<100_000).contains($0) ? $0 : nil } }
        pictures.add(
          Post.Picture(
            url: url, alternativeText: title, width: size(attachment.own?.width),
            height: size(attachment.own?.height)))
      } else if attached.insert(url).inserted {
        post.attachments.append(
          Post.Attachment(
            url: url, mediaType: type, title: title,
            byteCount: attachment.byteCount.flatMap { Int(exactly: $0.rounded()) },
            duration: attachment.duration.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }))
      }
    }
    for picture in content.pictures { pictures.add(picture) }
    post.pictures = pictures.result
  }

  private func date(_ text: String?, of post: inout Post) -> Double? {
    guard let text, !text.isEmpty else { return nil }
    if let seconds = DateParser.seconds(text) { return seconds }
    post.addDamage("not a date: “\(Sanitizing.collapsed(String(text.prefix(60))))”")
    return nil
  }
}

extension Post {
  mutating func addDamage(_ reason: String) {
    damage = [damage, reason].compactMap { $0 }.joined(separator: "; ")
  }
}
