import TextLayout

/// The pictures, sounds, films and frames of a piece of HTML.
struct HTMLMedia {
  private(set) var pictures: [Post.Picture] = []
  private(set) var attachments: [Post.Attachment] = []
  /// Pictures and files so far.
  var count: Int { pictures.count + attachments.count }
  private let base: String?
  /// The `<video>` or `<audio>` that is open: its `<source>`s belong to it.
  private var player: Post.Attachment?

  init(base: String?) { self.base = base }

  /// Takes in an element that shows something, at a place of the text (`Post.Picture.place`).
  /// Returns what stands in the text for it: the words of an emoji picture.
  mutating func start(
    _ tag: HTMLTag, _ attributes: HTMLAttributes, at place: Int
  ) -> String? {
    switch tag {
    case .image: return image(attributes, at: place)
    case .video, .audio:
      addPlayer()
      player = Post.Attachment(
        url: FeedAddress.resolve(attributes["src"], base: base) ?? "",
        mediaType: tag == .video ? "video" : "audio",
        title: Sanitizing.collapsed(attributes["title"] ?? attributes["aria-label"] ?? ""),
        place: place)
      if let poster = FeedAddress.resolve(attributes["poster"], base: base) {
        pictures.append(
          Post.Picture(
            url: poster, width: attributes.pixels("width"), height: attributes.pixels("height"),
            place: place))
      }
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

  mutating func end(_ tag: HTMLTag?) {
    switch tag {
    case .video, .audio: addPlayer()
    default: break
    }
  }

  /// Gives what stands at a place from `first` on another one.
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
    let (width, height) = (attributes.pixels("width"), attributes.pixels("height"))
    // Pixels that count readers: invisible to them, and none of a post's pictures.
    if let side = [width, height].compactMap({ $0 }).min(), side <= 2 { return nil }
    let isEmoji =
      ["wp-smiley", "emoji", "emoticon", "custom-emoji"].contains { attributes.hasClass($0) }
    if isEmoji || max(width ?? 999, height ?? 999) <= 32 { return words }
    guard let url = source(of: attributes) else { return words.isEmpty ? nil : "[\(words)]" }
    pictures.append(
      Post.Picture(
        url: url, alternativeText: words, width: width, height: height, place: place))
    return nil
  }

  /// `src`, unless it is a stand-in that a script would replace: what none can be used of stands
  /// for itself, but for `data:`, which only ever stands in.
  private func source(of attributes: HTMLAttributes) -> String? {
    let set = attributes["srcset"] ?? attributes["data-srcset"]
    let fromSet = set?.split { $0 == " " || $0 == "\n" }.first.map(String.init)
    let candidates = [
      attributes["src"], attributes["data-src"], attributes["data-original"], fromSet,
    ]
    for candidate in candidates {
      if let url = FeedAddress.resolve(candidate, base: base) { return url }
    }
    return candidates.lazy.compactMap { FeedAddress.picture($0, base: base) }
      .first { !$0.hasPrefix("data:") }
  }
}
