/// The entry to all readers.
public enum FeedReader {
  /// What a source is, by its first bytes; ``FeedLimits/detectionBytes`` of them suffice.
  ///
  /// Throws where it is no timeline at all: empty, binary, an HTML page, XML of another kind. Lines
  /// and text may begin with a hole of zero bytes, which counts for none.
  ///
  /// - Complexity: O(n) in the bytes, of which no more than those are looked at.
  public static func detect(_ prefix: [UInt8]) throws(FeedError) -> FeedFormat {
    let hole = prefix.withUnsafeBytes { LineRows.hole(in: $0) }
    if hole > 0, hole < prefix.count {
      let format = try detect(Array(prefix[hole...].prefix(FeedLimits.detectionBytes)))
      guard format.isLines else { throw FeedError(.binary(byte: 0)) }
      return format
    }
    let isLong = prefix.count > FeedLimits.detectionBytes
    return try FeedDetector.detect(
      isLong ? Array(prefix.prefix(FeedLimits.detectionBytes)) : prefix)
  }

  /// Whether the first bytes of a source are text, whatever comes behind them: no document begins
  /// so, nor a line of JSON.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func beginsText(_ prefix: [UInt8]) -> Bool { FeedDetector.beginsText(prefix) }

  /// Whether a source whose first bytes these are is read row by row, by ``RowScanner`` and
  /// ``RowReader``: lines, text, documents of XML in which ASCII is itself, and of JSON that are
  /// UTF-8 and neither RSS nor a thread, whose posts stand in one another.
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
  /// - Parameter limit: posts beyond are left out; none are unless one is given. Its bytes count
  ///   only where posts are read as they come.
  /// - Complexity: O(n) in the bytes.
  public static func read(
    _ bytes: [UInt8], format: FeedFormat? = nil, baseURL: String? = nil,
    as form: ContentForm = .styled, limit: PostLimit = .none
  ) throws(FeedError) -> FeedDocument {
    let format = if let format { format } else { try detect(bytes) }
    var reader = try open(bytes, format: format, baseURL: baseURL, as: form, atMost: limit.count)
    let posts = try reader.next(atMost: .max)
    return FeedDocument(format: format, info: reader.info, posts: posts)
  }

  /// A timeline whose posts are still to be read, `maximum` of them at most; else as
  /// ``read(_:format:baseURL:as:limit:)``.
  ///
  /// - Complexity: O(n) in the bytes, which are looked through for items alone.
  package static func open(
    _ bytes: [UInt8], format: FeedFormat, baseURL: String? = nil, as form: ContentForm = .styled,
    atMost maximum: Int = .max
  ) throws(FeedError) -> DocumentReader {
    guard bytes.count <= FeedLimits.documentBytes else {
      throw FeedError(.tooLarge(bytes: bytes.count, limit: FeedLimits.documentBytes))
    }
    if format.isXML, UnicodeText.conversion(of: bytes) == nil {
      guard bytes.contains(where: { $0 > 32 }) else { throw FeedError(.empty) }
      return DocumentReader(bytes, format: format, baseURL: baseURL, as: form, atMost: maximum)
    }
    let text = UnicodeText(bytes)
    guard text.bytes.contains(where: { $0 > 32 }) else { throw FeedError(.empty) }
    switch format {
    case .rss, .atom:
      let head = DocumentHead(xml: XMLHead(encoding: .utf8))
      return DocumentReader(
        text.bytes, format: format, within: head, baseURL: baseURL, as: form,
        atMost: maximum)
    case .jsonfeed, .mastodon, .activitypub, .bluesky:
      return DocumentReader(
        text.bytes, offset: text.offset, format: format, isRepaired: text.firstRepair != nil,
        baseURL: baseURL, as: form, atMost: maximum)
    case .jsonl, .text:
      // UTF-8 goes in as it is: rows whose bytes are repaired are marked by their reader.
      let source = text.isTranscoded ? text.bytes : bytes
      let mark = byteOrderMark(of: source)
      return DocumentReader(
        Array(source[mark...]), offset: mark, format: format,
        isRepaired: text.isTranscoded && text.firstRepair != nil, baseURL: baseURL, as: form,
        atMost: maximum)
    }
  }
}
