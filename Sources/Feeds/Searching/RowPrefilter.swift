import TextLayout

/// Decides by a row's bytes whether its post may hold one of some words, so that no post is made of
/// most rows.
///
/// It never misses a word that the post shows, and may accept rows that show none: the reader
/// decides about those. Rules:
/// 1. A word is letters and digits, folded as in a ``TextNeedle``. The bytes contain the letters of
///    a shown word in their order. Only marks, text between two marks, and code points that fold to
///    nothing separate them.
/// 2. Marks are the ASCII characters that begin or end something in markup or JSON. Letters before
///    a mark may go on after any later mark of the row: where tags, values and comments end is not
///    looked at.
/// 3. An escape or a reference is read twice: as its character and as its own letters.
/// 4. A row with bytes that this cannot judge is accepted: control characters, which may be
///    sequences that the sanitizer removes, unknown references, and in XML bytes that are no UTF-8.
///
/// All ways of reading are followed at once, with a bit for each letter of the words (shift-and,
/// Baeza-Yates and Gonnet 1992).
package struct RowPrefilter: Sendable {
  /// Bit n stands for the n-th letter of all words, one after the other.
  private typealias Bits = UInt64

  private var masks = [Bits](repeating: 0, count: 128)
  private var others: [UInt32: Bits] = [:]
  /// The first letters of the words, and the last ones.
  private var starts: Bits = 0
  private var ends: Bits = 0
  private var folding = ScalarFolding(matchesCase: false)
  private let isJSON: Bool
  private let hasMarkup: Bool
  private let isXML: Bool
  private var skipping = WordStartScanner(opening: nil)

  /// A filter for rows that hold one of these words, or the beginning of a long one.
  ///
  /// - Parameters:
  ///   - words: folded.
  ///   - head: the document's own properties.
  /// - Returns: `nil` if bytes say nothing: of documents in another encoding, without words, or
  ///   with too many.
  package init?(words: [[UInt32]], format: FeedFormat, head: DocumentHead) {
    guard !words.isEmpty, words.count <= Bits.bitWidth / 2, words.allSatisfy({ !$0.isEmpty }),
      head.holdsUTF8
    else { return nil }
    isXML = format.isXML
    isJSON = !isXML && format != .text
    hasMarkup = format != .text
    let room = Bits.bitWidth / words.count
    var bit = 0
    for word in words {
      starts |= 1 << Bits(bit)
      for letter in word.prefix(room) {
        if letter < 128 {
          masks[Int(letter)] |= 1 << Bits(bit)
        } else {
          others[letter, default: 0] |= 1 << Bits(bit)
        }
        bit += 1
      }
      ends |= 1 << Bits(bit - 1)
    }
    for capital in 0x41...0x5A { masks[capital] = masks[capital | 0x20] }
    if words.count == 1, words[0].count > 1, words[0].allSatisfy({ (0x21..<0x80).contains($0) }) {
      skipping = WordStartScanner(opening: (UInt8(words[0][0]), UInt8(words[0][1])))
    }
  }

  /// Whether the post of a row may hold one of the words.
  ///
  /// - Parameter row: all bytes of the row.
  /// - Complexity: O(n) in the bytes, about a nanosecond each; less if they are ASCII.
  package mutating func mayMatch(_ row: UnsafeRawBufferPointer) -> Bool {
    let bytes = row.bindMemory(to: UInt8.self)
    var state = State()
    var position = 0
    while position < bytes.count {
      if state.isIdle {
        position = skipping.next(in: bytes, from: position, stopsAtMarks: state.held != 0)
        guard position < bytes.count else { return false }
      }
      state.takeLater(at: position)
      if state.reached & ends != 0 { return true }
      guard let next = step(in: bytes, at: position, &state) else { return true }
      if state.reached & ends != 0 { return true }
      position = next
    }
    state.takeLater(at: position)
    return state.reached & ends != 0
  }

  /// How far the bytes so far lead into the words.
  private struct State {
    /// Letters that the byte before may be.
    var reached: Bits = 0
    /// Letters before the marks so far: the next ones may stand behind any mark.
    var held: Bits = 0
    /// Whether only blanks stand between here and the mark before.
    var isAfterMark = false
    /// States where escapes and references end, behind the byte at hand.
    var later: [Later] = []

    struct Later {
      var end: Int
      var reached: Bits
      /// Whether it stands for a mark.
      var isMark: Bool
    }

    var isIdle: Bool { reached == 0 && later.isEmpty }

    mutating func passMark() {
      held |= reached
      reached = held
      isAfterMark = true
    }

    mutating func takeLater(at position: Int) {
      guard !later.isEmpty else { return }
      for entry in later where entry.end <= position {
        if entry.isMark {
          held |= entry.reached
          reached |= held
          isAfterMark = true
        } else {
          reached |= entry.reached
        }
      }
      later.removeAll { $0.end <= position }
    }
  }

  /// Takes in what stands at a position.
  ///
  /// - Returns: the next position; `nil` if the bytes cannot be judged.
  private mutating func step(
    in bytes: UnsafeBufferPointer<UInt8>, at position: Int, _ state: inout State
  ) -> Int? {
    let byte = bytes[position]
    switch byte {
    case 0x80...: return takeScalar(in: bytes, at: position, &state)
    // It is shown only as a part of a line break.
    case 0x0D: break
    case 0x20, 0x09, 0x0A: return takeBlanks(in: bytes, at: position, &state)
    case 0..<0x20, 0x7F: return nil
    case UInt8(ascii: "&") where hasMarkup:
      guard takeReference(in: bytes, at: position + 1, &state) else { return nil }
      state.passMark()
    case UInt8(ascii: "\\") where isJSON:
      guard takeEscape(in: bytes, at: position + 1, &state) else { return nil }
      state.passMark()
    case _ where hasMarkup && MarkupMarks.contains(byte): state.passMark()
    case UInt8(ascii: "/")
    where hasMarkup && state.reached != 0 && MarkupMarks.mayEndValue(in: bytes, at: position):
      state.passMark()
    default:
      state.reached = (state.reached << 1 | starts) & masks[Int(byte)]
      state.isAfterMark = false
    }
    return position + 1
  }

  /// Letters before a blank go on only if the blank ends an attribute's value or stands before a
  /// mark: the blank may not be shown then.
  private func takeBlanks(
    in bytes: UnsafeBufferPointer<UInt8>, at position: Int, _ state: inout State
  ) -> Int {
    var end = position + 1
    while end < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end]) { end += 1 }
    if state.isAfterMark {
      state.reached = state.held
    } else if state.reached != 0 {
      if hasMarkup,
        end == bytes.count || MarkupMarks.contains(bytes[end])
          || MarkupMarks.mayEndValue(in: bytes, at: position)
      {
        state.held |= state.reached
      }
      state.reached = 0
    }
    return end
  }

  /// A code point beyond ASCII.
  private mutating func takeScalar(
    in bytes: UnsafeBufferPointer<UInt8>, at position: Int, _ state: inout State
  ) -> Int? {
    let first = bytes[position]
    let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
    guard length > 0, position + length <= bytes.count,
      bytes[position + 1..<position + length].allSatisfy({ $0 & 0xC0 == 0x80 })
    else {
      // In XML it may belong to another encoding; elsewhere it is shown as a sign of its own.
      guard !isXML else { return nil }
      state.reached = 0
      return position + 1
    }
    let value = UTF8Scalar.decode(bytes, at: position).scalar.value
    guard value >= 0xA0 else { return nil }
    switch letters(state.reached, then: value) {
    case .mark: state.passMark()
    case .letters(let reached):
      if reached != state.reached { state.isAfterMark = false }
      state.reached = reached
    }
    return position + length
  }

  private enum Advance {
    case letters(Bits)
    case mark
  }

  /// Where a code point leads to.
  private mutating func letters(_ reached: Bits, then value: UInt32) -> Advance {
    if value < 0x80, hasMarkup, MarkupMarks.contains(UInt8(value)) { return .mark }
    if value == 0x0D { return .letters(reached) }
    switch folding.fold(value) {
    case .one(0x20): return .mark
    case .one(let folded): return .letters((reached << 1 | starts) & mask(of: folded))
    case .nothing: return .letters(reached)
    case .several(let several):
      var (reached, found) = (reached, Bits(0))
      for folded in several {
        reached = folded == 0x20 ? 0 : (reached << 1 | starts) & mask(of: folded)
        found |= reached & ends
      }
      return .letters(reached | found)
    }
  }

  private func mask(of folded: UInt32) -> Bits {
    folded < 128 ? masks[Int(folded)] : others[folded] ?? 0
  }

  /// Notes where the code point that ends at a position leads to.
  ///
  /// - Returns: whether it can be judged.
  private mutating func note(_ value: UInt32, endingAt end: Int, _ state: inout State) -> Bool {
    let isControl = value < 0x20 && ![0x09, 0x0A, 0x0D].contains(value)
    guard !isControl, !(0x7F..<0xA0).contains(value) else { return false }
    switch letters(state.reached, then: value) {
    case .mark: state.later.append(.init(end: end, reached: state.reached, isMark: true))
    case .letters(0): break
    case .letters(let reached):
      state.later.append(.init(end: end, reached: reached, isMark: false))
    }
    return true
  }

  /// An escape of JSON, behind its backslash.
  ///
  /// - Returns: whether it can be judged.
  private mutating func takeEscape(
    in bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ state: inout State
  ) -> Bool {
    guard start < bytes.count else { return true }
    switch bytes[start] {
    case UInt8(ascii: "b"), UInt8(ascii: "f"): return false
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      state.later.append(.init(end: start + 1, reached: state.reached, isMark: true))
    case UInt8(ascii: "u"):
      var scanner = JSONScanner(bytes, at: start)
      guard let scalar = try? scanner.escape() else { return true }
      if scalar == "&" { return takeReference(in: bytes, at: scanner.position, &state) }
      return note(scalar.value, endingAt: scanner.position, &state)
    default: break
    }
    return true
  }

  /// A reference to a character, behind its `&`, or one to the `&` of another.
  ///
  /// - Returns: whether it can be judged.
  private mutating func takeReference(
    in bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ state: inout State
  ) -> Bool {
    var start = start
    for _ in 0..<3 {
      switch CharacterReferenceReader.reference(in: bytes, at: start) {
      case .none:
        state.later.append(.init(end: start, reached: state.reached, isMark: true))
        return true
      case .uncertain: return false
      case .character(0x26, let end): start = end
      case .character(let value, let end):
        guard Unicode.Scalar(value) != nil else { return false }
        return note(value, endingAt: end, &state)
      }
    }
    return false
  }
}

