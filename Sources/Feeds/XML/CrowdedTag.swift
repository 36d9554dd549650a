import System

/// A tag with more attributes than are read. libxml2 compares each with all before it, and gives up at
/// none: a tag of a megabyte takes it minutes.
enum CrowdedTag {
  /// The byte at which the first one begins; nil where there is none.
  ///
  /// Comments and CDATA sections are passed over, for what looks like a tag there is none.
  ///
  /// - Complexity: O(n) in the bytes.
  static func first(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var position = 0
    while let start = index(of: UInt8(ascii: "<"), in: bytes, from: position) {
      let rest = UnsafeBufferPointer(rebasing: bytes[start...])
      if rest.starts(with: "<![CDATA[".utf8) {
        position = end(of: "]]>", in: bytes, from: start)
      } else if rest.starts(with: "<!--".utf8) {
        position = end(of: "-->", in: bytes, from: start)
      } else {
        let tag = scan(rest)
        if tag.attributes > FeedLimits.tagAttributes { return start }
        position = start + tag.length
      }
    }
    return nil
  }

  /// The attributes of the tag at the beginning, and its bytes; both end where it is crowded.
  private static func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> (attributes: Int, length: Int) {
    var attributes = 0
    var quote: UInt8?
    for (index, byte) in bytes.enumerated().dropFirst() {
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "="):
        attributes += 1
        if attributes > FeedLimits.tagAttributes { return (attributes, index) }
      case UInt8(ascii: ">"): return (attributes, index + 1)
      // Text with a bare `<` in it.
      case UInt8(ascii: "<"): return (attributes, index)
      default: break
      }
    }
    return (attributes, bytes.count)
  }

  private static func index(
    of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Where what follows `mark` begins; the end where it does not stand there.
  private static func end(
    of mark: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    let last = mark.utf8Start[mark.utf8CodeUnitCount - 1]
    var position = start + mark.utf8CodeUnitCount
    while let found = index(of: last, in: bytes, from: position) {
      let begin = found + 1 - mark.utf8CodeUnitCount
      if begin >= start,
        memcmp(base + begin, mark.utf8Start, mark.utf8CodeUnitCount) == 0
      {
        return found + 1
      }
      position = found + 1
    }
    return bytes.count
  }
}
