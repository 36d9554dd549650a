import Feeds
import HTTP
import System

/// Inspects the first bytes of a source without changing the reader.
extension SourceReader {
  /// The first bytes of a source, and what they reveal.
  struct Beginning: Sendable {
    var head: [UInt8]
    var sawEnd: Bool
    /// `nil` for a list of feeds.
    var format: FeedFormat?
    /// Whether the source can be read row by row.
    var canReadByRows: Bool
    /// The file with the bytes after `head`.
    var file: FileBytes
  }

  /// Reads the first bytes of a regular file by position, without changing the reader.
  ///
  /// - Parameter isLong: whether to read row by row even if the file is small.
  /// - Returns: `nil` for a pipe and for a remote source.
  /// - Throws: `SourceError` if the file cannot be read or is not a timeline.
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
    // A document that is read whole shows its description of itself wherever that is.
    let canReadByRows =
      if let format {
        FeedReader.isReadByRows(head, format: format)
          && (format.isLines || isLong || size > Self.maximumWholeDocumentBytes)
      } else { false }
    return Beginning(
      head: head, sawEnd: head.count >= size, format: format, canReadByRows: canReadByRows,
      file: file)
  }

  /// Whether all bytes are zero, so that only the bytes after them reveal the format.
  static func isHole(_ head: [UInt8]) -> Bool { !head.isEmpty && head.allSatisfy { $0 == 0 } }

  /// The maximum number of bytes of a hole that are read to find what follows it. Parts that are
  /// not stored on disk are skipped instead of read.
  static let maximumHoleBytes = 64 << 20

  /// The bytes after the hole at the beginning of a regular file, preceded by some of its zeros;
  /// `head` if none are found.
  private static func firstBytes(
    behind head: [UInt8], of file: FileBytes, size: Int
  ) throws(SystemFailure) -> [UInt8] {
    var position = file.nextStored(from: head.count)
    var left = maximumHoleBytes
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

  /// - Returns: `nil` for a list of feeds.
  nonisolated func format(of head: [UInt8]) throws(SourceError) -> FeedFormat? {
    if request.format?.isXML ?? true, FeedList.begins(head) { return nil }
    if let forcedFormat = request.format {
      if head.isEmpty { throw error(.notATimeline(FeedError(.empty))) }
      // XML feeds are distinguished by their root element, whichever was requested.
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

  /// The error that names the feeds of a list; another one if there are none.
  nonisolated func error(ofList list: FeedList, reach: RequestScope) -> SourceError {
    guard request.isListed || !list.addresses.isEmpty else { return error(.noFeeds(list)) }
    return error(.listOfFeeds(list, reach: reach))
  }
}
