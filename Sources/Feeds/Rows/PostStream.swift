import TextLayout

/// Posts out of bytes that come in pieces: JSON Lines and plain text of any length.
///
/// The bytes are UTF-8; a byte order mark at the start is dropped. Where a piece ends makes no
/// difference to the posts. Ids of items that have none are `"byte N"`, their place in the source.
public struct PostStream: Sendable {
  /// `.jsonl` or `.text`.
  public let format: FeedFormat
  private var lines: LineSplitter
  private let items: JSONItemReader
  private var paragraph: TextParagraph?

  /// A stream of `.jsonl`; every other format is taken for `.text`. `offset` is where in the source the
  /// first byte stands, and must be the beginning of a line.
  public init(format: FeedFormat, offset: Int = 0, baseURL: String? = nil) {
    self.format = format == .jsonl ? .jsonl : .text
    lines = LineSplitter(offset: offset)
    items = JSONItemReader(format: .jsonl, base: baseURL)
  }

  /// The posts that are complete with these bytes.
  ///
  /// - Complexity: O(n) in the bytes; memory of one item, at most ``FeedLimits/itemBytes``.
  public mutating func consume(_ bytes: UnsafeRawBufferPointer) -> [Post] {
    var posts: [Post] = []
    // Taken out, or every piece would copy the line begun before it.
    var splitter = LineSplitter(offset: 0)
    swap(&splitter, &lines)
    splitter.consume(bytes) { add($0, to: &posts) }
    lines = splitter
    return posts
  }

  /// The posts that are complete with these bytes.
  public mutating func consume(_ bytes: some Collection<UInt8>) -> [Post] {
    if let posts = bytes.withContiguousStorageIfAvailable({ consume(UnsafeRawBufferPointer($0)) }) {
      return posts
    }
    return Array(bytes).withUnsafeBytes { consume($0) }
  }

  /// The posts of what was still incomplete; the stream is at its end.
  public mutating func finish() -> [Post] {
    var posts: [Post] = []
    var splitter = lines
    splitter.finish { add($0, to: &posts) }
    lines = splitter
    endParagraph(&posts)
    return posts
  }

  private mutating func add(_ line: LineSplitter.Line, to posts: inout [Post]) {
    var bytes = line.bytes
    var offset = line.offset
    if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      bytes = UnsafeBufferPointer(rebasing: bytes[3...])
      offset = 3
    }
    while let last = bytes.last, last == 0x0D || (format == .jsonl && last <= 32) {
      bytes = UnsafeBufferPointer(rebasing: bytes.dropLast())
    }
    if format == .jsonl {
      while let first = bytes.first, first <= 32 {
        bytes = UnsafeBufferPointer(rebasing: bytes.dropFirst())
      }
    }
    if line.length > line.bytes.count {
      endParagraph(&posts)
      posts.append(
        items.raw(
          bytes, offset: offset,
          damage: "a line of \(line.length) bytes: only its beginning is shown"))
    } else if format == .jsonl {
      if !bytes.isEmpty { posts.append(item(bytes, offset: offset)) }
    } else if bytes.allSatisfy({ $0 <= 32 && $0 != 0x1B && $0 != 0 }) {
      endParagraph(&posts)
    } else {
      if paragraph == nil { paragraph = TextParagraph(offset: offset) }
      paragraph?.add(bytes)
      if paragraph?.isFull(at: line.offset + line.length + 1) == true { endParagraph(&posts) }
    }
  }

  private func item(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int) -> Post {
    if bytes.first == UInt8(ascii: "{") { return items.post(bytes, offset: offset) }
    var paragraph = TextParagraph(offset: offset)
    paragraph.add(bytes)
    return paragraph.post
  }

  private mutating func endParagraph(_ posts: inout [Post]) {
    if let paragraph { posts.append(paragraph.post) }
    paragraph = nil
  }
}

/// Lines of text that make one row.
private struct TextParagraph: Sendable {
  let offset: Int
  private var bytes: [UInt8] = []
  private var lineCount = 0

  init(offset: Int) { self.offset = offset }

  mutating func add(_ line: UnsafeBufferPointer<UInt8>) {
    if lineCount > 0 { bytes.append(0x0A) }
    bytes.append(contentsOf: line)
    lineCount += 1
  }

  /// Whether a line that begins at `next` of the source begins a new row.
  func isFull(at next: Int) -> Bool {
    lineCount >= FeedLimits.paragraphLines || next - offset >= FeedLimits.beginningBytes
  }

  var post: Post {
    var post = Post(id: "byte \(offset)")
    post.body = PlainText.styled(String(decoding: bytes, as: UTF8.self))
    if UnicodeText.firstInvalidByte(of: bytes) != nil {
      post.addDamage("bytes that are not UTF-8 were replaced")
    }
    if bytes.contains(0) { post.addDamage("bytes that are not text were left out") }
    return post
  }
}
