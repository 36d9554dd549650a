import System

/// A tag of HTML whose `<` is written as a reference or an escape.
enum EscapedTag {
  /// Of a longer tag it is not known where it ends.
  private static let longest = 512
  private static let ending = Array("&gt;".utf8)
  private static let ampersand = Array("&amp;".utf8)

  /// Whether a tag, a comment or the like may begin with the `<` that ends before `start`. Before
  /// anything else every parser takes it for a sign.
  static func mayBegin(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    guard start < bytes.count, case let byte = bytes[start] else { return false }
    return byte.isLetter || "/!?&\\".utf8.contains(byte)
  }

  /// The place behind a tag; nil where it may be read in several ways. It is known of tags
  /// whose quotation marks stand as they are, behind a `=`, and that end in `>` or `&gt;`.
  ///
  /// - Complexity: O(n) in the bytes of the tag
  static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var place = start
    if place < bytes.count, bytes[place] == UInt8(ascii: "/") { place += 1 }
    guard place < bytes.count, bytes[place].isLetter else { return nil }
    let limit = min(bytes.count, start + longest)
    var mark: UInt8 = 0
    while place < limit {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: ">") where mark == 0: return place + 1
      case UInt8(ascii: "&"):
        let rest = bytes[place..<limit]
        if mark == 0 { return rest.starts(with: ending) ? place + ending.count : nil }
        guard rest.starts(with: ampersand) else { return nil }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if mark == 0 {
          guard bytes[place - 1] == UInt8(ascii: "=") else { return nil }
          mark = byte
        } else if mark == byte {
          mark = 0
        }
      // Of XML's sections, and of escapes.
      case UInt8(ascii: "<"), UInt8(ascii: "]"), UInt8(ascii: "\\"): return nil
      default: break
      }
      place += 1
    }
    return nil
  }
}
