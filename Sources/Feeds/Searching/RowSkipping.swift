/// Passes bytes in which no word begins, sixteen at a time.
enum RowSkipping {
  private typealias Block = SIMD16<UInt8>

  /// The first place from `start` on at which a word may begin, or that stands for something else than
  /// itself.
  ///
  /// - Parameter opening: the first two letters of the only word, small; nil where there are several
  ///   words or other letters, with which every place counts.
  /// - Complexity: O(n) in the bytes before it
  @inline(__always) static func next(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, opening: (UInt8, UInt8)?, isJSON: Bool
  ) -> Int {
    guard let (first, second) = opening, let base = bytes.baseAddress else { return start }
    let count = bytes.count
    var position = start
    let (firsts, seconds) = (Block(repeating: first), Block(repeating: second))
    let small = Block(repeating: 0x20)
    while position + 17 <= count {
      let here = UnsafeRawPointer(base + position).loadUnaligned(as: Block.self)
      let next = UnsafeRawPointer(base + position + 1).loadUnaligned(as: Block.self)
      // The first letter, and then the second, or something that may stand before it.
      let opens =
        ((here | small) .== firsts)
        .& (((next | small) .== seconds) .| (next .== 0x3C) .| (next .== 0x26) .| (next .== 0x5C)
          .| (next .>= 0x80))
      // Escapes of code points, and what stands for control characters.
      let escapes =
        (here .== 0x5C) .& ((next .== 0x75) .| (next .== 0x62) .| (next .== 0x66))
      let signs = (here .== 0x26) .| (here .== 0x7F) .| control(here) .| letters(here, next)
      if any(opens .| escapes .| signs) {
        return position + first16(in: base + position, first, second, isJSON)
      }
      position += 16
    }
    return position
  }

  /// Below a space, but for line breaks and tabs.
  @inline(__always) private static func control(_ here: Block) -> SIMDMask<SIMD16<Int8>> {
    (here .< 0x20) .& (here .!= 0x0A) .& (here .!= 0x0D) .& (here .!= 0x09)
  }

  /// The beginning of a code point that may fold to a letter of ASCII: none of Chinese and kana does.
  @inline(__always) private static func letters(
    _ here: Block, _ next: Block
  ) -> SIMDMask<SIMD16<Int8>> {
    let isIdeograph = (here .>= 0xE4) .& (here .<= 0xE9)
    let isKana = (here .== 0xE3) .& (next .>= 0x80) .& (next .<= 0x83)
    return (here .>= 0xC0) .& .!isIdeograph .& .!isKana
  }

  /// Which of sixteen bytes it is, or one before it.
  private static func first16(
    in bytes: UnsafePointer<UInt8>, _ first: UInt8, _ second: UInt8, _ isJSON: Bool
  ) -> Int {
    for index in 0..<16 {
      let (here, next) = (bytes[index], bytes[index + 1])
      if here | 0x20 == first,
        next | 0x20 == second || next == 0x3C || next == 0x26 || next == 0x5C || next >= 0x80
      {
        return index
      }
      switch here {
      case 0x5C: if next == 0x75 || next == 0x62 || next == 0x66 { return index }
      case 0x26, 0x7F: return index
      case 0x0A, 0x0D, 0x09: break
      case 0..<0x20: return index
      case 0xE4...0xE9: break
      case 0xE3: if !(0x80...0x83).contains(next) { return index }
      case 0xC0...: return index
      default: break
      }
    }
    return 15
  }
}
