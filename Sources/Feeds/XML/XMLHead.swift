/// The bytes around the items of a feed: before the first, between them and behind the last.
struct XMLHead: Hashable, Sendable {
  /// A piece of the source.
  private struct Piece: Hashable {
    /// Offset in `bytes`.
    var start: Int
    /// The number of its first line in the source.
    var line: Int
  }

  /// The bytes, in the encoding of the source.
  private(set) var bytes: [UInt8] = []
  private var pieces: [Piece] = []
  /// The first bytes of the source, which determine its encoding.
  private var sample: [UInt8] = []
  /// The encoding, if the bytes were converted before.
  private let known: TextEncoding?
  var names = XMLItemNames()
  /// Offset of the root in `bytes`; `nil` if none was found.
  var rootStart: Int?
  /// Whether the source has ended.
  private(set) var isWhole = false
  /// Whether it has ended inside an item.
  private(set) var endsInItem = false

  init(encoding: TextEncoding? = nil) { known = encoding }

  /// Maximum number of bytes kept.
  private static let limit = FeedLimits.itemBytes

  mutating func addSample(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard known == nil, sample.count < FeedLimits.detectionBytes else { return }
    // Bytes that were left to the next piece are passed again.
    let old = min(bytes.count, max(0, sampleEnd - offset))
    sample += bytes.dropFirst(old).prefix(FeedLimits.detectionBytes - sample.count)
    sampleEnd = max(sampleEnd, offset + bytes.count)
  }
  private var sampleEnd = 0

  /// Keeps bytes that begin in line `line` of the source.
  mutating func add(_ more: [UInt8], line: Int) {
    guard !more.isEmpty, bytes.count + more.count <= Self.limit else { return }
    pieces.append(Piece(start: bytes.count, line: line))
    // Pieces share no line.
    bytes += more + [0x0A]
  }

  mutating func end(line: Int, inItem: Bool) {
    endsInItem = inItem
    pieces.append(Piece(start: bytes.count, line: line))
    isWhole = true
  }

  /// The encoding of the source.
  var encoding: TextEncoding {
    known ?? TextEncoding(of: sample, isCut: sample.count >= FeedLimits.detectionBytes)
  }

  /// The line of the source that corresponds to line `number` of `bytes` from `start` on; both from
  /// 1.
  ///
  /// - Complexity: O(n) in the bytes.
  func sourceLine(_ number: Int, from start: Int) -> Int {
    var rest = number - 1
    let start = min(start, bytes.count)
    for (index, piece) in pieces.enumerated() {
      let end = index + 1 < pieces.count ? pieces[index + 1].start : bytes.count
      guard end > start || index == pieces.count - 1 else { continue }
      let first = max(piece.start, start)
      let breaks = bytes[first..<max(first, end)].count { $0 == 0x0A }
      if rest < breaks || index == pieces.count - 1 { return line(at: first) + rest }
      rest -= breaks
    }
    return number
  }

  /// The line of the source that contains the byte at `place` in `bytes`.
  func line(at place: Int) -> Int {
    guard let piece = pieces.last(where: { $0.start <= place }) else { return 1 }
    return piece.line
      + bytes[min(piece.start, place)..<min(place, bytes.count)].count { $0 == 0x0A }
  }
}
