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

  /// Reads a timeline whole. `baseURL` is where it came from: addresses in it are relative to that.
  ///
  /// What is damaged in part is read as far as it goes, and marked. Throws where nothing could be.
  ///
  /// - Complexity: O(n) in the bytes.
  public static func read(
    _ bytes: [UInt8], format: FeedFormat? = nil, baseURL: String? = nil
  ) throws(FeedError) -> FeedDocument {
    guard bytes.count <= FeedLimits.documentBytes else {
      throw FeedError(.tooLarge(bytes: bytes.count, limit: FeedLimits.documentBytes))
    }
    let format = if let format { format } else { try detect(bytes) }
    let text = UnicodeText(bytes)
    guard text.bytes.contains(where: { $0 > 32 }) else { throw FeedError(.empty) }
    switch format {
    case .rss, .atom: return try XMLFeedReader.read(text, format: format, baseURL: baseURL)
    case .jsonfeed: return try JSONFeedReader.read(text, baseURL: baseURL)
    case .jsonl, .text:
      // UTF-8 goes in as it is: the stream marks the rows whose bytes it repairs.
      var stream = PostStream(format: format, baseURL: baseURL)
      var document = FeedDocument(format: format)
      document.posts = stream.consume(text.isTranscoded ? text.bytes : bytes)
      document.posts += stream.finish()
      if text.isTranscoded, text.firstRepair != nil {
        for index in document.posts.indices where document.posts[index].holdsReplacement {
          document.posts[index].addDamage("bytes that are not text were replaced")
        }
      }
      document.makeIDsUnique()
      return document
    }
  }
}
