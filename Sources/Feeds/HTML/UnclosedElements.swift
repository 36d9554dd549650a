/// Which elements, whose content is only for those who cannot show them, have no end tag: a parser
/// takes all that follows for their content.
final class UnclosedElements {
  private static let names = ["iframe", "object", "video", "audio"]
  private let html: String
  /// Looked for when one of them begins.
  private var found: Set<ElementName>?

  init(_ html: String) { self.html = html }

  /// - Complexity: O(n) in the bytes the first time, then O(1).
  func contains(_ name: ElementName) -> Bool {
    if found == nil {
      let markup = XMLMarkup(Array(html.utf8))
      found = Set(Self.names.filter { Self.isUnclosed($0, in: markup) }.map { ElementName($0) })
    }
    return found?.contains(name) ?? false
  }

  private static func isUnclosed(_ name: String, in markup: XMLMarkup) -> Bool {
    var open = 0
    var position = 0
    while let start = markup.opening(from: position) {
      position = start + 1
      let isEnd = position < markup.bytes.count && markup.bytes[position] == UInt8(ascii: "/")
      let first = isEnd ? position + 1 : position
      guard markup.bytes.count - first >= name.utf8.count,
        zip(name.utf8, markup.bytes[first...]).allSatisfy({ $0 == $1 | 0x20 }),
        markup.name(at: first).count == name.utf8.count
      else { continue }
      if isEnd {
        open -= 1
      } else if let end = markup.bytes[first...].firstIndex(of: UInt8(ascii: ">")),
        markup.bytes[end - 1] != UInt8(ascii: "/")
      {
        open += 1
      }
    }
    return open > 0
  }
}
