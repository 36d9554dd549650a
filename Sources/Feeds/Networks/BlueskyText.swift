import TextLayout

/// A text with facets: links, tags and mentions, whose positions are counted in UTF-8 bytes.
struct BlueskyText {
  private(set) var styled = StyledText()
  private(set) var tags: [String] = []
  /// The reason why a facet or the end of the text is missing.
  private(set) var damage: String?

  private struct Mark {
    var range: Range<Int>
    var role: TextStyle.Role
    var target: String?
  }

  /// - Complexity: O(n + m log m) in the bytes and facets.
  init(_ text: String, facets: [JSONFields]) {
    let bytes = Array(text.utf8)
    var marks: [Mark] = []
    let notes = ItemDiagnostics()
    for facet in facets.map({ $0.recordingProblems(notes) }) {
      guard let index = facet.object("index"), let start = index.count("byteStart"),
        let end = index.count("byteEnd"), start < end, end <= bytes.count,
        Self.isBoundary(start, bytes), Self.isBoundary(end, bytes)
      else {
        damage = "a link that fits no place of the text"
        continue
      }
      for feature in facet.objects("features") {
        guard let mark = Self.mark(feature, start..<end) else { continue }
        marks.append(mark.mark)
        if let tag = mark.tag { tags.append(tag) }
        break
      }
    }
    if !notes.mistypedFields.isEmpty { damage = "a link that cannot be read" }
    guard !marks.isEmpty else {
      let content = HTMLContent.plain(text, as: .styled)
      styled = content.text
      damage = damage ?? content.damage
      return
    }
    write(bytes, marks.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  private static func isBoundary(_ place: Int, _ bytes: [UInt8]) -> Bool {
    place == bytes.count || bytes[place] & 0xC0 != 0x80
  }

  private static func mark(
    _ feature: JSONFields, _ range: Range<Int>
  ) -> (mark: Mark, tag: String?)? {
    if let uri = feature.text("uri") {
      let target = FeedAddress.resolve(uri, base: nil)
      return target.map { (Mark(range: range, role: .link, target: $0), nil) }
    }
    if let tag = feature.text("tag") {
      let target = FeedAddress.resolve("/hashtag/\(tag)", base: "https://bsky.app/")
      return (Mark(range: range, role: .tag, target: target), tag)
    }
    if let name = feature.text("did") {
      let target = FeedAddress.resolve(BlueskyReader.Wording.profiles.text + name, base: nil)
      return (Mark(range: range, role: .tag, target: target), nil)
    }
    return nil
  }

  /// Writes the text with `marks`; those that overlap an earlier one are left out.
  private mutating func write(_ bytes: [UInt8], _ marks: [Mark]) {
    var pieces: [(range: Range<Int>, style: TextStyle)] = []
    var place = 0
    for mark in marks where mark.range.lowerBound >= place {
      pieces.append((place..<mark.range.lowerBound, .body))
      let link = mark.target.map { styled.addLink($0) }
      pieces.append((mark.range, TextStyle(role: mark.role, link: link)))
      place = mark.range.upperBound
    }
    pieces.append((place..<bytes.count, .body))
    styled.beginParagraph()
    for piece in pieces { append(bytes, piece.range, piece.style) }
  }

  /// Appends a range of the text: a blank line begins a paragraph; a single line break stays.
  private mutating func append(_ bytes: [UInt8], _ range: Range<Int>, _ style: TextStyle) {
    var start = range.lowerBound
    var index = start
    while index < range.upperBound {
      guard bytes[index] == 0x0A, index + 1 < bytes.count, bytes[index + 1] == 0x0A else {
        index += 1
        continue
      }
      styled.append(String(decoding: bytes[start..<index], as: UTF8.self), style: style)
      while index < range.upperBound, bytes[index] == 0x0A { index += 1 }
      start = index
      let isAtEdge = index == bytes.count || styled.isEmpty
      if !isAtEdge, styled.paragraphs.last?.string.isEmpty == false { styled.beginParagraph() }
    }
    styled.append(String(decoding: bytes[start..<range.upperBound], as: UTF8.self), style: style)
  }
}
