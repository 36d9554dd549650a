/// A search query: letters, in whatever form they are written.
///
/// Accents, widths and the two kinds of kana make no difference; case counts if the query has a
/// capital.
public struct TextNeedle: Hashable, Sendable {
  /// The query as given.
  public let query: String
  /// Whether case counts, which it does if the query has a capital.
  public let matchesCase: Bool
  /// The folded query.
  package let scalars: [UInt32]
  /// The failure function of Knuth, Morris and Pratt: at each index the length of the longest
  /// proper prefix that the code points up to there end in.
  private let fallbacks: [Int32]

  /// A needle for a query; `nil` if folding leaves nothing of it.
  ///
  /// - Complexity: O(n) in the bytes.
  public init?(_ query: String) {
    matchesCase = query.unicodeScalars.contains {
      $0.properties.isUppercase || $0.properties.generalCategory == .titlecaseLetter
    }
    var folding = ScalarFolding(matchesCase: matchesCase)
    var scalars: [UInt32] = []
    for scalar in Sanitizer.text(query).unicodeScalars {
      switch folding.fold(scalar.value) {
      case .one(let folded): scalars.append(folded)
      case .nothing: break
      case .several(let folded): scalars += folded
      }
    }
    guard !scalars.isEmpty else { return nil }
    self.query = query
    self.scalars = scalars
    var fallbacks = [Int32](repeating: 0, count: scalars.count)
    var length = 0
    for index in scalars.indices.dropFirst() {
      while length > 0, scalars[index] != scalars[length] { length = Int(fallbacks[length - 1]) }
      if scalars[index] == scalars[length] { length += 1 }
      fallbacks[index] = Int32(length)
    }
    self.fallbacks = fallbacks
  }

  public static func == (one: TextNeedle, other: TextNeedle) -> Bool {
    one.scalars == other.scalars && one.matchesCase == other.matchesCase
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(scalars) }

  /// The length of the prefix that the text ends in after `scalar`, if it was `length` before.
  @inline(__always) fileprivate func advanced(_ length: Int, by scalar: UInt32) -> Int {
    var length = length
    if length == scalars.count { length = Int(fallbacks[length - 1]) }
    while length > 0, scalars[length] != scalar { length = Int(fallbacks[length - 1]) }
    return scalars[length] == scalar ? length + 1 : length
  }
}

/// Finds needles in texts, and caches the folded forms of code points. Used by one thread at a
/// time.
public struct TextMatcher: Sendable {
  private var small = ScalarFolding(matchesCase: false)
  private var cased = ScalarFolding(matchesCase: true)

  /// A matcher with an empty cache.
  public init() {}

