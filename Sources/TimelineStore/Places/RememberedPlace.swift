import HTTP
import TextLayout
import VirtualList

/// The place of the reader in a timeline, kept between runs.
///
/// Each line of its file has a name and a value. A file of an unknown version is ignored; unknown
/// names are skipped, and missing ones have no value.
package struct RememberedPlace: Hashable, Sendable {
  /// The post at the top edge.
  var post: StoredPostIdentity
  /// Its row, counted from 0; approximate if rows were still being counted.
  var row: Int
  /// The byte offset of the post in a file that is read row by row, or its key in another source
  /// (`PlaceFinder.key`); `nil` if the source has neither.
  var byte: Int?
  /// The part of the post at the top edge.
  package internal(set) var place: Place
  /// The text from that place on; empty if there was none.
  @Sanitized package internal(set) var words: String
  /// The distance of the selected row from `row`; `nil` if none was selected.
  package internal(set) var selection: Int?
  /// The selected post, if it is not the one at the top edge, and the neighbours of the selected
  /// row below and above. If the post has gone, the first remaining neighbour is selected.
  var selected: StoredPostIdentity?
  var below: StoredPostIdentity?
  var above: StoredPostIdentity?
  /// The first post of the timeline: those above it are new.
  var first: StoredPostIdentity?

  static let version = 1
  /// The maximum size of the file in bytes.
  static let maximumBytes = 32 << 10
  private static let title = "tideline place"
  /// The maximum number of characters of `words`.
  private static let maximumWords = 48
  /// The maximum distance of the selected row.
  private static let maximumSelection = 1_000

  init(post: StoredPostIdentity, row: Int, place: Place) {
    self.post = post
    self.row = row
    self.place = place
    words = ""
  }

  // MARK: As a file

  /// The contents of the file of `source`.
  func encoded(of source: String) -> [UInt8] {
    var text = "\(Self.title) \(Self.version)\n"
    func add(_ name: String, _ value: String) { text += "\(name) \(Self.escaped(value))\n" }
    add("source", source)
    add("post", post.text)
    add("row", "\(row)")
    if let byte { add("byte", "\(byte)") }
    add("part", "\(place.part)")
    add("character", "\(place.offset)")
    if !words.isEmpty { add("words", String(words.prefix(Self.maximumWords))) }
    if let selection { add("selection", "\(selection)") }
    if let selected { add("selected", selected.text) }
    if let below { add("below", below.text) }
    if let above { add("above", above.text) }
    if let first { add("first", first.text) }
    return Array(text.utf8)
  }

  /// Parses the file of `source`; `nil` if it is not about `source`, or cannot be parsed.
  init?(_ bytes: [UInt8], of source: String) {
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")[...]
    guard let head = lines.popFirst(), head.hasPrefix(Self.title + " "),
      let version = Int(head.dropFirst(Self.title.count + 1)), (1...Self.version).contains(version)
    else { return nil }
    var values: [Substring: String] = [:]
    for line in lines {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      values[parts[0]] = String(decoding: URLReference.decoded(parts[1]), as: UTF8.self)
    }
    func number(_ name: Substring, upTo most: Int) -> Int? {
      values[name].flatMap { Int($0) }.flatMap { $0.magnitude <= most ? $0 : nil }
    }
    guard values["source"] == source,
      let post = values["post"].flatMap(StoredPostIdentity.init(kept:))
    else {
      return nil
    }
    let most = Int(Int32.max)
    self.init(
      post: post, row: max(0, number("row", upTo: 1 << 48) ?? 0),
      place: Place(
        part: Int32(clamping: number("part", upTo: most) ?? 0),
        offset: Int32(clamping: number("character", upTo: most) ?? 0)))
    byte = number("byte", upTo: 1 << 56).flatMap { $0 >= 0 ? $0 : nil }
    words = String(Sanitizer.line(values["words"] ?? "").prefix(Self.maximumWords))
    selection = number("selection", upTo: Self.maximumSelection)
    func mark(_ name: Substring) -> StoredPostIdentity? {
      values[name].flatMap(StoredPostIdentity.init(kept:))
    }
    (selected, below, above) = (mark("selected"), mark("below"), mark("above"))
    first = mark("first")
  }

  /// The place to look for if the post at the top edge has gone: the first line of the selected
  /// post or of a neighbour, shown at the top edge. `nil` if no other post is known.
  package var next: RememberedPlace? {
    let row = row + (selection ?? 0)
    let others = [(selected, row), (below, row + 1), (above, row - 1)]
    guard let index = others.firstIndex(where: { $0.0 != nil && $0.0 != post }),
      let mark = others[index].0
    else { return nil }
    var place = RememberedPlace(
      post: mark, row: max(0, others[index].1), place: Place(part: 0, offset: 0))
    place.first = first
    // Posts that have already been looked for are left out.
    if index < 1 { place.below = below }
    if index < 2 { place.above = above }
    place.selection = 0
    return place
  }

  /// Percent-encodes `%` and control characters, so that the value stays on one line.
  private static func escaped(_ value: String) -> String {
    URLReference.encoded(value) { $0 == UInt8(ascii: "%") || $0 < 32 || $0 == 127 }
  }
}
