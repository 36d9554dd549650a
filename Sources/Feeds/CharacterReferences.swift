import System

/// Numeric references to the characters 128–159, which no text means: as in HTML they stand for what
/// Windows-1252 has there (`&#146;` is ’).
enum CharacterReferences {
  /// What Windows-1252 has in the places 128–159, from the Unicode Consortium's table.
  static let windows1252: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
    0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
  ]

  /// - Complexity: O(n) in the bytes.
  static func repaired(_ text: String) -> String {
    var text = text
    let bytes = text.withUTF8 { repaired(UnsafeRawBufferPointer($0)) }
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// - Complexity: O(n) in the bytes.
  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { repaired($0) } ?? bytes
  }

  /// Nil where there is nothing to repair.
  private static func repaired(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    var position = 0
    while position < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + position, Int32(UInt8(ascii: "&")), bytes.count - position)
    {
      let start = UnsafeRawPointer(found) - base
      position = start + 1
      guard let (value, end) = reference(in: bytes, at: start), (128..<160).contains(value) else {
        continue
      }
      result += bytes[copied..<start]
      // Written as a reference again: what is no character there stays none.
      result += Array("&#\(windows1252[value - 128]);".utf8)
      (copied, position) = (end, end)
    }
    guard copied > 0 else { return nil }
    return result + bytes[copied...]
  }

  /// The number of the reference that begins at `start`, and where it ends; nil where none does.
  private static func reference(
    in bytes: UnsafeRawBufferPointer, at start: Int
  ) -> (value: Int, end: Int)? {
    guard start + 3 < bytes.count, bytes[start + 1] == UInt8(ascii: "#") else { return nil }
    let isHexadecimal = bytes[start + 2] | 0x20 == UInt8(ascii: "x")
    var value = 0
    var index = start + (isHexadecimal ? 3 : 2)
    let first = index
    while index < bytes.count, index - first < 8 {
      guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue,
        isHexadecimal || digit < 10
      else { break }
      value = value * (isHexadecimal ? 16 : 10) + digit
      index += 1
    }
    guard index > first, index < bytes.count, bytes[index] == UInt8(ascii: ";") else { return nil }
    return (value, index + 1)
  }
}
