import System

/// Cuts bytes that come in pieces of any length into lines of bounded length.
struct LineSplitter: Sendable {
  struct Line {
    /// Without its line break; the beginning alone where `length` is more.
    var bytes: UnsafeBufferPointer<UInt8>
    /// Of its first byte in the source.
    var offset: Int
    var length: Int
  }

  private var pending: [UInt8] = []
  private var pendingLength = 0
  private(set) var offset: Int
  private let limit: Int

  /// `limit` is how many bytes of a line are kept.
  init(offset: Int, limit: Int = FeedLimits.itemBytes) {
    self.offset = offset
    self.limit = limit
  }

  /// Calls `body` for each line that ends in `bytes`.
  ///
  /// - Complexity: O(n) in the bytes; memory of one line, at most `limit`.
  mutating func consume(_ bytes: UnsafeRawBufferPointer, _ body: (Line) -> Void) {
    guard let base = bytes.baseAddress else { return }
    var start = 0
    while start < bytes.count {
      let rest = base + start
      guard let found = memchr(rest, 0x0A, bytes.count - start) else {
        keep(UnsafeRawBufferPointer(start: rest, count: bytes.count - start))
        return
      }
      let length = UnsafeRawPointer(found) - rest
      let piece = UnsafeRawBufferPointer(start: rest, count: length)
      if pendingLength == 0 {
        let line = piece.bindMemory(to: UInt8.self)
        emit(UnsafeBufferPointer(rebasing: line.prefix(limit)), length: length, body)
      } else {
        keep(piece)
        emitPending(body)
      }
      offset += 1
      start += length + 1
    }
  }

  /// Calls `body` for the last line where it does not end in a line break.
  mutating func finish(_ body: (Line) -> Void) {
    if pendingLength > 0 { emitPending(body) }
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    pendingLength += bytes.count
    let room = limit - pending.count
    if room > 0 { pending.append(contentsOf: bytes.prefix(room)) }
  }

  private mutating func emitPending(_ body: (Line) -> Void) {
    let length = pendingLength
    let kept = pending
    pending.removeAll(keepingCapacity: kept.count <= 1 << 20)
    pendingLength = 0
    kept.withUnsafeBufferPointer { emit($0, length: length, body) }
  }

  private mutating func emit(
    _ bytes: UnsafeBufferPointer<UInt8>, length: Int, _ body: (Line) -> Void
  ) {
    body(Line(bytes: bytes, offset: offset, length: length))
    offset += length
  }
}
