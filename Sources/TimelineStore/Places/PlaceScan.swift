import Feeds
import System

/// Searches a changed file for the post of a place: for a stretch of its id that every notation
/// writes unchanged, nearest to its former position first, and then by reading the row that
/// contains it. Runs in the background and ends when it is cancelled.
struct PlaceScan: Sendable {
  let file: FileBytes
  let format: FeedFormat
  let head: DocumentHead
  let mark: StoredPostIdentity
  /// The text of the post, for one without an id.
  let words: String
  /// The approximate former position.
  let byte: Int

  /// The number of bytes searched at once; a row is read up to 32 times as far before and after the
  /// stretch.
  private static let block = 1 << 20
  /// The maximum number of rows that are read because they contain the stretch.
  private static let maximumRows = 4_000
  /// The maximum number of stretches reported for a JSON document, whose rows the caller examines.
  private static let maximumPlaces = 64

  /// The byte at which the post begins now. In a JSON document, whose rows cannot be found from its
  /// middle, bytes inside of rows that may be the post. Empty if the post is not found.
  func run() -> [Int] {
    guard let needle = mark.needle ?? PostIDPattern(words: words), let size = file.size else {
      return []
    }
    var found: [Int] = []
    search(for: needle, size: size) { place in
      found.append(place)
      return !format.isJSONDocument || found.count >= Self.maximumPlaces
    }
    return found
  }

  /// - Parameter isEnough: receives a byte, and returns whether to stop.
  private func search(for needle: PostIDPattern, size: Int, isEnough: (Int) -> Bool) {
    var rowsRead = 0
    /// The row read last, which may contain the stretch several times.
    var last = 0..<0
    for block in Self.blocks(of: size, around: byte) {
      guard !Task.isCancelled, rowsRead < Self.maximumRows else { return }
      // Stretches that cross the edges of a block are found, too.
      let start = max(0, block.lowerBound - needle.reach)
      let end = min(size, block.upperBound + needle.reach)
      guard let bytes = try? file.read(start..<end) else { return }
      for place in bytes.withUnsafeBytes(needle.places(in:)) where block.contains(start + place) {
        let found = start + place
        guard !format.isJSONDocument else {
          if isEnough(found) { return }
          continue
        }
        if last.contains(found) { continue }
        guard rowsRead < Self.maximumRows, let row = row(around: found, size: size) else {
          continue
        }
        rowsRead += 1
        last = row
        if isPost(row), isEnough(row.lowerBound) { return }
      }
    }
  }

  /// The blocks of a file, those nearest to `byte` first.
  static func blocks(of size: Int, around byte: Int) -> [Range<Int>] {
    let count = (size + block - 1) / block
    let middle = max(0, min(byte, size - 1)) / block
    var order: [Int] = []
    for distance in 0..<max(1, count) {
      let near = distance == 0 ? [middle] : [middle - distance, middle + distance]
      order += near.filter { (0..<count).contains($0) }
      if order.count >= count { break }
    }
    return order.map { $0 * block..<min(size, ($0 + 1) * block) }
  }

  /// The bytes of the row that contains a byte; `nil` if none is found.
  private func row(around byte: Int, size: Int) -> Range<Int>? {
    var reach = Self.block / 8
    while reach <= 32 * Self.block {
      let start = max(0, byte - reach)
      let end = min(size, byte + reach)
      guard let bytes = try? file.read(start..<end), bytes.count == end - start else { return nil }
      if let row = row(around: byte, in: bytes, from: start, isWhole: end == size) { return row }
      guard start > 0 || end < size else { return nil }
      reach *= 2
    }
    return nil
  }

  private func row(
    around byte: Int, in bytes: [UInt8], from start: Int, isWhole: Bool
  ) -> Range<Int>? {
    bytes.withUnsafeBytes { bytes in
      let isFirst = start == 0
      let boundary = isFirst ? 0 : RowScanner.boundary(in: bytes, format: format, within: head)
      guard let boundary, start + boundary <= byte else { return nil }
      let mark = isFirst ? FeedReader.byteOrderMark(of: Array(bytes.prefix(4))) : 0
      var scanner = RowScanner(
        format: format, offset: start + boundary + mark, startsAtRow: !isFirst, within: head)
      var row: Range<Int>?
      let note = { (found: RowScanner.Row) in
        if found.start <= byte, byte < found.end { row = found.start..<found.end }
      }
      scanner.consume(
        UnsafeRawBufferPointer(rebasing: bytes[(boundary + mark)...]), note)
      if row == nil, isWhole { scanner.finish(note) }
      return row
    }
  }

  private func isPost(_ row: Range<Int>) -> Bool {
    let wanted = row.prefix(RowReader.rowBytes)
    guard let bytes = try? file.read(wanted.startIndex..<wanted.endIndex) else { return false }
    let reader = RowReader(format: format, head: head)
    let post = bytes.withUnsafeBytes {
      reader.post($0, offset: row.lowerBound, length: row.count, line: { 1 })
    }
    return mark.isMarkOf(post)
  }
}
