import TextLayout

@testable import Feeds

extension FuzzTarget {
  private static let rowFormats = FeedFormat.allCases.filter { $0.isLines || $0.isJSONDocument }

  /// Lines, text and documents of JSON: read whole, read row by row, and found in pieces. The first
  /// byte is the format, the next two say where the source is cut.
  static let rows = FuzzTarget(
    "rows", modules: ["Feeds", "TextLayout"], longestInput: 4_096, briefRuns: 4000,
    seeds: (FeedSeeds.json + FeedSeeds.lines).flatMap { text in
      rowFormats.indices.map { [UInt8($0), 40, 90] + Array(text.utf8) }
    }
  ) { bytes in
    var input = InputBytes(bytes)
    let format = input.element(of: rowFormats)
    let cuts = [Int(input.byte()), Int(input.byte())]
    let source = Array(input.rest)
    let rows = RowsReading(source, format: format, pieces: [source.count])
    let pieces = RowsReading(
      source, format: format, pieces: [cuts[0] * source.count / 256, cuts[1], source.count])
    try require(rows.rows == pieces.rows, "\(pieces.rows) in pieces, \(rows.rows) at once")
    try require(rows.fault == pieces.fault, "a fault \(pieces.fault ?? "") in pieces")
    try require(rows.head == pieces.head, "another head in pieces")
    let posts = rows.posts
    try PostChecks.check(posts, idsDiffer: false)
    try checkWhole(source, format, posts)
    for (row, post) in zip(rows.rows, posts) {
      try checkExtent(of: post, source[row.start..<row.end], format)
    }
  }

  /// What is told of a row by a look at its bytes is no less than what reading it shows.
  private static func checkExtent(
    of post: Post, _ bytes: ArraySlice<UInt8>, _ format: FeedFormat
  ) throws(Finding) {
    guard let extent = bytes.withUnsafeBytes({ RowSizeBound(ofRow: $0, format: format) }) else {
      return
    }
    for width in [40, 90] {
      for (text, bound) in [(post.title, extent.title), (post.body, extent.body)] {
        let height = TextFrame(text, width: width).size.height
        try require(
          height <= bound.lines(width: width), "\(height) lines, said to be \(bound) at \(width)")
      }
    }
    try require(post.pictures.count <= extent.pictures.count, "more pictures than said")
    try require(post.tags.isEmpty || extent.tags.columns > 0, "tags that were not said")
    try require(post.attachments.isEmpty && post.quotes.isEmpty, "parts that were not said")
  }

  /// Reading the source whole makes the same posts of the same rows.
  private static func checkWhole(
    _ source: [UInt8], _ format: FeedFormat, _ posts: [Post]
  ) throws(Finding) {
    if format.isLines {
      let whole = readRows(source, format: format)
      try require(whole == posts, "rows by themselves are other posts than all at once")
    } else {
      let document = Array(source.dropFirst(FeedReader.byteOrderMark(of: source)))
      var scanner = JSONDocumentScanner(format: format)
      var count = 0
      document.withUnsafeBytes {
        _ = scanner.scan(SourcePiece(bytes: $0, base: 0, isFinal: true)) { _ in count += 1 }
      }
      try require(count == posts.count, "\(count) items at once, \(posts.count) rows")
    }
    guard let document = try? FeedReader.read(source, format: format) else { return }
    try PostChecks.check(document.posts, idsDiffer: true)
    try PostChecks.check(document.info)
  }
}

/// The posts of a source that is read in batches.
func readRows(_ bytes: [UInt8], format: FeedFormat) -> [Post] {
  var batcher = RowBatcher(format: format)
  let posts = batcher.consume(bytes).posts()
  return posts + ((try? batcher.finish())?.posts() ?? [])
}

/// A source read row by row.
private struct RowsReading {
  let source: [UInt8]
  let format: FeedFormat
  private(set) var rows: [RowScanner.Row] = []
  let head: DocumentHead
  let fault: String?

  /// - Parameter pieces: where the source is cut; what does not ascend is passed over.
  init(_ source: [UInt8], format: FeedFormat, pieces: [Int]) {
    self.source = source
    self.format = format
    var start = FeedReader.byteOrderMark(of: source)
    var scanner = RowScanner(format: format, offset: start)
    var rows: [RowScanner.Row] = []
    for end in pieces where end > start && end <= source.count {
      source[start..<end].withUnsafeBytes { scanner.consume($0) { rows.append($0) } }
      start = end
    }
    scanner.finish { rows.append($0) }
    self.rows = rows
    head = scanner.head
    fault = scanner.fault.map { "\($0.place): \($0.reason)" }
  }

  /// Every row by itself, with what follows it up to the next.
  var posts: [Post] {
    let reader = RowReader(format: format, head: head)
    return rows.indices.map { index in
      let end = index + 1 < rows.count ? rows[index + 1].start : source.count
      return source[rows[index].start..<end].withUnsafeBytes {
        reader.post($0, offset: rows[index].start, length: $0.count)
      }
    }
  }
}
