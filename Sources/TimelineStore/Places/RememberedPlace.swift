import HTTP
import TextLayout
import VirtualList

/// Where a reader was in a timeline, kept between runs.
///
/// As a file it is lines of a name and a value. A version that is not known is ignored; names that
/// are not known are passed over, and what is missing is as if it had not been written.
public struct RememberedPlace: Hashable, Sendable {
  /// The post at the top edge.
  var post: PostMark
  /// Its row, counted from 0; where rows were still being counted, about that.
  var row: Int
  /// The byte at which it began; nil where the source is no file that is read row by row.
  var byte: Int?
  /// What of the post stood at the top edge.
  public internal(set) var place: Place
  /// The text there, from that character on; empty where there was none.
  @Sanitized public internal(set) var words: String
  /// How many rows further down the selected one was; nil where none was selected.
  public internal(set) var selection: Int?
  /// The selected post, where it is another than the one at the top edge, and those that stood
  /// below and above it: where it has gone, the first of them that is still there is selected.
  var selected: PostMark?
  var below: PostMark?
  var above: PostMark?
  /// The first post of the timeline: those above it are new.
  var first: PostMark?

  static let version = 1
  /// Bytes of a file that are read.
  static let maximumBytes = 32 << 10
  private static let title = "tideline place"
  /// Characters of the text that are kept.
  private static let maximumWords = 48
  /// Rows between the top edge and the selected one, at most.
  private static let maximumSelection = 1_000

  init(post: PostMark, row: Int, place: Place) {
    self.post = post
    self.row = row
    self.place = place
    words = ""
  }

  // MARK: As a file

  /// The bytes of the file of `source`.
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

  /// What a file says of `source`; nil where it says nothing of it, or nothing that is understood.
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
    guard values["source"] == source, let post = values["post"].flatMap(PostMark.init(kept:)) else {
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
    func mark(_ name: Substring) -> PostMark? { values[name].flatMap(PostMark.init(kept:)) }
    (selected, below, above) = (mark("selected"), mark("below"), mark("above"))
    first = mark("first")
  }

  /// The place to look for where the post at the top edge has gone: that of the selected post, or
  /// of one beside it, which then comes to the top edge. Nil where no other is known.
  public var next: RememberedPlace? {
    let row = row + (selection ?? 0)
    let others = [(selected, row), (below, row + 1), (above, row - 1)]
    guard let index = others.firstIndex(where: { $0.0 != nil && $0.0 != post }),
      let mark = others[index].0
    else { return nil }
    var place = RememberedPlace(
      post: mark, row: max(0, others[index].1), place: Place(part: 0, offset: 0))
    place.first = first
    // What was looked for is not looked for again.
    if index < 1 { place.below = below }
    if index < 2 { place.above = above }
    place.selection = 0
    return place
  }

  /// On one line, so that it comes back as it was.
  private static func escaped(_ value: String) -> String {
    guard value.unicodeScalars.contains(where: { $0 == "%" || $0.value < 32 || $0.value == 127 })
    else { return value }
    var text = ""
    for scalar in value.unicodeScalars {
      if scalar == "%" || scalar.value < 32 || scalar.value == 127 {
        let digits = String(scalar.value, radix: 16)
        text += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
