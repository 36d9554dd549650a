import TextLayout

/// What of a row's bytes its post may show: all but the attributes of tags, the names of members
/// and addresses, as far as it is sure that these are not shown. Rules:
/// 1. What is left out is shown by no reader. What is not understood to the letter is kept.
/// 2. Tags are left where they were, with their names alone, so that what they part stays parted.
/// 3. A row of which it is not sure how it is read is not told from its bytes at all.
struct ShownBytes {
  private(set) var bytes: [UInt8] = []
  /// Whether texts stand in them as they are shown: nothing within them is hidden, and nothing
  /// comes from anywhere else.
  var isInOrder = true
  /// Whether the post may show words that its reader has of its own.
  var mayHoldOwnWords = false

  /// Nil where that cannot be told.
  ///
  /// - Parameter keepsOrder: whether it is asked if texts stand as they are shown.
  init?(of row: UnsafeBufferPointer<UInt8>, format: FeedFormat, keepsOrder: Bool) {
    guard row.count <= FeedLimits.itemBytes else { return nil }
    switch format {
    case .rss, .atom:
      var xml = ShownXML(row, keepsOrder: keepsOrder)
      guard xml.read() else { return nil }
      self = xml.shown
    case .jsonl, .jsonfeed, .mastodon, .activitypub:
      var json = ShownJSON(row, format: format, keepsOrder: keepsOrder)
      guard json.read() else { return nil }
      self = json.shown
    default: return nil
    }
  }

  /// Nothing, with room for what a row shows.
  init(room: Int, keepsOrder: Bool) {
    bytes.reserveCapacity(room)
    isInOrder = keepsOrder
  }

  mutating func append(_ range: Range<Int>, of row: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: row[range]))
  }

  mutating func append(_ sign: Unicode.Scalar) { bytes.append(UInt8(ascii: sign)) }

  mutating func removeAll(from count: Int) { bytes.removeLast(bytes.count - count) }
}

/// Tells from the bytes of rows whether their posts may hold what is looked for.
///
/// Words of markup stand in most rows (`class`, `href`, `https`), and so do the words of many a
/// phrase: where a ``RowPrefilter`` has found a word, what of the row may be shown is looked at
/// before the post is made.
package struct RowFilter: Sendable {
  fileprivate var words: RowPrefilter
  fileprivate var phrases: RowPrefilter?
  /// Groups of filters for one word each, of which a row shows all of some group; empty where
  /// `words` say as much.
  fileprivate var groups: [[RowPrefilter]]
  /// Whether readers may add one of the words to any row.
  fileprivate let isOwn: Bool

  /// See ``RowPrefilter/place(in:from:isShown:)``.
  package mutating func place(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    if isOwn { return start < bytes.count ? start : nil }
    return words.place(in: bytes, from: start)
  }

  /// Whether the post of a row may show what is looked for.
  ///
  /// - Parameter bytes: all of the row, in which there is a place.
  /// - Complexity: O(n) in the bytes, some nanoseconds each
  package mutating func mayShow(_ bytes: UnsafeRawBufferPointer, _ reader: RowReader) -> Bool {
    guard
      let shown = ShownBytes(
        of: bytes.bindMemory(to: UInt8.self), format: reader.format, keepsOrder: phrases != nil)
    else { return true }
    if shown.mayHoldOwnWords { return true }
    return shown.bytes.withUnsafeBytes { bytes in
      // A phrase has a word of its own in it.
      if shown.isInOrder, phrases != nil {
        guard phrases?.place(in: bytes, from: 0, isShown: true) != nil else { return false }
      } else if words.place(in: bytes, from: 0, isShown: true) == nil {
        return false
      }
      return groups.isEmpty || groups.indices.contains { showsAll(ofGroup: $0, bytes) }
    }
  }

  private mutating func showsAll(ofGroup group: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    for word in groups[group].indices
    where groups[group][word].place(in: bytes, from: 0, isShown: true) == nil {
      return false
    }
    return true
  }
}

