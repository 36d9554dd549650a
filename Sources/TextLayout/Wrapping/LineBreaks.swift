import CUnistring

/// The positions at which a line without `"\n"` may be broken: UAX #14 by libunistring, with two
/// rules that libunistring 1.0 lacks.
///
/// 1. LB29: no break between `,` `.` `:` `;` and a letter ("example.com", "e.g.").
/// 2. LB20a, extended to several hyphens: no break after hyphens that begin a word ("--option").
///
/// Thai, Lao, Khmer and Burmese break only at spaces, because the rules need a dictionary for them.
struct LineBreaks {
  /// For each byte, whether a line may begin with it.
  private let marks: [CChar]

  /// - Complexity: O(n), about 20 ns per byte; use it only if simpler rules do not decide.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    marks = [CChar](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      if let source = bytes.baseAddress, let target = buffer.baseAddress {
        u8_possible_linebreaks_v2(source, bytes.count, "UTF-8", target)
        Self.tailor(bytes, buffer)
      }
      count = bytes.count
    }
  }

  /// Whether a line may begin with the byte at `offset`.
  subscript(offset: Int) -> Bool { marks[offset] == CChar(UC_BREAK_POSSIBLE) }

  private static func tailor(
    _ bytes: UnsafeBufferPointer<UInt8>, _ marks: UnsafeMutableBufferPointer<CChar>
  ) {
    let possible = CChar(UC_BREAK_POSSIBLE)
    var hyphensBeginWord = false
    for offset in bytes.indices.dropFirst() {
      let before = bytes[offset - 1]
      if before == UInt8(ascii: "-") {
        if !hyphensBeginWord {
          hyphensBeginWord = offset == 1 || bytes[offset - 2] == UInt8(ascii: " ")
        }
      } else {
        hyphensBeginWord = false
      }
      guard marks[offset] == possible else { continue }
      switch before {
      case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: ";"):
        if isNarrowLetter(bytes, offset) { marks[offset] = CChar(UC_BREAK_PROHIBITED) }
      case UInt8(ascii: "-") where hyphensBeginWord:
        if isNarrowLetter(bytes, offset) || bytes[offset] == UInt8(ascii: "-") {
          marks[offset] = CChar(UC_BREAK_PROHIBITED)
        }
      default: break
      }
    }
  }

  /// Whether the code point at `offset` is a letter of one column: AL or HL in the rules.
  private static func isNarrowLetter(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
    let scalar = UTF8Scalar.decode(bytes, at: offset).scalar
    return scalar.properties.isAlphabetic && ScalarWidth.shared[scalar.value].columns == 1
  }
}
