/// Passes bytes in which no word begins.
struct RowSkipping: Sendable {
  /// The first two letters of the only word, small, where they are ASCII; nil where there are
  /// several words or other letters, with which every place counts.
  private let opening: (UInt8, UInt8)?
  /// Not 0 for bytes that are looked at closer.
  private let stops: [UInt8]

  init(opening: (UInt8, UInt8)?) {
    self.opening = opening
    guard let first = opening?.0 else {
      stops = []
      return
    }
    var stops = [UInt8](repeating: 0, count: 256)
    for byte in 0..<256 where byte < 0x20 || byte >= 0xC0 { stops[byte] = 1 }
    for byte in [first, Self.capital(first), 0x26, 0x5C, 0x7F] { stops[Int(byte)] = 1 }
    // Line breaks and tabs, and what neither Chinese nor Korean is begun with that folds to ASCII.
    for byte in [0x09, 0x0A, 0x0D] + Array(0xE4...0xE9) { stops[byte] = 0 }
    self.stops = stops
  }

  /// The first place from `start` on at which a word may begin, or that stands for something else
  /// than itself.
  ///
  /// - Complexity: O(n) in the bytes before it, a third of a nanosecond each
  @inline(__always) func next(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard let (first, second) = opening, let base = bytes.baseAddress else { return start }
    return stops.withUnsafeBufferPointer { stops in
      guard let table = stops.baseAddress else { return start }
      var position = start
      let last = bytes.count - 1
      while true {
        while position < last, table[Int(base[position])] == 0 { position += 1 }
        guard position < last else { return position }
        if Self.counts(base[position], base[position + 1], first, second)
          || Self.mayEnd(in: bytes, at: position)
        {
          return position
        }
        position += 1
      }
    }
  }

  /// Whether a byte behind the first letter may stand before the second: that of a tag, an escape,
  /// a quotation mark behind a value, the end of a section, or a sign that is not shown.
  @inline(__always) private static func goesOn(behind byte: UInt8) -> Bool {
    switch byte {
    case 0x3C, 0x26, 0x5C, 0x22, 0x27, 0x5D, 0x0D: true
    default: false
    }
  }

  /// Whether a letter may be all of the end of a value, before a blank or the end of its tag.
  private static func mayEnd(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    let next = bytes[place + 1]
    switch next {
    case 0x20, 0x09, 0x0A:
      guard place + 2 < bytes.count else { return true }
      let behind = bytes[place + 2]
      if behind <= 0x20 || behind >= 0x80 || goesOn(behind: behind) { return true }
    case 0x3E, 0x2F: break
    default: return false
    }
    return TagRest.mayBeValue(in: bytes, endingAt: place + 1, isJSON: true)
  }

  /// A letter's capital; itself of all else.
  @inline(__always) private static func capital(_ byte: UInt8) -> UInt8 {
    (0x61...0x7A).contains(byte) ? byte & 0xDF : byte
  }

  /// Whether a byte of `stops` means anything with the one behind it.
  @inline(__always) private static func counts(
    _ here: UInt8, _ next: UInt8, _ first: UInt8, _ second: UInt8
  ) -> Bool {
    switch here {
    // The first letter: before the second, or something that may stand between them.
    case first, capital(first):
      next | 0x20 == second || next >= 0x80 || goesOn(behind: next)
    // Escapes of code points, and of control characters.
    case 0x5C: next == 0x75 || next == 0x62 || next == 0x66
    // Kana: none folds to ASCII.
    case 0xE3: !(0x80...0x83).contains(next)
    default: true
    }
  }
}
