import Synchronization

/// Counts the columns of text: one function for layout, drawing and truncation.
///
/// Rules, by the behaviour that terminals agree on (and do not):
/// 1. Text is segmented into `Character`s. A character is one or more glyphs: every code point that
///    takes columns by `ScalarWidth` begins one, those that take none join the one before.
/// 2. Variation selectors, skin tones, keycap marks and tag characters are dropped: terminals give
///    them different widths. Of emoji joined by U+200D the first part is kept.
/// 3. A code point unknown to the C library is □; a combining mark without a base stands on ◌.
/// 4. Default-ignorable code points show nothing, but joiners inside a word stay: they shape it.
/// 5. If the terminal is known to draw whole clusters in two columns, and the base takes two, a
///    cluster of at most five code points is kept whole. The width is the same as without, so
///    layout never depends on the terminal.
public struct TextMetrics: Hashable, Sendable {
  /// Whether the terminal draws a cluster (emoji with skin tone, joined emoji) in two columns.
  public var drawsWholeClusters: Bool
  /// Whether right-to-left words are put into visual order here because the terminal does not.
  public var reordersRightToLeft: Bool

  /// Metrics of a terminal with the given abilities; none by default.
  public init(drawsWholeClusters: Bool = false, reordersRightToLeft: Bool = false) {
    self.drawsWholeClusters = drawsWholeClusters
    self.reordersRightToLeft = reordersRightToLeft
  }

  private static let shared = Atomic<UInt8>(0)

  /// The metrics of the terminal, set once after it was queried. Both are false until then.
  public static var current: TextMetrics {
    get {
      let bits = shared.load(ordering: .relaxed)
      return TextMetrics(drawsWholeClusters: bits & 1 != 0, reordersRightToLeft: bits & 2 != 0)
    }
    set {
      shared.store(
        (newValue.drawsWholeClusters ? 1 : 0) | (newValue.reordersRightToLeft ? 2 : 0),
        ordering: .relaxed)
    }
  }

  /// The columns of one character: usually 0, 1 or 2; more for clusters such as conjuncts.
  public func width(of character: Character) -> Int {
    var width = 0
    Self.forEachGlyph(ofCluster: character.unicodeScalars, whole: false) { glyph, _ in
      width += glyph.width
    }
    return width
  }

  /// The columns of a text without line breaks.
  ///
  /// - Complexity: O(n) in UTF-8 bytes; one step per byte if all is ASCII.
  public func width(of text: some StringProtocol) -> Int {
    let text = Substring(text)
    // Bytes are read from `storage` while characters are taken from `text`.
    var storage = text
    return storage.withUTF8 { bytes in
      if Self.isPrintableASCII(bytes) { return bytes.count }
      var width = 0
      ClusterScan.forEach(
        in: text, bytes: bytes, range: bytes.indices,
        simple: { _, entry, _ in width += entry.columns },
        complex: { character, _ in width += self.width(of: character) })
      return width
    }
  }

  /// `text`, without line breaks, cut to at most `width` columns, ending in "…" if anything is cut;
  /// empty if `width` is less than 1.
  ///
  /// - Complexity: O(n) in the UTF-8 bytes kept; O(1) if there are at most `width`.
  public func truncated(_ text: String, toWidth width: Int) -> String {
    guard width > 0 else { return "" }
    // No character takes more columns than bytes.
    if text.utf8.count <= width { return text }
    var used = 0
    // The end of the part that fits before an ellipsis.
    var end = text.startIndex
    var index = text.startIndex
    while index < text.endIndex {
      let columns = self.width(of: text[index])
      let next = text.index(after: index)
      if used + columns > width { return text[..<end] + "…" }
      used += columns
      if used <= width - 1, text[index] != " " { end = next }
      index = next
    }
    return text
  }

  /// Calls `body` with each glyph of one character, without allocating.
  @inline(__always)
  public func forEachGlyph(of character: Character, _ body: (Glyph) -> Void) {
    Self.forEachGlyph(ofCluster: character.unicodeScalars, whole: drawsWholeClusters) { glyph, _ in
      body(glyph)
    }
  }

  /// Calls `body` with each glyph of a text in order, as it goes into cells.
  ///
  /// - Complexity: O(n) in UTF-8 bytes.
  public func forEachGlyph(in text: some StringProtocol, _ body: (Glyph) -> Void) {
    let text = Substring(text)
    var storage = text
    storage.withUTF8 { bytes in
      if Self.isPrintableASCII(bytes) {
        for byte in bytes { body(Glyph(UInt32(byte), width: 1)) }
        return
      }
      ClusterScan.forEach(
        in: text, bytes: bytes, range: bytes.indices,
        simple: { value, entry, _ in
          body(entry.isUnknown ? .substitute : Glyph(value, width: entry.columns))
        },
        complex: { character, _ in forEachGlyph(of: character, body) })
    }
  }

  private static func isPrintableASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.allSatisfy { $0 &- 0x20 < 0x5F }
  }

  /// Applies rules 1 to 5 to the code points of one cluster; `body` also gets the offset, in code
  /// points, of the glyph's first.
  @inline(__always)
  static func forEachGlyph(
    ofCluster scalars: some Sequence<Unicode.Scalar>, whole: Bool, _ body: (Glyph, Int) -> Void
  ) {
    var glyph: Glyph?
    var glyphOffset = 0
    var complete = whole
    var isEmojiCluster = false
    var wholeGlyph: Glyph?
    var pendingJoiner = false
    var offset = -1
    var cut = false
    for scalar in scalars {
      offset += 1
      let value = scalar.value
      if complete {
        if wholeGlyph == nil {
          let entry = ScalarWidth.shared[value]
          if entry.columns == 2, !entry.isUnknown {
            wholeGlyph = Glyph(value, width: 2)
          } else {
            complete = false
          }
        } else if wholeGlyph?.append(value) != true || value == 0xFE0E || value >= 0xE0000 {
          complete = false
        }
      }
      if cut { continue }
      if pendingJoiner {
        pendingJoiner = false
        if value > 0x7F, scalar.properties.isEmoji {
          cut = true
          isEmojiCluster = true
          continue
        }
        _ = glyph?.append(ScalarClass.zeroWidthJoiner)
      }
      let entry = ScalarWidth.shared[value]
      if entry.isIgnorable {
        if value == ScalarClass.zeroWidthJoiner {
          pendingJoiner = glyph != nil
        } else if value == ScalarClass.zeroWidthNonJoiner {
          _ = glyph?.append(value)
        } else if value == 0xFE0F {
          isEmojiCluster = true
        }
        continue
      }
      if offset > 0 {
        if value == ScalarClass.enclosingKeycap { continue }
        if ScalarClass.isSkinTone(value) {
          isEmojiCluster = true
          continue
        }
      }
      if entry.columns == 0 {
        if glyph == nil {
          glyph = Glyph(ScalarClass.dottedCircle, width: 1)
          glyphOffset = offset
        }
        _ = glyph?.append(value)
        continue
      }
      if let glyph { body(glyph, glyphOffset) }
      glyph = entry.isUnknown ? .substitute : Glyph(value, width: entry.columns)
      glyphOffset = offset
      if offset > 0 { complete = false }
    }
    if complete, isEmojiCluster, let wholeGlyph {
      body(wholeGlyph, 0)
    } else if let glyph {
      body(glyph, glyphOffset)
    }
  }
}
