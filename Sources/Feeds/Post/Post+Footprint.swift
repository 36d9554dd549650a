import TextLayout

extension Post {
  /// Bytes of memory that it takes, about: what collections of posts are bounded by.
  ///
  /// - Complexity: O(n) in its paragraphs, pictures, attachments, tags and quotes.
  package var footprint: Int {
    var bytes = MemoryLayout<Post>.stride + title.footprint + body.footprint
    bytes += sourceText?.byteCount ?? 0
    for text in [id, url, externalURL, source, language, contentWarning, filter, inReplyTo, damage]
    {
      bytes += text?.utf8.count ?? 0
    }
    for author in [author, repostedBy].compactMap(\.self) { bytes += author.textBytes }
    for picture in pictures {
      bytes += MemoryLayout<Picture>.stride + picture.url.utf8.count
      bytes += picture.alternativeText.utf8.count + (picture.blurHash?.utf8.count ?? 0)
    }
    for file in attachments {
      bytes += MemoryLayout<Attachment>.stride + file.url.utf8.count + file.title.utf8.count
    }
    for tag in tags { bytes += MemoryLayout<String>.stride + tag.utf8.count }
    for option in poll?.options ?? [] {
      bytes += MemoryLayout<Poll.Option>.stride + option.title.utf8.count
    }
    if let card { bytes += card.url.utf8.count + card.title.utf8.count }
    return quotes.reduce(bytes) { $0 + $1.footprint }
  }
}

extension Post.Author {
  fileprivate var textBytes: Int {
    [name, handle, url ?? "", avatar ?? ""].reduce(0) { $0 + $1.utf8.count }
  }
}
