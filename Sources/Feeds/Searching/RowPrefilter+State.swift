extension RowPrefilter {
  /// Bit n of a mask: the n-th letter of all words, one after the other, is that one.
  typealias Bits = UInt64

  /// Where reading is: which places of words the bytes so far lead to.
  struct State {
    /// By the byte before.
    var reached: Bits = 0
    /// Before a tag that has not ended.
    var beforeTag: Bits = 0
    /// Quotation marks of that tag, and whether it is a comment or the like.
    var quotes: UInt8 = 0
    var isDeclaration = false
    /// Where the tag ends, where that is sure of one behind a reference; 0 elsewhere.
    var tagEnd = 0
    /// Reached where an escape or a reference ends.
    var later: [(end: Int, reached: Bits)] = []
    var isFound = false
    /// Whether escapes stand for what they mean alone.
    let isShown: Bool

    /// Where tags end.
    var rest: TagRest

    @inline(__always) var isIdle: Bool { reached == 0 && beforeTag == 0 && later.isEmpty }

    mutating func resume(at end: Int, _ reached: Bits) {
      guard reached != 0 else { return }
      if let last = later.indices.last, later[last].end == end {
        later[last].reached |= reached
      } else {
        later.append((end, reached))
      }
    }
  }
}
