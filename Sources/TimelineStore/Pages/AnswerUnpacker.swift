import Feeds
import HTTP

/// The bytes of an answer, unpacked where they are gzip's, and converted where that is asked for;
/// however much they unpack to, in small pieces.
final class AnswerUnpacker {
  private enum Packing {
    /// Not enough bytes have come.
    case unknown
    case none
    case gzip
  }

  private var packing = Packing.unknown
  private var gzip = GzipReader()
  private var converter: TextConverter?
  /// Bytes that have come and are not unpacked yet, from `position` on.
  private var waiting: [UInt8] = []
  private var position = 0
  /// Unpacked already.
  private var ready: [UInt8] = []
  private var packedCount = 0
  private var unpackedCount = 0
  /// Nothing more is unpacked.
  private var hasEnded = false
  /// Nothing more will come, and all of it was handed over.
  private var isFinished = false
  /// Unpacks what was packed twice: a file of gzip that its server packs once more.
  private var inner: AnswerUnpacker?
  private let isInner: Bool

  init(isInner: Bool = false) { self.isInner = isInner }

  /// Packed bytes that are unpacked at a time: a thousand times as many come of them at most.
  private static let packedStep = 1 << 10
  /// Bytes that are unpacked of an answer.
  private static let limit = 512 << 20
  /// Bytes that make a piece.
  private static let piece = 256 << 10

  func add(_ chunk: [UInt8]) {
    packedCount += chunk.count
    guard !hasEnded else { return }
    if position > 0 { waiting.removeFirst(position) }
    position = 0
    if waiting.isEmpty { waiting = chunk } else { waiting += chunk }
  }

  /// Has bytes come again that were read.
  func putBack(_ bytes: [UInt8]) { ready = ready.isEmpty ? bytes : bytes + ready }

  /// Has the text converted to UTF-8 from its beginning on, where it has to be.
  ///
  /// - Parameters:
  ///   - bytes: what was read so far, which is converted.
  ///   - charset: what the answer says of a text that says nothing of itself; nil where the text
  ///     alone counts.
  /// - Returns: whether it is.
  func convert(_ bytes: inout [UInt8], from charset: String? = nil) -> Bool {
    let needed: TextConverter? =
      if let charset {
        TextConverter(for: bytes, charset: charset, isWhole: isFinished)
      } else {
        TextConverter(for: bytes)
      }
    guard var converter = needed else { return false }
    bytes = converter.convert(bytes, isFinal: isFinished)
    if !isFinished { self.converter = consume converter }
    return true
  }

  /// What is wrong with the packing, once all was handed over; nil where nothing is. Bytes behind a
  /// whole file of gzip do not matter.
  var failure: HTTPError? {
    if let failure = inner?.failure { return failure }
    guard packing == .gzip, gzip.isInside else { return nil }
    if unpackedCount > Self.limit { return .tooLarge(limit: Self.limit) }
    return gzip.hasFailed
      ? .malformed(reason: "its compression cannot be read")
      : .truncated(expected: nil, received: packedCount)
  }

  /// The next piece; none where more has to come.
  func next() -> [UInt8] {
    if !ready.isEmpty {
      let piece = Array(ready.prefix(Self.piece))
      ready.removeFirst(piece.count)
      return piece
    }
    if packing == .unknown {
      guard waiting.count >= 3 else { return [] }
      packing = GzipReader.begins(waiting) ? .gzip : .none
    }
    while true {
      if let piece = inner?.next(), !piece.isEmpty { return converted(piece, isFinal: false) }
      let isFirst = unpackedCount == 0
      let piece = packing == .gzip ? unpacked() : taken()
      if isFirst, !isInner, packing == .gzip, GzipReader.begins(piece) {
        inner = AnswerUnpacker(isInner: true)
      }
      guard let inner, !piece.isEmpty else { return converted(piece, isFinal: false) }
      inner.add(piece)
    }
  }

  /// The last piece, when nothing more will come.
  func finish() -> [UInt8] {
    if packing == .unknown { packing = .none }
    let rest = next()
    if !rest.isEmpty { return rest }
    if let last = inner?.finish(), !last.isEmpty { return converted(last, isFinal: false) }
    guard !isFinished else { return [] }
    isFinished = true
    return converted([], isFinal: true)
  }

  private func taken() -> [UInt8] {
    defer { (waiting, position) = ([], 0) }
    return position == 0 ? waiting : Array(waiting[position...])
  }

  private func unpacked() -> [UInt8] {
    var piece: [UInt8] = []
    while position < waiting.count, piece.count < Self.piece, !hasEnded {
      let end = min(position + Self.packedStep, waiting.count)
      let goesOn = gzip.unpack(Array(waiting[position..<end])) { bytes in
        piece += bytes
        unpackedCount += bytes.count
        return unpackedCount <= Self.limit
      }
      if gzip.hasFailed, unpackedCount == 0, position == 0 {
        // It only begins as gzip does.
        packing = .none
        return taken()
      }
      position = end
      hasEnded = !goesOn
    }
    return piece
  }

  private func converted(_ bytes: [UInt8], isFinal: Bool) -> [UInt8] {
    guard converter != nil, !bytes.isEmpty || isFinal else { return bytes }
    return converter?.convert(bytes, isFinal: isFinal) ?? bytes
  }
}
