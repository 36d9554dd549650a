import Feeds
import HTTP

/// Decompresses the body of an answer if it is gzip data, and on request converts the text to
/// UTF-8: in small pieces, however large the body is.
final class AnswerUnpacker {
  private enum Packing {
    /// Too few bytes have arrived to tell.
    case unknown
    case none
    case gzip
  }

  private var packing = Packing.unknown
  private var gzip = GzipReader()
  private var converter: TextConverter?
  /// Bytes that arrived; those from `position` on are not unpacked yet.
  private var waiting: [UInt8] = []
  private var position = 0
  /// Bytes that were put back.
  private var ready: [UInt8] = []
  private var packedCount = 0
  private var unpackedCount = 0
  /// Whether unpacking has stopped, at the limit or at damaged bytes.
  private var hasEnded = false
  /// Whether no more bytes will arrive, and all were returned.
  private var isFinished = false
  /// Unpacks bytes that were packed twice: a gzip file that its server compresses again.
  private var inner: AnswerUnpacker?
  private let isInner: Bool

  init(isInner: Bool = false) { self.isInner = isInner }

  /// The number of packed bytes unpacked at a time. DEFLATE expands them to about a thousand times
  /// as many at most.
  private static let packedStep = 1 << 10
  /// The maximum number of unpacked bytes of an answer.
  private static let limit = 512 << 20
  /// The size in bytes at which unpacking a piece stops. The last step may exceed it by about 1
  /// MiB; uncompressed bytes are returned as they arrived.
  private static let piece = 256 << 10

  func add(_ chunk: [UInt8]) {
    packedCount += chunk.count
    guard !hasEnded else { return }
    if position > 0 { waiting.removeFirst(position) }
    position = 0
    if waiting.isEmpty { waiting = chunk } else { waiting += chunk }
  }

  /// Puts bytes back, to be returned next.
  func putBack(_ bytes: [UInt8]) { ready = ready.isEmpty ? bytes : bytes + ready }

  /// Begins to convert the text to UTF-8, if it is in another encoding.
  ///
  /// - Parameters:
  ///   - bytes: the beginning of the text, which is converted in place.
  ///   - charset: the charset of `Content-Type`, for a text that declares none; `nil` to ignore it.
  /// - Returns: whether the text is converted.
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

  /// Why the compressed bytes were not unpacked whole: damage, an early end, or more than `limit`
  /// bytes. `nil` if they were. Valid once `finish` has returned the last piece.
  ///
  /// Bytes after a whole gzip file are ignored.
  var failure: HTTPError? {
    if let failure = inner?.failure { return failure }
    guard packing == .gzip, gzip.isInside else { return nil }
    if unpackedCount > Self.limit { return .tooLarge(limit: Self.limit) }
    return gzip.hasFailed
      ? .malformed(reason: "its gzip data is damaged")
      : .truncated(expected: nil, received: packedCount)
  }

  /// The next piece; empty until more bytes arrive.
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

  /// The next piece when no more bytes will arrive; empty at the end.
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
        // The bytes only begin like gzip.
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
