/// The post of one row, read by itself: the same as reading the whole source makes of it.
public struct RowReader: Sendable {
  /// Bytes of a row that are looked at; of a longer one only the beginning is shown.
  public static let rowBytes = FeedLimits.itemBytes + 2 * FeedLimits.beginningBytes

  /// What the source is written in.
  public let format: FeedFormat
  /// What the document says about itself; empty for lines and text.
  public let info: TimelineInfo
  private let items: JSONItemReader
  private let author: Post.Author?

  /// A reader of rows as ``RowScanner`` finds them in a source of `format`.
  public init(format: FeedFormat, head: DocumentHead = DocumentHead(), baseURL: String? = nil) {
    self.format = format
    let own = head.read(baseURL: baseURL)
    (info, author) = (own.info, own.author)
    items = JSONItemReader(format: format, base: own.base)
  }

  /// The post of a row that begins at `offset` of the source and is `length` bytes long, of which
  /// `bytes` are the first ``rowBytes``. Its end may not be known yet (`hasEnded`).
  ///
  /// - Complexity: O(n) in the bytes.
  public func post(_ bytes: UnsafeRawBufferPointer, offset: Int, length: Int, hasEnded: Bool = true)
    -> Post
  {
    let bytes = bytes.bindMemory(to: UInt8.self)
    if format.isJSONDocument {
      return item(bytes, offset: offset, length: length, hasEnded: hasEnded)
    }
    let line = hasEnded ? bytes.firstIndex(of: 0x0A) : nil
    if length > FeedLimits.itemBytes, line == nil || (line ?? 0) > FeedLimits.itemBytes {
      // Where blanks follow the line they are counted with it.
      let count = line ?? length
      return items.raw(
        UnsafeBufferPointer(rebasing: bytes.prefix(FeedLimits.itemBytes)), offset: offset,
        damage: "a line of \(Self.size(count, hasEnded)): only its beginning is shown")
    }
    var stream = PostStream(format: format, offset: offset)
    let posts = stream.consume(UnsafeRawBufferPointer(bytes)) + stream.finish()
    if let post = posts.first { return post }
    var post = Post(id: "byte \(offset)")
    post.damage = "nothing stands here any more (byte \(offset))"
    return post
  }

  private static func size(_ count: Int, _ hasEnded: Bool) -> String {
    hasEnded ? "\(count) bytes" : "more than \(count >> 20) MB"
  }

  private func item(
    _ bytes: UnsafeBufferPointer<UInt8>, offset: Int, length: Int, hasEnded: Bool
  ) -> Post {
    var scanner = JSONScanner(bytes)
    let span = scanner.value()
    var post: Post
    if scanner.isAtEnd, length > bytes.count || !hasEnded {
      post = items.raw(
        bytes, offset: offset,
        damage: "an item of \(Self.size(length, hasEnded)): only its beginning is shown")
    } else {
      post = items.post(
        UnsafeBufferPointer(rebasing: bytes[span.range]), offset: offset + span.range.lowerBound)
    }
    FeedDocument.fill(&post, from: info, author: FeedDocument.fallback(author, info), of: author)
    return post
  }
}
