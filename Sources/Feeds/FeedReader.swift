/// The entry point to all readers.
public enum FeedReader {
  /// Detects the format of a source from its first bytes; ``FeedLimits/detectionBytes`` suffice.
  ///
  /// Throws if the source is no timeline at all: empty, binary, an HTML page, other XML. A hole of
  /// zero bytes at the beginning of lines or text is skipped and not counted.
  ///
  /// - Complexity: O(n) in the bytes, of which at most ``FeedLimits/detectionBytes`` behind a hole
  ///   are examined.
  public static func detect(_ prefix: [UInt8]) throws(FeedError) -> FeedFormat {
    let hole = prefix.withUnsafeBytes { LineScanner.hole(in: $0) }
    if hole > 0, hole < prefix.count {
      let format = try detect(Array(prefix[hole...].prefix(FeedLimits.detectionBytes)))
      guard format.isLines else { throw FeedError(.binary(byte: 0)) }
      return format
    }
    let isLong = prefix.count > FeedLimits.detectionBytes
    return try FeedDetector.detect(
      isLong ? Array(prefix.prefix(FeedLimits.detectionBytes)) : prefix)
  }

  /// Whether the first bytes of a source can only be text, whatever follows: no document and no
  /// line of JSON begins with them.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func beginsText(_ prefix: [UInt8]) -> Bool { FeedDetector.beginsText(prefix) }

  /// Whether a source with these first bytes is read row by row, with ``RowScanner`` and
  /// ``RowReader``: lines, text, XML documents in an encoding that contains ASCII unchanged, and
  /// JSON documents in UTF-8, except RSS and threads, whose posts are nested.
  ///
  /// - Complexity: O(n) in the bytes.
  public static func isReadByRows(_ prefix: [UInt8], format: FeedFormat) -> Bool {
    switch format.descriptor {
    case .lines, .paragraphs: return true
    case .xml: return UnicodeText.conversion(of: prefix) == nil
    case .json:
      let text = UnicodeText(Array(prefix.prefix(8)))
      guard !text.isTranscoded else { return false }
      var scanner = RowScanner(format: format, offset: 0)
      prefix.dropFirst(byteOrderMark(of: prefix)).withContiguousStorageIfAvailable {
        scanner.consume(UnsafeRawBufferPointer($0)) { _ in }
      }
      return !scanner.head.isRSS && !scanner.head.isThread
    }
  }

  /// Length of a UTF-8 byte order mark at the beginning, in bytes: 3 or 0.
  @inlinable public static func byteOrderMark(of prefix: some Sequence<UInt8>) -> Int {
    prefix.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Reads a whole timeline. Its addresses are resolved against `baseURL`, the address of the
  /// source.
  ///
  /// Damaged parts are read as far as possible and marked. Throws if nothing can be read.
  ///
  /// - Parameter limit: the maximum number of posts; none by default. Its bytes count only for
  ///   posts that are read as they arrive.
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

  /// Opens a timeline whose posts, at most `maximum`, are read later; otherwise like
  /// ``read(_:format:baseURL:as:limit:)``.
  ///
  /// - Complexity: O(n) in the bytes, which are only searched for items.
  package static func open(
    _ bytes: [UInt8], format: FeedFormat, baseURL: String? = nil, as form: ContentForm = .styled,
    atMost maximum: Int = .max
  ) throws(FeedError) -> DocumentReader {
    guard bytes.count <= FeedLimits.documentBytes else {
      throw FeedError(.tooLarge(bytes: bytes.count, limit: FeedLimits.documentBytes))
    }
    var source = bytes
    var offset = 0
    var isRepaired = false
    var head = DocumentHead()
    if !format.isXML || UnicodeText.conversion(of: bytes) != nil {
      let text = UnicodeText(bytes)
      switch format.descriptor {
      case .xml: (source, head) = (text.bytes, DocumentHead(xml: XMLHead(encoding: .utf8)))
      case .json:
        (source, offset) = (text.bytes, text.offset)
        isRepaired = text.firstRepair != nil
      case .lines, .paragraphs:
        // UTF-8 is passed on unchanged: the reader marks rows with repaired bytes.
        if text.isTranscoded { source = text.bytes }
        offset = byteOrderMark(of: source)
        source.removeFirst(offset)
        isRepaired = text.isTranscoded && text.firstRepair != nil
      }
    }
    guard source.contains(where: { $0 > 32 }) else { throw FeedError(.empty) }
    return DocumentReader(
      source, offset: offset, format: format, within: head, isRepaired: isRepaired,
      baseURL: baseURL, as: form, atMost: maximum)
  }
}