  /// Whether a text contains `needle`.
  ///
  /// - Complexity: O(n) in the bytes.
  public mutating func contains(_ needle: TextNeedle, in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      needle.matchesCase
        ? Self.contains(needle, in: bytes, folding: &cased)
        : Self.contains(needle, in: bytes, folding: &small)
    }
  }

  private static func contains(
    _ needle: TextNeedle, in bytes: UnsafeBufferPointer<UInt8>, folding: inout ScalarFolding
  ) -> Bool {
    var length = 0
    /// The whole needle has matched; the next code point may change its last letter.
    var isWhole = false
    func take(_ scalar: UInt32) -> Bool {
      if isWhole, !ScalarFolding.joins(scalar) { return true }
      length = needle.advanced(length, by: scalar)
      isWhole = length == needle.scalars.count
      return false
    }
    var offset = 0
    while offset < bytes.count {
      let (scalar, count) = UTF8Scalar.decode(bytes, at: offset)
      offset += count
      switch folding.fold(scalar.value) {
      case .one(let folded): if take(folded) { return true }
      case .nothing: break
      case .several(let folded): for scalar in folded where take(scalar) { return true }
      }
    }
    return isWhole
  }

  /// The occurrences of `needle` in UTF-8 offsets of whole characters, in order, without overlap.
  ///
  /// - Complexity: O(n) in the bytes.
  public mutating func ranges(of needle: TextNeedle, in text: String) -> [Range<Int>] {
    var text = text
    let found = text.withUTF8 { bytes in
      needle.matchesCase
        ? Self.ranges(of: needle, in: bytes, folding: &cased)
        : Self.ranges(of: needle, in: bytes, folding: &small)
    }
    return found.isEmpty ? [] : Self.wholeCharacters(found, of: text)
  }

  private static func ranges(
    of needle: TextNeedle, in bytes: UnsafeBufferPointer<UInt8>, folding: inout ScalarFolding
  ) -> [Range<Int>] {
    var folded: [(scalar: UInt32, start: Int, end: Int)] = []
    var offset = 0
    while offset < bytes.count {
      let (scalar, count) = UTF8Scalar.decode(bytes, at: offset)
      let end = min(offset + count, bytes.count)
      switch folding.fold(scalar.value) {
      case .one(let one): folded.append((one, offset, end))
      case .nothing: if !folded.isEmpty { folded[folded.count - 1].end = end }
      case .several(let several): for one in several { folded.append((one, offset, end)) }
      }
      offset = end
    }
    var found: [Range<Int>] = []
    var length = 0
    for index in folded.indices {
      length = needle.advanced(length, by: folded[index].scalar)
      guard length == needle.scalars.count else { continue }
      if index + 1 < folded.count, ScalarFolding.joins(folded[index + 1].scalar) { continue }
      found.append(folded[index + 1 - length].start..<folded[index].end)
      length = 0
    }
    return found
  }

  /// Extends ranges to whole characters; a later one that shares a character begins after it.
  private static func wholeCharacters(_ ranges: [Range<Int>], of text: String) -> [Range<Int>] {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return ranges }
    var characters = text.makeIterator()
    var character = 0..<0
    /// The character that byte `offset` belongs to.
    func find(_ offset: Int) {
      while character.upperBound <= offset, let next = characters.next() {
        character = character.upperBound..<character.upperBound + next.utf8.count
      }
    }
    var result: [Range<Int>] = []
    for range in ranges {
      find(range.lowerBound)
      let start = max(character.lowerBound, result.last?.upperBound ?? 0)
      find(range.upperBound - 1)
      if start < character.upperBound { result.append(start..<character.upperBound) }
    }
    return result
  }
}

extension StyledText {
  /// The text with each occurrence of `needle` marked (``TextStyle/Traits/marked``).
  ///
  /// - Parameter isShown: whether a run of a paragraph is text rather than an address beside it.
  /// - Complexity: O(n) in the bytes.
  public func marking(
    _ needle: TextNeedle, with matcher: inout TextMatcher,
    where isShown: (TextStyle) -> Bool = { _ in true }
  ) -> StyledText {
    var marked = paragraphs
    for index in marked.indices {
      for range in matcher.ranges(of: needle, in: marked[index].string) {
        marked[index].mark(range, where: isShown)
      }
    }
    return with(paragraphs: marked)
  }
}

extension StyledText.Paragraph {
  fileprivate mutating func mark(_ range: Range<Int>, where isShown: (TextStyle) -> Bool) {
    runs = runs.flatMap { run -> [StyledText.Run] in
      let part = run.range.clamped(to: range)
      guard !part.isEmpty, isShown(run.style) else { return [run] }
      var (before, inside, after) = (run, run, run)
      before.range = run.range.lowerBound..<part.lowerBound
      inside.range = part
      inside.style.traits.insert(.marked)
      after.range = part.upperBound..<run.range.upperBound
      return [before, inside, after].filter { !$0.range.isEmpty }
    }
  }
}

extension TextNeedle {
  /// The stretches of letters and digits, in lower case.
  package var words: [[UInt32]] {
    scalars.split { !Self.isInWord($0) }.map { Self.small($0) }
  }

  /// The longest of ``words``; `nil` if there are none.
  package var longestWord: [UInt32]? { words.max { $0.count < $1.count } }

  private static func small(_ scalars: ArraySlice<UInt32>) -> [UInt32] {
    var folding = ScalarFolding(matchesCase: false)
    return scalars.flatMap { scalar -> [UInt32] in
      switch folding.fold(scalar) {
      case .one(let folded): [folded]
      case .nothing: []
      case .several(let folded): folded
      }
    }
  }

  private static func isInWord(_ value: UInt32) -> Bool {
    if value < 0x80 {
      return (0x30...0x39).contains(value) || (0x61...0x7A).contains(value | 0x20)
    }
    guard let scalar = Unicode.Scalar(value) else { return false }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || ScalarFolding.joins(value)
  }
}
