/// Skips bytes that a ``RowPrefilter`` with a single word need not look at.
struct WordStartScanner: Sendable {
  /// The first two letters of the word, in lower case; `nil` if there are several words, or if the
  /// word is a single letter or not ASCII: nothing is skipped then.
  private let opening: (UInt8, UInt8)?
  /// Not 0 for bytes at which skipping may stop: 1 always, 2 if the word may continue after marks.
  private let stops: [UInt8]

  init(opening: (UInt8, UInt8)?) {
    self.opening = opening
    guard let first = opening?.0 else {
      stops = []
      return
    }
    var stops = [UInt8](repeating: 0, count: 256)
    for byte in 0..<256 where byte < 0x20 || byte >= 0xC0 { stops[byte] = 1 }
    for byte in 0..<0x80 where MarkupMarks.contains(UInt8(byte)) { stops[byte] = 2 }
    for byte in [first, Self.capital(first), 0x26, 0x5C, 0x7F] { stops[Int(byte)] = 1 }
    // Line breaks, tabs, and the first bytes of Chinese characters, none of which folds to ASCII.
    for byte in [0x09, 0x0A, 0x0D] + Array(0xE4...0xE9) { stops[byte] = 0 }
    self.stops = stops
  }

  /// The first position from `start` on at which the word may begin, or at which a mark, an escape
  /// or a letter that may fold to ASCII stands.
  ///
  /// - Parameter stopsAtMarks: whether the word may continue after marks.
  /// - Complexity: O(n) in the bytes before it, a third of a nanosecond each.
  func next(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, stopsAtMarks: Bool
  ) -> Int {
    guard let (first, second) = opening else { return start }
    return stops.withUnsafeBufferPointer { stops in
      guard let base = bytes.baseAddress, let table = stops.baseAddress else { return start }
      let ignored: UInt8 = stopsAtMarks ? 0 : 2
      var position = start
      let last = bytes.count - 1
      while true {
        while position < last, table[Int(base[position])] & ~ignored == 0 { position += 1 }
        guard position < last else { return position }
        if Self.isStop(bytes, position, first, second) { return position }
        position += 1
      }
    }
  }

  /// Whether skipping stops at a byte that `stops` marks, judged by the bytes after it.
  private static func isStop(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ first: UInt8, _ second: UInt8
  ) -> Bool {
    let next = bytes[position + 1]
    switch bytes[position] {
    // The first letter: before the second, or before something that may stand between them.
    case first, capital(first):
      switch next {
      case second, capital(second), 0x80..., 0x0D: return true
      case 0x20, 0x09, 0x0A:
        guard position + 2 < bytes.count else { return true }
        let behind = bytes[position + 2]
        return behind <= 0x20 || MarkupMarks.contains(behind)
          || MarkupMarks.mayEndValue(in: bytes, at: position + 1)
      case UInt8(ascii: "/"): return MarkupMarks.mayEndValue(in: bytes, at: position + 1)
      default: return MarkupMarks.contains(next)
      }
    // Escapes of code points, of control characters, and of blanks, which are marks.
    case 0x5C: return "ubfnrt".utf8.contains(next)
    // Kana and CJK punctuation: none folds to a visible ASCII character.
    case 0xE3: return !(0x80...0x83).contains(next)
    default: return true
    }
  }

  /// A letter's capital; any other byte itself.
  private static func capital(_ byte: UInt8) -> UInt8 {
    (0x61...0x7A).contains(byte) ? byte & 0xDF : byte
  }
}
