import TextLayout

/// What stands in markup however it is written: a byte, an escape of JSON, or a reference.
struct MarkupSign {
  var value: UInt32
  /// The place behind it.
  var end: Int

  /// Nil at the end of `bytes`. What is no escape or reference is a byte.
  ///
  /// - Complexity: O(1)
  init?(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, isJSON: Bool, hasReferences: Bool
  ) {
    guard place < bytes.count else { return nil }
    (value, end) = (UInt32(bytes[place]), place + 1)
    switch bytes[place] {
    case UInt8(ascii: "&") where hasReferences:
      if case .character(let own, let behind) = RowReferences.reference(in: bytes, at: end) {
        (value, end) = (own, behind)
      }
    case UInt8(ascii: "\\") where isJSON && end < bytes.count:
      let byte = bytes[end]
      if byte == UInt8(ascii: "u") {
        guard let own = RowReferences.hexadecimal(bytes, at: end + 1) else { return }
        (value, end) = (own, end + 5)
      } else {
        value = "nrt".utf8.contains(byte) ? 0x20 : UInt32(byte)
        end += 1
      }
    case 0x80...:
      let (scalar, length) = UTF8Scalar.decode(bytes, at: place)
      (value, end) = (scalar.value, min(place + length, bytes.count))
    default: break
    }
  }

  var isBlank: Bool {
    value == 0x20 || (0x09...0x0D).contains(value)
      || value >= 0x85 && Unicode.Scalar(value)?.properties.isWhitespace == true
  }
  var isQuotationMark: Bool { value == 0x22 || value == 0x27 }
}

/// The rest of a tag, behind a value of one of its attributes.
struct TagRest {
  /// A tag of HTML in XML may go on so far behind a `&gt;`, if that did not end it.
  private static let longestRemainder = 256
  /// Of a tag that is longer, with values in it, it is not known where it ends.
  private static let longest = 512
  /// From its `&` to its semicolon.
  private static let longestReference = 40

  let bytes: UnsafeBufferPointer<UInt8>
  let isJSON: Bool
  let isXML: Bool
  /// Bytes behind which the last one ended, or its string, and in which nothing else stands that
  /// counts: they are not looked at again.
  private var passed = 0..<0

  init(_ bytes: UnsafeBufferPointer<UInt8>, isJSON: Bool, isXML: Bool) {
    (self.bytes, self.isJSON, self.isXML) = (bytes, isJSON, isXML)
  }

  /// Calls `body` with each place at which the tag may have ended.
  ///
  /// - Returns: false where that is not known.
  /// - Complexity: O(n) in the bytes; of text, which a tag may be taken for, each is looked at
  ///   once.
  mutating func ends(from start: Int, _ body: (Int) -> Void) -> Bool {
    var place = passed.contains(start) ? passed.upperBound : start
    var mark: (value: UInt32, isReference: Bool)?
    var followsEquals = false
    var hasValues = false
    var limit = Int.max
    while place < limit,
      let sign = MarkupSign(in: bytes, at: place, isJSON: isJSON, hasReferences: isXML)
    {
      let (byte, first) = (bytes[place], place)
      if hasValues, place - start > Self.longest { return false }
      if isJSON, byte == UInt8(ascii: "\"") { break }
      place = sign.end
      if let open = mark {
        if sign.value == open.value {
          // In character data a reference does not end what a sign began.
          if (byte == UInt8(ascii: "&")) != open.isReference { return false }
          mark = nil
        } else if open.isReference, byte == UInt8(ascii: ">") {
          body(place)
        }
        continue
      }
      switch sign.value {
      case 0x3E:
        if !hasValues, limit == .max { pass(from: start, upTo: first) }
        body(place)
        guard byte == UInt8(ascii: "&") else { return true }
        limit = min(limit, place + Self.longestRemainder)
      case 0x3C where limit < .max: return true
      case 0x22, 0x27:
        if followsEquals {
          mark = (sign.value, byte == UInt8(ascii: "&"))
          hasValues = true
        }
        followsEquals = false
      case 0x3D: followsEquals = true
      default: if !sign.isBlank { followsEquals = false }
      }
    }
    if !hasValues, limit == .max { pass(from: start, upTo: place) }
    return true
  }

  private mutating func pass(from start: Int, upTo end: Int) {
    if !passed.contains(start), start < end { passed = start..<end }
  }

  /// Whether what ends before `end` may be a value without quotation marks: there is a `=` before
  /// it, or what may stand for one, and no blank between them.
  ///
  /// - Complexity: O(n) in the bytes of the value
  static func mayBeValue(
    in bytes: UnsafeBufferPointer<UInt8>, endingAt end: Int, isJSON: Bool
  ) -> Bool {
    var place = end
    while place > 0 {
      place -= 1
      var sign = UInt32(bytes[place])
      switch bytes[place] {
      case UInt8(ascii: ";"):
        guard let start = referenceStart(in: bytes, endingAt: place) else { continue }
        guard
          case .character(let value, place + 1) = RowReferences.reference(in: bytes, at: start + 1),
          value != 0x26
        else { return true }
        (sign, place) = (value, start)
      case UInt8(ascii: "\\") where isJSON:
        guard let escape = MarkupSign(in: bytes, at: place, isJSON: true, hasReferences: false)
        else { return true }
        // One more may stand before, and mean that this is a sign.
        if place > 0, bytes[place - 1] == bytes[place] { return true }
        sign = escape.value
      default: break
      }
      switch sign {
      case 0x3D: return true
      case 0x20, 0x09, 0x0A, 0x0D, 0x22, 0x27, 0x3C, 0x3E: return false
      default: break
      }
    }
    return false
  }

  /// Where the reference begins that may end with the semicolon at `end`.
  private static func referenceStart(
    in bytes: UnsafeBufferPointer<UInt8>, endingAt end: Int
  ) -> Int? {
    bytes[max(0, end - longestReference)..<end].lastIndex(of: UInt8(ascii: "&"))
  }
}