extension RowReader {
  /// A filter for the bytes of rows whose posts hold all needles of one of `groups`; nil where
  /// nothing can be told from bytes, as where a post may have them of its source rather than of its
  /// row.
  ///
  /// - Parameter names: what posts may have of their source besides ``namesOfSource``.
  package func filter(
    for groups: [[TextNeedle]], besides names: [String] = []
  ) -> RowFilter? {
    var matcher = TextMatcher()
    let names = namesOfSource + names
    let groups = groups.map { group in
      group.filter { needle in
        let words = needle.words.compactMap(TextNeedle.init(folded:))
        return !words.isEmpty
          && !names.contains { name in words.allSatisfy { matcher.contains($0, in: name) } }
      }
    }
    let words = groups.map { $0.compactMap(\.longestWord) }
    let longest = words.compactMap(Self.longest(of:))
    guard longest.count == groups.count,
      let filter = RowPrefilter(words: longest, format: format, head: source)
    else { return nil }
    let phrases = groups.compactMap { group in
      Self.longest(of: group.compactMap { $0.longestPhrase ?? $0.longestWord })
    }
    // One word is looked for anyway.
    let others = words.contains { $0.count > 1 } ? words : []
    return RowFilter(
      words: filter,
      phrases: phrases.contains { $0.contains(0x20) }
        ? RowPrefilter(words: phrases, format: format, head: source) : nil,
      groups: others.map { group in
        group.compactMap { RowPrefilter(words: [$0], format: format, head: source) }
      },
      isOwn: longest.contains { OwnWords.mayHold($0, in: format, &matcher) })
  }

  private static func longest(of words: [[UInt32]]) -> [UInt32]? {
    words.max { $0.count < $1.count }
  }
}

extension TextNeedle {
  /// - Parameter folded: code points, folded.
  init?(folded: [UInt32]) {
    self.init(String(String.UnicodeScalarView(folded.compactMap(Unicode.Scalar.init))))
  }
}

extension ShownBytes {
  /// Takes in what may be a person's name: of one with an address in brackets the address is not
  /// shown.
  mutating func takeIn(name range: Range<Int>, of row: UnsafeBufferPointer<UInt8>) {
    guard isInOrder, case let name = row[range],
      name.contains(UInt8(ascii: "@")) || name.contains(UInt8(ascii: ":"))
    else { return }
    isInOrder = !name.contains { "(<&\\".utf8.contains($0) }
  }

  /// Attributes of which no reader shows anything: true for those that may hide what the element
  /// holds. One that is called `hidden` may, too.
  private static let unshown = ElementNames<Bool>([
    (
      false,
      "href src rel target style id width height srcset sizes loading decoding dir lang align"
        + " valign border role poster type url length medium ispermalink itemprop itemscope"
        + " itemtype hreflang cite datetime scheme domain color face size tabindex translate"
    ), (true, "class"),
  ])
  /// Classes whose elements are hidden, or pictures of which the words stand in the text.
  private static let telling: [StaticString] = [
    "invisible", "katex-html", "mwe-math", "emoji", "emoticon", "smiley", "\\u", "&",
  ]

  /// Takes in an attribute of a tag, where it may be shown.
  ///
  /// - Parameter all: its bytes, with the blanks before it.
  mutating func append(
    attribute name: Range<Int>, all: Range<Int>, of row: UnsafeBufferPointer<UInt8>
  ) {
    let isData = name.count > 5 && row[name].starts(with: "data-".utf8)
    guard
      let mayHide = isData ? false : name.count > 16 ? nil : Self.unshown[ElementName(row[name])]
    else {
      // Words of a picture may stand in the text for it, where they are.
      if ElementName(row[name]) == ElementName("hidden") { isInOrder = false }
      return append(all, of: row)
    }
    guard isInOrder, mayHide else { return }
    isInOrder = !all.contains { place in
      Self.mayTell[Int(row[place])]
        && Self.telling.contains { Self.stands($0, in: row, at: place, before: all.upperBound) }
    }
  }

  /// Of each byte, whether one of those classes begins with it.
  private static let mayTell = (UInt8.min...UInt8.max).map { byte in
    telling.contains { $0.utf8Start[0] == byte }
  }

  private static func stands(
    _ word: StaticString, in row: UnsafeBufferPointer<UInt8>, at place: Int, before end: Int
  ) -> Bool {
    let count = word.utf8CodeUnitCount
    guard row[place] == word.utf8Start[0], place + count <= end else { return false }
    return (1..<count).allSatisfy { row[place + $0] == word.utf8Start[$0] }
  }
}
