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
    let telling: [UInt8]
    do throws(SystemFailure) {
      head = try file.read(0..<min(size, Self.firstChunk))
      telling = try Self.isHole(head) ? Self.firstBytes(behind: head, of: file, size: size) : head
    } catch {
      throw self.error(.unreadable(code: error.code, byte: 0))
    }
    let format = try format(of: telling)
    // A document that is read whole at once shows what it says about itself wherever it says so.
    let isByRows =
      if let format {
        FeedReader.isReadByRows(head, format: format)
          && (format.isLines || isLong || size > Self.smallDocument)
      } else { false }
    return Beginning(
      head: head, sawEnd: head.count >= size, format: format, isByRows: isByRows, file: file)
  }

  /// Whether all of the first bytes are zero: what stands behind them tells what they are of.
  static func isHole(_ head: [UInt8]) -> Bool { !head.isEmpty && head.allSatisfy { $0 == 0 } }

  /// The most that is read of a hole to see what stands behind it, in bytes: nothing is stored for
  /// most of them, and so nothing is read.
  static let longestHole = 64 << 20

  /// The bytes behind the hole that a regular file begins with, beginning with some of its zeros;
  /// `head` where none are found.
  private static func firstBytes(
    behind head: [UInt8], of file: FileBytes, size: Int
  ) throws(SystemFailure) -> [UInt8] {
    var position = file.nextStored(from: head.count)
    var left = longestHole
    while position < size, left > 0 {
      let bytes = try file.read(position..<min(size, position + chunk))
      guard !bytes.isEmpty else { break }
      if !isHole(bytes) {
        let zeros = [UInt8](repeating: 0, count: firstChunk)
        return zeros + bytes
      }
      left -= bytes.count
      position = file.nextStored(from: position + bytes.count)
    }
    return head
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
