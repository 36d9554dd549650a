import System

/// Removes from a string everything that a terminal could obey instead of showing, and what only
/// hides things from the reader.
///
/// 1. Recognisable escape sequences are removed whole (`ControlSequence`), and so are all other
///    control characters: C0, C1 and delete. `"\r\n"`, carriage return, vertical tab, form feed,
///    U+0085, U+2028 and U+2029 become `"\n"`; a tab becomes spaces up to the next multiple of
///    eight.
/// 2. Bidi embeddings, overrides and isolates, noncharacters, U+FEFF, interlinear annotation,
///    deprecated and invisible format characters, and U+10EEEE, kitty's placeholder of pictures,
///    go.
/// 3. Tag characters stay only as part of a flag: after U+1F3F4, ended by U+E007F.
/// 4. At most four combining marks stay on one base, as many as a cell holds, and at most four
///    joiners, selectors and the like.
/// 5. Soft hyphens and zero-width spaces stay: they allow line breaks.
///
/// Clean text stays unchanged, so sanitizing twice is sanitizing once.
public enum Sanitizer {
  /// The maximum number of zero-width code points of each kind on one base.
  static let marksPerBase = 4
  /// Columns between tab stops.
  package static let tabWidth = 8

  /// `string` sanitized, with line breaks kept.
  ///
  /// - Complexity: O(n) in UTF-8 bytes; clean text is returned unchanged.
  public static func text(_ string: String) -> String {
    var storage = string
    if storage.withUTF8(isClean) { return string }
    let source = Array(string.unicodeScalars)
    var output = Output(capacity: string.utf8.count)
    var index = 0
    while index < source.count {
      let scalar = source[index]
      if let end = ControlSequence.end(in: source, from: index) {
        index = end
        continue
      }
      index += 1
      switch scalar.value {
      case 0x20..<0x7F:
        output.appendBase(scalar)
      case 0x09:
        repeat { output.appendBase(" ") } while output.column % tabWidth != 0
      case 0x0D:
        if index < source.count, source[index] == "\n" { index += 1 }
        output.appendNewline()
      case 0x0A, 0x0B, 0x0C, 0x85, 0x2028, 0x2029:
        output.appendNewline()
      case 0x1F3F4:
        output.appendBase(scalar)
        let end = flagTagsEnd(in: source, from: index)
        for tag in source[index..<end] { output.appendTag(tag) }
        index = end
      default:
        guard !isForbidden(scalar.value) else { continue }
        output.append(scalar)
      }
    }
    return String(decoding: output.bytes, as: UTF8.self)
  }