/// The ASCII characters that begin or end something in markup or JSON.
enum MarkupMarks {
  @inline(__always) static func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x3C, 0x3E, 0x26, 0x22, 0x27, 0x3D, 0x5B, 0x5D, 0x5C: true
    default: false
    }
  }

  /// The number of bytes that are examined; if none of them decides, they count as a value.
  private static let longestValue = 64

  /// Whether the bytes before a position may be an attribute's value without quotation marks.
  ///
  /// - Complexity: O(1)
  static func mayEndValue(in bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    for byte in bytes[..<position].suffix(longestValue).reversed() {
      switch byte {
      // The end of a reference, or an escape, may stand for `=`.
      case 0x3D, 0x3B, 0x5C: return true
      case 0...0x20, 0x3C, 0x3E, 0x22, 0x27: return false
      default: break
      }
    }
    return position > longestValue
  }
}

extension RowReader {
  /// A filter for the bytes of rows whose posts hold all needles of one of `groups`.
  ///
  /// - Parameter names: names that posts may have from their source besides ``sourceNames``.
  /// - Returns: `nil` if bytes say nothing, as when a post may have the words from its source or
  ///   its reader.
  package func filter(for groups: [[TextNeedle]], besides names: [String] = []) -> RowPrefilter? {
    var matcher = TextMatcher()
    let names = sourceNames + names
    let words = groups.compactMap { group in
      group.filter { needle in
        let words = needle.words.compactMap(TextNeedle.init(folded:))
        return !words.isEmpty
          && !names.contains { name in words.allSatisfy { matcher.contains($0, in: name) } }
      }
      .compactMap(\.longestWord)
      .filter { !format.mayGenerate($0, &matcher) }
      .max { $0.count < $1.count }
    }
    guard words.count == groups.count else { return nil }
    return RowPrefilter(words: words, format: format, head: source)
  }
}

extension TextNeedle {
  /// - Parameter folded: code points, folded.
  init?(folded: [UInt32]) {
    self.init(String(String.UnicodeScalarView(folded.compactMap(Unicode.Scalar.init))))
  }
}
