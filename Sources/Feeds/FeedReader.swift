/// The entry to all readers.
public enum FeedReader {
  /// What a source is, by its first bytes; ``FeedLimits/detectionBytes`` of them suffice.
  ///
  /// Throws where it is no timeline at all: empty, binary, an HTML page, XML of another kind.
  ///
  /// - Complexity: O(n) in the bytes, of which no more than those are looked at.
  public static func detect(_ prefix: [UInt8]) throws(FeedError) -> FeedFormat {
    let isLong = prefix.count > FeedLimits.detectionBytes
    return try FeedDetector.detect(
      isLong ? Array(prefix.prefix(FeedLimits.detectionBytes)) : prefix)
  }

  /// Whether a source whose first bytes these are is read row by row, by ``RowScanner`` and
  /// ``RowReader``: lines, text, documents of XML in which ASCII is itself, and of JSON that are UTF-8 and
  /// neither RSS nor a thread, whose posts stand in one another.
  ///
  /// - Complexity: O(n) in the bytes.
  public static func isReadByRows(_ prefix: [UInt8], format: FeedFormat) -> Bool {
    switch format {
    case .jsonl, .text: return true
    case .rss, .atom: return UnicodeText.conversion(of: prefix) == nil
    case .jsonfeed, .mastodon, .activitypub, .bluesky:
      let text = UnicodeText(Array(prefix.prefix(8)))
      guard !text.isTranscoded else { return false }
      var scanner = RowScanner(format: format, offset: 0)
      prefix.dropFirst(byteOrderMark(of: prefix)).withContiguousStorageIfAvailable {
        scanner.consume(UnsafeRawBufferPointer($0)) { _ in }
      }
      return !scanner.head.isRSS && !scanner.head.isThread
    }
  }

  /// Bytes of a UTF-8 byte order mark at the beginning: 3 or 0.
  @inlinable public static func byteOrderMark(of prefix: some Sequence<UInt8>) -> Int {
    prefix.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Reads a timeline whole. `baseURL` is where it came from: addresses in it are relative to that.
  ///
  /// What is damaged in part is read as far as it goes, and marked. Throws where nothing could be.
  ///
  /// - Complexity: O(n) in the bytes.
  public static func read(
    _ bytes: [UInt8], format: FeedFormat? = nil, baseURL: String? = nil,
    as form: ContentForm = .styled
  ) throws(FeedError) -> FeedDocument {
    guard bytes.count <= FeedLimits.documentBytes else {
      throw FeedError(.tooLarge(bytes: bytes.count, limit: FeedLimits.documentBytes))
    }
    let format = if let format { format } else { try detect(bytes) }
    if format.isXML, UnicodeText.conversion(of: bytes) == nil {
      guard bytes.contains(where: { $0 > 32 }) else { throw FeedError(.empty) }
      return try XMLFeedReader.read(bytes, format: format, baseURL: baseURL, as: form)
    }
    let text = UnicodeText(bytes)
    guard text.bytes.contains(where: { $0 > 32 }) else { throw FeedError(.empty) }
    switch format {
    case .rss, .atom:
      return try XMLFeedReader.read(
        text.bytes, encoding: .utf8, format: format, baseURL: baseURL, as: form)
    case .jsonfeed, .mastodon, .activitypub, .bluesky:
      return try JSONDocumentReader.read(text, format: format, baseURL: baseURL, as: form)
    case .jsonl, .text:
      // UTF-8 goes in as it is: the stream marks the rows whose bytes it repairs.
      var stream = PostStream(format: format, baseURL: baseURL, as: form)
      var document = FeedDocument(format: format)
      document.posts = stream.consume(text.isTranscoded ? text.bytes : bytes)
      document.posts += stream.finish()
      let head = FeedHead(info: document.info, base: baseURL)
      document.complete(head, isRepaired: text.isTranscoded && text.firstRepair != nil)
      return document
    }
  }
}