  /// Whether nothing has to be removed; false also if one look at each code point cannot decide
  /// that.
  private static func isClean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let table = ScalarWidth.shared
    var carried = Carried()
    var offset = 0
    while offset < bytes.count {
      let ahead = printableBytes(bytes, at: offset)
      if ahead > 0 {
        carried = Carried()
        offset += ahead
        continue
      }
      let byte = bytes[offset]
      if byte < 0x80 {
        guard byte &- 0x20 < 0x5F || byte == UInt8(ascii: "\n") else { return false }
        carried = Carried()
        offset += 1
        continue
      }
      let (scalar, length) = UTF8Scalar.decode(bytes, at: offset)
      let entry = table[scalar.value]
      if entry.isSimple {
        carried = Carried()
      } else {
        if isForbidden(scalar.value) || !carried.take(entry) { return false }
      }
      offset += length
    }
    return true
  }

  /// The number of bytes from `offset` on that are printable ASCII, in whole groups of eight.
  @inline(__always) private static func printableBytes(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var end = offset
    while end + 8 <= bytes.count {
      let eight = raw.loadUnaligned(fromByteOffset: end, as: UInt64.self)
      // A byte below 0x20 borrows, 0x7F carries: both set an upper bit, which bytes from 0x80 on
      // have.
      let others = eight | (eight &- 0x2020_2020_2020_2020) | (eight &+ 0x0101_0101_0101_0101)
      if others & 0x8080_8080_8080_8080 != 0 { break }
      end += 8
    }
    return end - offset
  }

  /// Like ``text(_:)``, with each line break and the spaces around it turned into one space, and no
  /// spaces at the ends: for names, titles and addresses.
  ///
  /// - Complexity: O(n) in UTF-8 bytes.
  public static func line(_ string: String) -> String {
    let clean = text(string)
    guard
      clean.containsByte(UInt8(ascii: "\n")) || clean.utf8.first == UInt8(ascii: " ")
        || clean.utf8.last == UInt8(ascii: " ")
    else { return clean }
    var line = ""
    for part in clean.unicodeScalars.split(separator: "\n") {
      let start = part.firstIndex { $0 != " " }
      guard let start, let end = part.lastIndex(where: { $0 != " " }) else { continue }
      if !line.isEmpty { line += " " }
      line += Substring(part[start...end])
    }
    return line
  }

  /// `string` by rule 4 alone, for text that is escaped by other rules: marks beyond the maximum on
  /// one base are left out.
  ///
  /// - Complexity: O(n) in UTF-8 bytes; text within the maximum is returned unchanged.
  package static func boundingMarks(_ string: String) -> String {
    var storage = string
    let carriesTooMany = storage.withUTF8 { bytes in
      var carried = Carried()
      var offset = 0
      while offset < bytes.count {
        let ahead = printableBytes(bytes, at: offset)
        if ahead > 0 {
          carried = Carried()
          offset += ahead
          continue
        }
        let (scalar, length) = UTF8Scalar.decode(bytes, at: offset)
        guard carried.takeUnlessForbidden(scalar.value) else { return true }
        offset += length
      }
      return false
    }
    guard carriesTooMany else { return string }
    var carried = Carried()
    var kept = String.UnicodeScalarView()
    for scalar in string.unicodeScalars where carried.takeUnlessForbidden(scalar.value) {
      kept.append(scalar)
    }
    return String(kept)
  }

  /// Rule 2, and the rest of what rules 1 and 3 remove.
  package static func isForbidden(_ value: UInt32) -> Bool {
    switch value {
    case 0x00...0x09, 0x0B...0x1F, 0x7F...0x9F: return true
    case 0x180E, 0x202A...0x202E, 0x2028...0x2029, 0x2061...0x206F, 0xFEFF: return true
    case 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0x10EEEE: return true
    case 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: return true
    case 0xFDD0...0xFDEF: return true
    default: return value & 0xFFFE == 0xFFFE
    }
  }

  /// The end of a flag's tags that begin at `start`, or `start` if there are none.
  private static func flagTagsEnd(in source: [Unicode.Scalar], from start: Int) -> Int {
    var index = start
    while index < source.count, index - start < 8 {
      let value = source[index].value
      if value == 0xE007F { return index - start >= 3 ? index + 1 : start }
      guard (0xE0030...0xE0039).contains(value) || (0xE0061...0xE007A).contains(value) else {
        break
      }
      index += 1
    }
    return start
  }

  /// Counts of the zero-width code points of each kind on the last base.
  private struct Carried {
    private var marks = 0
    private var ignorables = 0

    /// Counts one code point of a text in which forbidden ones are shown escaped, as bases.
    mutating func takeUnlessForbidden(_ value: UInt32) -> Bool {
      guard value >= 0x80, !isForbidden(value) else {
        self = Carried()
        return true
      }
      return take(ScalarWidth.shared[value])
    }

    /// Counts one code point; false if it exceeds the maximum.
    mutating func take(_ entry: ScalarWidth.Entry) -> Bool {
      if entry.isIgnorable {
        guard ignorables < Sanitizer.marksPerBase else { return false }
        ignorables += 1
      } else if entry.columns == 0 {
        guard marks < Sanitizer.marksPerBase else { return false }
        marks += 1
      } else {
        self = Carried()
      }
      return true
    }
  }

  /// The clean text so far, and the counts at its end that the rules need.
  private struct Output {
    private(set) var bytes: [UInt8] = []
    /// Code points that take columns since the last line break.
    private(set) var column = 0
    private var carried = Carried()

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func appendBase(_ scalar: Unicode.Scalar) {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      column += 1
      carried = Carried()
    }

    mutating func appendNewline() {
      appendBase("\n")
      column = 0
    }

    mutating func appendTag(_ scalar: Unicode.Scalar) {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    mutating func append(_ scalar: Unicode.Scalar) {
      let entry = ScalarWidth.shared[scalar.value]
      guard carried.take(entry) else { return }
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      if entry.columns > 0 { column += 1 }
    }
  }
}
