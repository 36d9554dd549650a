/// Iterates over the characters of a text, without segmenting those of one simple code point.
///
/// Segmenting costs ten times as much as looking up a width, and nearly all text consists of code
/// points that never join: only stretches with others go through `Character`.
enum ClusterScan {
  /// Calls `simple` with each character that is one simple code point, and `complex` with each
  /// other, and with their UTF-8 offsets in `text`.
  ///
  /// - Complexity: O(n) in UTF-8 bytes.
  @inline(__always)
  static func forEach(
    in text: Substring, bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>,
    simple: (UInt32, ScalarWidth.Entry, Range<Int>) -> Void,
    complex: (Character, Range<Int>) -> Void
  ) {
    let table = ScalarWidth.shared
    let end = range.upperBound
    var offset = range.lowerBound
    guard offset < end else { return }
    var value: UInt32 = 0
    var entry = ScalarWidth.Entry.space
    var next = offset

    /// Reads the code point at `next`; past the end, one that ends a character.
    func advance() {
      offset = next
      guard offset < end else {
        entry = .space
        return
      }
      let (scalar, length) = UTF8Scalar.decode(bytes, at: offset)
      value = scalar.value
      entry = table[value]
      next = offset + length
    }

    advance()
    while offset < end {
      let start = offset
      let first = (value: value, entry: entry)
      var wasSimple = entry.isSimple
      advance()
      if wasSimple, entry.isSimple {
        simple(first.value, first.entry, start..<offset)
        continue
      }
      // A stretch that needs segmentation: it ends where two simple code points meet.
      while offset < end, !(wasSimple && entry.isSimple) {
        wasSimple = entry.isSimple
        advance()
      }
      var position = start
      // As a string of its own: in a substring each step searches back for the start of a
      // character, which in a row of flags is at the first of them.
      for character in String(text.slice(utf8: start..<offset)) {
        let length = character.utf8.count
        complex(character, position..<position + length)
        position += length
      }
    }
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The characters between two UTF-8 offsets, which count from the start.
  ///
  /// - Complexity: O(1) for native strings.
  package func slice(utf8 range: Range<Int>) -> Substring {
    let lower = utf8.index(startIndex, offsetBy: range.lowerBound)
    return self[lower..<utf8.index(lower, offsetBy: range.count)]
  }
}
