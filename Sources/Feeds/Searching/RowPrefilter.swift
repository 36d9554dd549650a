import TextLayout

/// Tells from the bytes of rows where words can be, without making posts of them.
///
/// It never misses a word that a post shows, and may name places that show none. Rules:
/// 1. A word is letters and digits, folded as a ``TextNeedle`` is. Whatever a post shows puts
///    nothing into a word that is not in its bytes, so a word that is shown stands there, letter by
///    letter, with nothing between them but tags, escapes, references and what folds to nothing.
/// 2. Bytes are taken in every way that a source may mean them: escapes and references as what they
///    stand for and as they are, `<` as a sign and as the beginning of a tag. Bits of a word
///    (``Word``) are set for each place in it that some way of reading leads to, so that all ways
///    cost one pass.
/// 3. What it cannot tell is named: control characters, which may be sequences that the sanitizer
///    takes out, and references by names that are not known here.
package struct RowPrefilter: Sendable {
  private var masks = [Bits](repeating: 0, count: 128)
  private var others: [UInt32: Bits] = [:]
  /// The first letters of words, and the last ones.
  private var starts: Bits = 0
  private var ends: Bits = 0
  /// Letters behind which blanks may stand: the last ones of a phrase's words.
  private var gaps: Bits = 0
  private var folding = ScalarFolding(matchesCase: false)
  private let isJSON: Bool
  private let hasMarkup: Bool
  private let isXML: Bool
  private var skipping = RowSkipping(opening: nil)

  /// A filter for rows that hold one of these words, or the beginnings of them.
  ///
  /// - Parameters:
  ///   - words: folded; of several words one after another, with a space between two.
  ///   - head: what the source says of itself.
  /// - Returns: nil where nothing can be told from bytes: of documents in another encoding, or
  ///   without words.
  package init?(words: [[UInt32]], format: FeedFormat, head: DocumentHead) {
    guard !words.isEmpty, words.allSatisfy({ !$0.isEmpty }), head.holdsUTF8 else { return nil }
    isXML = format == .rss || format == .atom
    isJSON = !isXML && format != .text
    hasMarkup = format != .text
    let room = max(1, Bits.bitWidth / words.count)
    guard words.count <= Bits.bitWidth / 2 else { return nil }
    var bit = 0
    for word in words {
      starts |= 1 << Bits(bit)
      for letter in word.filter({ $0 != 0x20 }).prefix(room) {
        if letter < 128 {
          masks[Int(letter)] |= 1 << Bits(bit)
        } else {
          others[letter, default: 0] |= 1 << Bits(bit)
        }
        bit += 1
      }
      ends |= 1 << Bits(bit - 1)
      var last = bit - word.filter { $0 != 0x20 }.prefix(room).count - 1
      for letter in word where last < bit - 1 {
        if letter == 0x20 { gaps |= 1 << Bits(last) } else { last += 1 }
      }
    }
    for capital in 0x41...0x5A { masks[capital] = masks[capital | 0x20] }
    if words.count == 1, words[0].count > 1, words[0].allSatisfy({ (0x21..<0x80).contains($0) }) {
      skipping = RowSkipping(opening: (UInt8(words[0][0]), UInt8(words[0][1])))
    }
  }

  /// The first place from `start` on at which a word may end, or that cannot be told; nil where
  /// there is none. It is in the row that holds the word.
  ///
  /// - Parameter isShown: whether they are those of ``ShownBytes``. Of others the row may be
  ///   damaged, so that they are shown as they stand, escapes and all.
  /// - Complexity: O(n) in the bytes, about a nanosecond each; less where they hold ASCII alone.
  package mutating func place(
    in bytes: UnsafeRawBufferPointer, from start: Int, isShown: Bool = false
  ) -> Int? {
    let bytes = bytes.bindMemory(to: UInt8.self)
    var state = State(
      isShown: isShown, rest: TagRest(bytes, isJSON: isJSON, isXML: isXML))
    var position = start
    while position < bytes.count {
      if state.isIdle {
        position = skipping.next(in: bytes, from: position)
        guard position < bytes.count else { return nil }
        if isShown, isJSON, Self.isEscaped(in: bytes, at: position) {
          position += 1
          continue
        }
      }
      if !state.later.isEmpty, resume(&state, at: position) { return position - 1 }
      let byte = bytes[position]
      if byte >= 0x80 {
        guard let length = takeScalar(in: bytes, at: position, &state), !state.isFound else {
          return position
        }
        position += length
        continue
      }
      switch byte {
      case UInt8(ascii: "<") where hasMarkup:
        // In XML it may be an element's, which need not part anything.
        if state.reached != 0, isXML || !breaks(in: bytes, at: position + 1, state) {
          openTag(in: bytes, at: position + 1, &state)
          if state.isFound { return position }
          if position + 1 < bytes.count, "!?".utf8.contains(bytes[position + 1]) {
            state.isDeclaration = true
          }
        }
        state.reached = 0
      case UInt8(ascii: ">"):
        state.reached |= state.beforeTag
        if state.quotes == 0 && !state.isDeclaration || state.tagEnd == position + 1 {
          state.beforeTag = 0
        }
      case UInt8(ascii: "["): state.reached = state.beforeTag
      case UInt8(ascii: "]") where hasMarkup: closeSection(in: bytes, at: position + 1, &state)
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if isJSON, byte == UInt8(ascii: "\"") {
          // The end of a string.
          (state.beforeTag, state.isDeclaration, state.reached) = (0, false, 0)
        } else {
          state.quotes ^= byte == UInt8(ascii: "'") ? 2 : 1
          passMark(endingAt: position + 1, &state)
          if state.isFound { return position }
        }
      case UInt8(ascii: "="): state.reached = state.beforeTag
      case UInt8(ascii: "&") where hasMarkup:
        guard takeReference(in: bytes, after: position + 1, from: state.reached, &state) else {
          return position
        }
        state.reached = 0
      case UInt8(ascii: "\\") where isJSON:
        guard let skipped = takeEscape(in: bytes, at: position, &state) else { return position }
        if skipped == 2, bytes[position + 1] == UInt8(ascii: "\"") {
          passMark(endingAt: position + 2, &state)
        } else {
          state.reached = 0
        }
        if state.isFound { return position }
        position += skipped
        continue
      // Where it is no line break it is not shown.
      case 0x0D: break
      case 0x20, 0x0A, 0x09:
        if state.reached != 0 {
          state.reached = passBlank(
            in: bytes, at: position, upTo: position + 1, state.reached, &state)
          if state.isFound { return position }
        }
      case 0..<0x20, 0x7F: return position
      default:
        state.reached = (state.reached << 1 | starts) & masks[Int(byte)]
        if state.reached & ends != 0 { return position }
      }
      position += 1
    }
    return resume(&state, at: bytes.count) ? bytes.count - 1 : nil
  }

  /// Whether a backslash stands before, and not for itself.
  private static func isEscaped(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    var start = place
    while start > 0, bytes[start - 1] == UInt8(ascii: "\\") { start -= 1 }
    return (place - start) % 2 == 1
  }

  private func openTag(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ state: inout State
  ) {
    if state.beforeTag == 0 { (state.quotes, state.isDeclaration) = (0, false) }
    state.tagEnd = 0
    state.beforeTag |= state.reached
    // Letters behind what is hidden go on with those before it; of phrases the rows are chosen.
    if gaps == 0, HidingTags.mayStand(in: bytes, at: place) { state.isFound = true }
  }

  /// Whether a tag behind which no word goes on begins behind a `<`; in a phrase it may.
  private func breaks(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ state: State
  ) -> Bool {
    gaps == 0 && state.beforeTag == 0 && BreakingTags.stands(in: bytes, at: place)
  }

  /// A quotation mark may begin the value of an attribute, and end it: that of a picture may stand
  /// in the text for it.
  private func passMark(endingAt end: Int, _ state: inout State) {
    if hasMarkup { closeValue(upTo: end, state.reached, &state) }
    state.reached = state.beforeTag
  }

  /// The letters before `end` may be the last ones of a value: they go on behind the tag.
  private func closeValue(upTo end: Int, _ reached: Bits, _ state: inout State) {
    guard reached != 0 else { return }
    var ends: [Int] = []
    if !state.rest.ends(from: end, { ends.append($0) }) { state.isFound = true }
    for end in ends { state.resume(at: end, reached) }
  }

  /// Blanks are not shown at the end of a value, nor beside some tags.
  ///
  /// - Returns: what is reached behind the blank.
  private func passBlank(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, upTo end: Int, _ reached: Bits,
    _ state: inout State
  ) -> Bits {
    guard hasMarkup else { return reached & gaps }
    var next = MarkupSign(in: bytes, at: end, isJSON: isJSON, hasReferences: true)
    var start = end
    while let sign = next, sign.isBlank {
      start = sign.end
      next = MarkupSign(in: bytes, at: start, isJSON: isJSON, hasReferences: true)
    }
    if let sign = next, sign.isQuotationMark, !isJSON || bytes[start] != UInt8(ascii: "\"") {
      state.resume(at: start, reached)
    } else if let sign = next, sign.value == 0x3C, gaps == 0,
      HidingTags.trims(in: bytes, at: sign.end)
    {
      state.isFound = true
    }
    if TagRest.mayBeValue(in: bytes, endingAt: place, isJSON: isJSON) {
      closeValue(upTo: place, reached, &state)
    }
    return reached & gaps
  }

  /// What may be the end of a section of character data, behind its first bracket.
  private func closeSection(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ state: inout State
  ) {
    if state.reached != 0, place < bytes.count, bytes[place] == UInt8(ascii: "]"),
      let sign = MarkupSign(in: bytes, at: place + 1, isJSON: isJSON, hasReferences: true),
      sign.value == 0x3E
    {
      state.resume(at: sign.end, state.reached)
    }
    state.reached = 0
  }

  /// Takes in what ends at `position`.
  ///
  /// - Returns: whether a word does.
  private func resume(_ state: inout State, at position: Int) -> Bool {
    for (end, reached) in state.later where end == position { state.reached |= reached }
    state.later.removeAll { $0.end <= position }
    return state.reached & ends != 0 || state.isFound
  }

  /// Where a code point leads to from `reached`; `<` and `>` that it stands for may be those of
  /// tags.
  private mutating func advanced(
    _ reached: Bits, by value: UInt32, in bytes: UnsafeBufferPointer<UInt8>, from start: Int,
    upTo end: Int, _ state: inout State
  ) -> Bits {
    switch value {
    case 0x3C:
      // References in it may be its quotation marks and its end.
      defer { state.isDeclaration = true }
      guard reached != 0, EscapedTag.mayBegin(in: bytes, at: end),
        !breaks(in: bytes, at: end, state)
      else { return 0 }
      let before = (reached: state.reached, tag: state.beforeTag)
      state.reached = reached
      openTag(in: bytes, at: end, &state)
      if before.tag == 0 { state.tagEnd = EscapedTag.end(in: bytes, from: end) ?? 0 }
      state.reached = before.reached
      return 0
    case 0x3E:
      let before = state.beforeTag
      if state.tagEnd == end { state.beforeTag = 0 }
      return before | reached
    case 0x22 where hasMarkup, 0x27 where hasMarkup:
      closeValue(upTo: end, reached, &state)
      return state.beforeTag
    case 0x3D: return state.beforeTag
    case 0x0D: return reached
    default: break
    }
    switch folding.fold(value) {
    case .one(0x20):
      return reached == 0 ? 0 : passBlank(in: bytes, at: start, upTo: end, reached, &state)
    case .one(let folded): return (reached << 1 | starts) & mask(of: folded)
    case .nothing: return reached
    case .several(let several):
      var reached = reached
      for folded in several {
        reached =
          folded == 0x20 ? reached & gaps : (reached << 1 | starts) & mask(of: folded)
        if reached & ends != 0 { state.isFound = true }
      }
      return reached
    }
  }

  @inline(__always) private func mask(of folded: UInt32) -> Bits {
    folded < 128 ? masks[Int(folded)] : others.isEmpty ? 0 : others[folded] ?? 0
  }

  /// A code point beyond ASCII.
  ///
  /// - Returns: its length; nil where it cannot be told what is meant.
  private mutating func takeScalar(
    in bytes: UnsafeBufferPointer<UInt8>, at position: Int, _ state: inout State
  ) -> Int? {
    let first = bytes[position]
    let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
    guard length > 0, position + length <= bytes.count,
      bytes[position + 1..<position + length].allSatisfy({ $0 & 0xC0 == 0x80 })
    else {
      // Of XML it may be another encoding; elsewhere it is a sign of its own.
      guard !isXML else { return nil }
      state.reached = 0
      return 1
    }
    let value = UTF8Scalar.decode(bytes, at: position).scalar.value
    // Control characters of their own.
    if value < 0xA0 { return nil }
    state.reached = advanced(
      state.reached, by: value, in: bytes, from: position, upTo: position + length, &state)
    if state.reached & ends != 0 { state.isFound = true }
    return length
  }

  /// An escape of JSON. What stands in it is read as it is, too.
  ///
  /// - Returns: the bytes that are done with; nil where it cannot be told what is meant.
  private mutating func takeEscape(
    in bytes: UnsafeBufferPointer<UInt8>, at position: Int, _ state: inout State
  ) -> Int? {
    guard position + 1 < bytes.count else { return 1 }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""):
      state.quotes ^= 1
      return 2
    case UInt8(ascii: "\\"): return 2
    case UInt8(ascii: "b"), UInt8(ascii: "f"): return nil
    case UInt8(ascii: "r"):
      state.resume(at: position + 2, state.reached)
      return state.isShown ? 2 : 1
    case UInt8(ascii: "n"), UInt8(ascii: "t"):
      if state.reached != 0 {
        let kept = passBlank(in: bytes, at: position, upTo: position + 2, state.reached, &state)
        state.resume(at: position + 2, kept)
      }
      return state.isShown ? 2 : 1
    case UInt8(ascii: "u"):
      guard var value = RowReferences.hexadecimal(bytes, at: position + 2) else { return 1 }
      var end = position + 6
      if (0xD800..<0xDC00).contains(value), end + 1 < bytes.count,
        bytes[end] == UInt8(ascii: "\\"), bytes[end + 1] == UInt8(ascii: "u"),
        let low = RowReferences.hexadecimal(bytes, at: end + 2), (0xDC00..<0xE000).contains(low)
      {
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        end += 6
      }
      if value < 0x20, ![0x09, 0x0A, 0x0D].contains(value) || (0x7F..<0xA0).contains(value) {
        return nil
      }
      // A quotation mark of a tag, of which it is not followed where it ends.
      if value == 0x22 || value == 0x27 { state.isDeclaration = true }
      let before = state.reached
      if value == 0x26 {
        guard takeReference(in: bytes, after: end, from: before, &state) else { return nil }
      }
      let reached = advanced(before, by: value, in: bytes, from: position, upTo: end, &state)
      state.resume(at: end, reached)
      return state.isShown ? end - position : 1
    default: return 1
    }
  }

  /// What may be a reference to a character, behind its `&`, or one to the `&` of another.
  ///
  /// - Returns: false where it cannot be told what is meant.
  private mutating func takeReference(
    in bytes: UnsafeBufferPointer<UInt8>, after start: Int, from reached: Bits,
    _ state: inout State
  ) -> Bool {
    let first = start - 1
    var start = start
    for _ in 0..<3 {
      switch RowReferences.reference(in: bytes, at: start) {
      case .none: return true
      case .uncertain: return false
      case .character(let value, let end):
        if value < 0x20 && ![0x09, 0x0A, 0x0D].contains(value) || (0x7F..<0xA0).contains(value)
          || Unicode.Scalar(value) == nil
        {
          return false
        }
        guard value == 0x26 else {
          let reached = advanced(
            reached, by: value, in: bytes, from: first, upTo: end, &state)
          state.resume(at: end, reached)
          return !state.isFound
        }
        start = end
      }
    }
    return false
  }
}
