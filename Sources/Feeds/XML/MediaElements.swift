import TextLayout

/// The enclosures and Media RSS of one item: pictures are collected, all other files attached.
struct MediaElements {
  var pictures = PictureCollector()
  private(set) var attachments: [Post.Attachment] = []
  /// Indices into `attachments` by address; each address is attached once.
  private var attached: [String: Int] = [:]
  /// `media:description`: the text of a post that has no other, plain unless its `type` is `html`.
  private var description: FeedElement?
  /// The value of `media:rating` if it is `adult`.
  private(set) var contentWarning: String?
  private let base: String?

  init(of item: FeedElement, base: String?) {
    self.base = base
    for enclosure in item.elements("enclosure", in: .plain) { addEnclosure(enclosure) }
    for link in item.links("enclosure", in: .atom) { addEnclosure(link) }
    addMedia(in: item)
    addDuration(item.line(of: "duration", in: [.itunes, .plain]))
    if let image = item.first("image", in: .itunes)?.attribute("href") { addThumbnail(image) }
    if let image = item.first("image", in: .plain) {
      addThumbnail(image.line(of: "url", in: .plain) ?? image.attribute("href"))
    }
    for name: ElementName in ["bigimage", "smallimage", "thumbnail"] {
      addThumbnail(item.line(of: name, in: .plain))
    }
  }

  /// Assigns the duration of a podcast to its first audio or video file, or to its only file.
  private mutating func addDuration(_ text: String?) {
    guard let seconds = text.flatMap(Self.seconds),
      let index = attachments.firstIndex(where: { file in
        let type = file.mediaType.lowercased()
        return type.hasPrefix("audio") || type.hasPrefix("video") || attachments.count == 1
      }), attachments[index].duration == nil
    else { return }
    attachments[index].duration = seconds
  }

  /// The seconds of `1:02:03`, `62:03` or `3723`; `nil` for any other text, zero, and
  /// from 31 days on.
  private static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard (1...3).contains(parts.count), numbers.count == parts.count,
      numbers.allSatisfy({ $0 >= 0 })
    else { return nil }
    let seconds = numbers.reduce(0) { $0 * 60 + $1 }
    return seconds > 0 && seconds < 2_678_400 ? seconds : nil
  }

  /// The content of `media:description`; `nil` if the item has none.
  func words(as form: ContentForm) -> HTMLContent? {
    guard let description else { return nil }
    return description.attribute("type")?.lowercased() == "html"
      ? HTMLReader.read(description.text, base: base, as: form)
      : .plain(description.text, as: form)
  }

  mutating func add(_ html: HTMLContent) {
    for picture in html.pictures { pictures.add(picture) }
    for attachment in html.attachments { add(attachment) }
  }

  private mutating func add(_ attachment: Post.Attachment) {
    if let known = attached[attachment.url] {
      attachments[known].place = attachments[known].place ?? attachment.place
      return
    }
    attached[attachment.url] = attachments.count
    attachments.append(attachment)
  }

  private mutating func addThumbnail(_ address: String?) {
    guard let url = FeedAddress.picture(address, base: base) else { return }
    pictures.addThumbnail(Post.Picture(url: url))
  }

  private mutating func addEnclosure(_ element: FeedElement) {
    let value = { (name: ElementName) in
      element.attribute(name) ?? element.line(of: name, in: .plain)
    }
    let address = value("url") ?? value("href")
    let type = Sanitizer.line(value("type") ?? "")
    if FeedAddress.isPicture(address, type: type) {
      guard let url = FeedAddress.picture(address, base: base) else { return }
      pictures.add(Post.Picture(url: url))
    } else if let url = FeedAddress.resolve(address, base: base) {
      add(
        Post.Attachment(
          url: url, mediaType: type, title: Sanitizing.collapsed(value("title") ?? ""),
          byteCount: value("length").flatMap { Int($0) }))
    }
  }

  private mutating func addMedia(in parent: FeedElement) {
    for content in parent.elements("content", in: .media) { add([content], of: parent) }
    for group in parent.elements("group", in: .media) {
      add(group.elements("content", in: .media), of: group)
      addMediaWords(of: group)
    }
    addMediaWords(of: parent)
  }

  private mutating func addMediaWords(of element: FeedElement) {
    for thumbnail in element.elements("thumbnail", in: .media) {
      guard let url = FeedAddress.picture(thumbnail.attribute("url"), base: base) else { continue }
      pictures.addThumbnail(picture(url, thumbnail, words: ""))
    }
    if description == nil {
      description = element.first("description", in: .media)
    }
    if let rating = element.line(of: "rating", in: .media)?.lowercased(), rating == "adult" {
      contentWarning = rating
    }
  }

  /// Adds the contents of a group, which are one picture or file in several sizes: the picture that
  /// ``PictureChoice`` selects represents them all.
  private mutating func add(_ contents: [FeedElement], of group: FeedElement) {
    let found = contents.compactMap { content in
      FeedAddress.resolve(content.attribute("url"), base: base).map { (content, $0) }
    }
    var images = found.filter { isPicture($0.0) }
    if found.isEmpty {
      // A picture with an unusable address keeps its place.
      images = contents.filter(isPicture).compactMap { content in
        FeedAddress.picture(content.attribute("url"), base: base).map { (content, $0) }
      }
    }
    let best = PictureChoice.best(of: images) { image in
      image.0.attribute("width").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    if let (content, url) = best {
      let words =
        content.line(of: "description", in: .media) ?? content.line(of: "title", in: .media)
        ?? group.line(of: "title", in: .media) ?? ""
      pictures.add(picture(url, content, words: HTMLReader.decodingEntities(words)))
    }
    if images.isEmpty, let (content, url) = found.first {
      let medium = content.attribute("medium") ?? ""
      add(
        Post.Attachment(
          url: url, mediaType: content.attribute("type") ?? medium,
          title: content.line(of: "title", in: .media) ?? group.line(of: "title", in: .media) ?? "",
          byteCount: content.attribute("filesize").flatMap { Int($0) },
          duration: content.attribute("duration").flatMap { Double($0) }))
    }
    for content in contents { addMediaWords(of: content) }
  }

  private func isPicture(_ content: FeedElement) -> Bool {
    if let type = content.attribute("type"), !type.isEmpty {
      return FeedAddress.isPicture(content.attribute("url"), type: type)
    }
    if let medium = content.attribute("medium") { return medium == "image" }
    return FeedAddress.isPicture(content.attribute("url"), type: "")
  }

  private func picture(_ url: String, _ element: FeedElement, words: String) -> Post.Picture {
    let pixels = { (name: ElementName) -> Int? in
      element.attribute(name).flatMap { Int($0) }.flatMap { (1..<100_000).contains($0) ? $0 : nil }
    }
    return Post.Picture(
      url: url, alternativeText: words, width: pixels("width"), height: pixels("height"))
  }
}
