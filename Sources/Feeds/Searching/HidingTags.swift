import System

/// Tags of elements whose content a post may not show, so that what stands before and behind it is
/// beside one another.
enum HidingTags {
  private static let names = ElementNames<Bool>([
    (
      true,
      "span script style head title template svg select option textarea button noframes map canvas"
        + " rp math video audio iframe object img image amp-img"
    )
  ])
  /// Those of a formula, and of what stands above or below the line.
  private static let trimmed = ElementNames<Bool>([(true, Formula.elements + " sup sub")])
  /// Of a longer tag it is not known.
  private static let longestTag = 256
  private static let attribute = Array("hidden".utf8)

  /// Whether the tag may be one that begins behind a `<`, at `start`.
  ///
  /// - Complexity: O(n) in the bytes of the tag
  static func mayStand(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    if trims(in: bytes, at: start) { return true }
    var end = start
    while end < bytes.count, end - start < 16, bytes[end].isLetter || bytes[end] == 0x2D {
      end += 1
    }
    guard end > start else { return false }
    if names[ElementName(bytes[start..<end])] != nil { return true }
    let limit = min(bytes.count, start + longestTag)
    while end < limit, bytes[end] != UInt8(ascii: ">") {
      // The end of the tag as a reference or an escape ends it as well: what follows says no less.
      if bytes[end] | 0x20 == attribute[0], limit - end >= attribute.count,
        zip(attribute, bytes[end...]).allSatisfy({ $0 == $1 | 0x20 })
      {
        return true
      }
      end += 1
    }
    return end == start + longestTag
  }

  /// Whether a tag begins behind a `<`, at `start`, beside which blanks are not shown.
  ///
  /// - Complexity: O(1)
  static func trims(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    var first = start
    if first < bytes.count, bytes[first] == UInt8(ascii: "\\") { first += 1 }
    if first < bytes.count, bytes[first] == UInt8(ascii: "/") { first += 1 }
    var end = first
    while end < bytes.count, end - first < 16, bytes[end].isLetter || bytes[end] == 0x2D {
      end += 1
    }
    return end > first && trimmed[ElementName(bytes[first..<end])] != nil
  }
}
