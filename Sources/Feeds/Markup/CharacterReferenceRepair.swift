import System

/// Rewrites character references that libxml2 would read differently from a browser.
///
/// 1. Numbers from 128 to 159 denote control characters, which no text means; they stand for the
///    characters of Windows-1252 (`&#146;` is ’).
/// 2. In the text of HTML, names added by HTML 5 become numbers (`&check;`), and names that are
///    valid without a semicolon get one (`a&nbsp b`). In tags they stay unchanged: addresses are
///    full of `&copy=2`.
/// 3. In HTML, numbers need no semicolon, and those of no character (`&#0;`) become U+FFFD: libxml2
///    does so since 2.14 and dropped them before.
enum CharacterReferenceRepair {
  /// The characters of Windows-1252 at 128–159, from the Unicode Consortium's table.
  static let windows1252: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
    0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
  ]

  /// HTML with all rules applied.
  ///
  /// - Complexity: O(n) in the bytes.
  static func repaired(html text: String) -> String {
    var text = text
    let bytes = text.withUTF8 { repaired(UnsafeRawBufferPointer($0), isHTML: true) }
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// XML with rule 1 applied.
  ///
  /// - Complexity: O(n) in the bytes.
  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { repaired($0, isHTML: false) } ?? bytes
  }

  /// `nil` if nothing needs repair.
  private static func repaired(_ bytes: UnsafeRawBufferPointer, isHTML: Bool) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    var position = 0
    while let start = bytes.index(of: UInt8(ascii: "&"), from: position) {
      position = start + 1
      let repaired: String
      let end: Int
      if let number = reference(in: bytes, at: start), isHTML || number.isEnded {
        // Written as a reference again, so that codes undefined in Windows-1252 stay references.
        if (128..<160).contains(number.value) {
          repaired = "&#\(windows1252[Int(number.value) - 128]);"
        } else if isHTML, !isCharacter(number.value) {
          repaired = "\u{FFFD}"
        } else {
          continue
        }
        end = number.end
      } else if isHTML, let name = namedReference(in: bytes, at: start) {
        (repaired, end) = name
      } else {
        continue
      }
      result += bytes[copied..<start]
      result += Array(repaired.utf8)
      (copied, position) = (end, end)
    }
    guard copied > 0 else { return nil }
    return result + bytes[copied...]
  }

  private static func isCharacter(_ value: UInt32) -> Bool {
    value != 0 && Unicode.Scalar(value) != nil
  }

  /// The number of the reference at `start`, its end, and whether a semicolon ends it; `nil` if
  /// there is no numeric reference.
  private static func reference(
    in bytes: UnsafeRawBufferPointer, at start: Int
  ) -> (value: UInt32, end: Int, isEnded: Bool)? {
    guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "#"),
      case .character(let value, let end) = CharacterReferenceReader.number(
        in: bytes.assumingMemoryBound(to: UInt8.self), at: start + 2)
    else { return nil }
    return (value, end, bytes[end - 1] == UInt8(ascii: ";"))
  }

  /// The named reference at `start` in a form that libxml2 reads, and its end; `nil` if it may stay
  /// unchanged.
  private static func namedReference(
    in bytes: UnsafeRawBufferPointer, at start: Int
  ) -> (text: String, end: Int)? {
    var end = start + 1
    let limit = min(bytes.count, end + NamedReferences.longest)
    while end < limit, bytes[end].isAlphanumeric { end += 1 }
    let name = bytes[start + 1..<end]
    guard name.count > 1 else { return nil }
    let word = String(decoding: name, as: UTF8.self)
    if end < bytes.count, bytes[end] == UInt8(ascii: ";") {
      if LibXML.functions?.htmlEntityLookup(word) != nil { return nil }
      if let values = NamedReferences.codePoints(word) {
        guard !isInTag(bytes, at: start) else { return nil }
        return (values.map { "&#\($0);" }.joined(), end + 1)
      }
    }
    guard let beginning = NamedReferences.unterminatedPrefix(word), !isInTag(bytes, at: start)
    else {
      return nil
    }
    let values = NamedReferences.codePoints(beginning)
    let text = values.map { $0.map { "&#\($0);" }.joined() } ?? "&\(beginning);"
    return (text, start + 1 + beginning.utf8.count)
  }

  /// Bytes that are searched backwards for the beginning of a tag.
  private static let longestTag = 1_024

  /// Whether the nearest bracket before `start` begins a tag.
  ///
  /// - Complexity: O(1), since the backward search is bounded.
  private static func isInTag(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    var index = start - 1
    while index >= max(0, start - longestTag) {
      if bytes[index] == UInt8(ascii: ">") { return false }
      if bytes[index] == UInt8(ascii: "<") {
        let next = bytes[index + 1]
        return next.isLetter || next == UInt8(ascii: "/") || next == UInt8(ascii: "!")
      }
      index -= 1
    }
    return false
  }
}
