import TextLayout

/// The pictures, sounds, films and frames of a piece of HTML.
struct HTMLMedia {
  private(set) var pictures: [Post.Picture] = []
  private(set) var attachments: [Post.Attachment] = []
  /// The number of pictures and files so far.
  var count: Int { pictures.count + attachments.count }
  private let base: String?
  /// The open `<video>` or `<audio>`, to which its `<source>`s belong.
  private var player: Post.Attachment?
  /// The files named by the `<source>`s of the open `<picture>`.
  private var sources: PictureCandidates?
  /// The number of open `<noscript>`s.
  private var noscripts = 0
  /// The last picture, if the next one may be its copy.
  private var last: Original?

  /// A picture that pages contain twice: as a file that a script loads, and in a `<noscript>`.
  private struct Original {
    /// The index in `pictures`; `nil` if it has no address.
    var index: Int?
    let place: Int
    let isInNoscript: Bool
    /// Its description, and whether its address is only a placeholder.
    let words: String
    let isPlaceholderFile: Bool
  }

  /// Whether a copy of the last picture may follow.
  var mayHaveCopy: Bool { last != nil }
  /// Whether a copy may follow, and the last picture has no address itself.
  var awaitsCopy: Bool { last.map { $0.index == nil } ?? false }
  /// Whether the current content is for programs without scripts.
  var isInNoscript: Bool { noscripts > 0 }

  init(base: String?) { self.base = base }

  /// Adds a media element that begins at a place of the text (`Post.Picture.place`). Returns its
  /// replacement in the text: the description of an emoji, or of a picture without an address.
  mutating func start(
    _ effect: HTMLElement.Effect, _ attributes: HTMLAttributes, at place: Int
  ) -> String? {
    switch effect {
    case .image: return image(attributes, at: place)
    case .video, .audio:
      addPlayer()
      player = Post.Attachment(
        url: FeedAddress.resolve(attributes["src"], base: base) ?? "",
        mediaType: effect == .video ? "video" : "audio",
        title: Sanitizing.collapsed(attributes["title"] ?? attributes["aria-label"] ?? ""),
        place: place)
      if let poster = FeedAddress.resolve(attributes["poster"], base: base) {
        pictures.append(
          Post.Picture(
            url: poster, width: attributes.pixels("width"), height: attributes.pixels("height"),
            place: place))
      }
    case .picture: sources = PictureCandidates()
    case .noscript: noscripts += 1
    case .source where player == nil: sources?.add(source: attributes)
    case .source:
      guard var open = player, open.url.isEmpty,
        let url = FeedAddress.resolve(attributes["src"], base: base)
      else { return nil }
      open.url = url
      if let type = attributes["type"] { open.mediaType = type }
      player = open
    case .frame, .embedded:
      let source = attributes["src"] ?? attributes["data"]
      guard let url = FeedAddress.resolve(source, base: base) else { return nil }
      let type = Sanitizer.line(attributes["type"] ?? "text/html")
      if type.hasPrefix("image/") {
        pictures.append(Post.Picture(url: url, place: place))
      } else {
        attachments.append(
          Post.Attachment(
            url: url, mediaType: type,
            title: Sanitizing.collapsed(attributes["title"] ?? attributes["aria-label"] ?? ""),
            place: place))
      }
    default: break
    }
    return nil
  }

  mutating func end(_ effect: HTMLElement.Effect?) {
    switch effect {
    case .video, .audio: addPlayer()
    case .picture: sources = nil
    case .noscript: noscripts = max(0, noscripts - 1)
    default: break
    }
  }

  /// Maps the places from `first` on to new ones.
  mutating func move(from first: Int, to place: (Int) -> Int) {
    for index in pictures.indices.reversed() {
      guard let old = pictures[index].place, old >= first else { break }
      pictures[index].place = place(old)
    }
    for index in attachments.indices.reversed() {
      guard let old = attachments[index].place, old >= first else { break }
      attachments[index].place = place(old)
    }
  }

  private mutating func addPlayer() {
    if let player, !player.url.isEmpty { attachments.append(player) }
    player = nil
  }

  private mutating func image(_ attributes: HTMLAttributes, at place: Int) -> String? {
    let words = Sanitizing.collapsed(attributes["alt"] ?? attributes["title"] ?? "")
    var (width, height) = (attributes.pixels("width"), attributes.pixels("height"))
    var files = sources ?? PictureCandidates()
    sources = nil
    let isTrackingPixel = min(width ?? .max, height ?? .max) <= Self.trackingPixelSide
    files.add(
      image: attributes, width: isTrackingPixel ? nil : width, hasPlaceholderSize: isTrackingPixel)
    if isTrackingPixel {
      guard files.hasLazyFiles else { return nil }
      // This was the size of the placeholder.
      (width, height) = (nil, nil)
    }
    let isEmoji = attributes.hasClass("wp-smiley", "emoji", "emoticon", "custom-emoji")
    if isEmoji || max(width ?? 999, height ?? 999) <= 32 { return words }
    // An unusable address stays, with a mark, except `data:`, which is always a placeholder.
    let url =
      files.best { FeedAddress.resolve($0, base: base) }
      ?? files.best { address in
        FeedAddress.picture(address, base: base).flatMap { $0.hasPrefix("data:") ? nil : $0 }
      }
    let original = last.flatMap { $0.place == place ? $0 : nil }
    last = nil
    if let original, original.isInNoscript ? files.isLazy : isInNoscript,
      original.isInNoscript != isInNoscript
    {
      return merge(url, words, size: (width, height), into: original)
    }
    let picture = url.map {
      Post.Picture(url: $0, alternativeText: words, width: width, height: height, place: place)
    }
    if files.isLazy || isInNoscript {
      last = Original(
        index: picture == nil ? nil : pictures.count, place: place, isInNoscript: isInNoscript,
        words: words, isPlaceholderFile: files.isLazy && !files.hasLazyFiles)
    }
    guard let picture else { return words.isEmpty ? nil : "[\(words)]" }
    pictures.append(picture)
    return nil
  }

  /// The maximum length of the shorter side of a tracking pixel, in pixels. Tracking pixels are
  /// invisible and no pictures of the post.
  private static let trackingPixelSide = 2

  /// Merges the copy of a picture into it: the copy's address replaces that of a placeholder.
  private mutating func merge(
    _ url: String?, _ words: String, size: (width: Int?, height: Int?), into original: Original
  ) -> String? {
    if let index = original.index {
      if original.isPlaceholderFile, let url {
        pictures[index].url = url
        (pictures[index].width, pictures[index].height) = size
      }
      if pictures[index].alternativeText.isEmpty { pictures[index].alternativeText = words }
    } else if let url {
      pictures.append(
        Post.Picture(
          url: url, alternativeText: words.isEmpty ? original.words : words, width: size.width,
          height: size.height, place: original.place))
    }
    return nil
  }
}
