import Feeds
import HTTP
import System

/// What the first bytes of a source show, without any change to the reader.
extension SourceReader {
  /// The first bytes of a source, and what they show.
  struct Beginning: Sendable {
    var head: [UInt8]
    var sawEnd: Bool
    /// Nil of a list of feeds.
    var format: FeedFormat?
    /// Whether it can be read row by row.
    var isByRows: Bool
    /// Where the bytes behind them come from.
    var file: FileBytes
  }

  /// The first bytes of a regular file, read by place, without any change to the reader.
  ///
  /// - Parameter isLong: whether it is read row by row however small it is.
  /// - Throws: `SourceError` where that cannot be read or is no timeline.
  nonisolated func look(isLong: Bool = false) throws(SourceError) -> Beginning? {
    guard let file, let size = file.size else { return nil }
    let head: [UInt8]
    do throws(SystemFailure) {
      head = try file.read(0..<min(size, Self.firstChunk))
    } catch {
      throw self.error(.unreadable(code: error.code, byte: 0))
    }
    let format = try format(of: head)
    // A document that is read whole at once shows what it says about itself wherever it says so.
    let isByRows =
      if let format {
        FeedReader.isReadByRows(head, format: format)
          && (format.isLines || isLong || size > Self.smallDocument)
      } else { false }
    return Beginning(
      head: head, sawEnd: head.count >= size, format: format, isByRows: isByRows, file: file)
  }

  /// - Returns: nil of a list of feeds.
  nonisolated func format(of head: [UInt8]) throws(SourceError) -> FeedFormat? {
    if forcedFormat?.isXML ?? true, FeedList.begins(head) { return nil }
    if let forcedFormat {
      if head.isEmpty { throw error(.notATimeline(FeedError(.empty))) }
      // Feeds of XML are told apart by their root, whichever of them was asked for.
      if forcedFormat.isXML, let found = try? FeedReader.detect(head), found.isXML { return found }
      return forcedFormat
    }
    do { return try FeedReader.detect(head) } catch {
      guard ZipFile.begins(head) else { throw self.error(.notATimeline(error)) }
      let isPipe = file?.size == nil
      throw self.error(
        .archive(isPipe ? "a zip file can be read only from a file by its name" : Self.noPosts))
    }
  }

  static let noPosts = "an archive without an outbox.json, the posts of Mastodon's"

  /// What the feeds have that this source lists.
  ///
  /// - Throws: `SourceError` where it lists none, and where a list has listed it.
  nonisolated func feeds(
    of list: FeedList, reach: HTTPReach
  ) throws(SourceError) -> MergedReader {
    guard !isListed else { throw error(.listOfFeeds(list, reach: reach)) }
    guard !list.addresses.isEmpty else { throw error(.noFeeds(list)) }
    return try MergedReader(of: list, as: form, reach: reach, limit: limit, transport: transport)
  }
}
