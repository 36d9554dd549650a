/// The feeds that a list in OPML names (opml.org, `xmlUrl` of each `outline`).
public enum FeedList {
  /// Feeds that are taken of a list. `500`
  public static let limit = 500
  /// Bytes of a list that are read. `16 MiB`
  public static let longest = 16 << 20

  /// Whether a source that begins so is a list: its root is `opml`.
  ///
  /// - Complexity: O(n) in the bytes.
  public static func begins(_ head: [UInt8]) -> Bool {
    let text = UnicodeText(head)
    return text.bytes.first { $0 > 32 } == UInt8(ascii: "<")
      && XMLMarkup(text.bytes).firstElement == "opml"
  }

  /// The addresses of its feeds, http(s) alone, each once, in their order.
  ///
  /// - Complexity: O(n) in the bytes.
  public static func addresses(in bytes: [UInt8]) -> [String] {
    let source = CharacterReferences.repaired(UnicodeText(bytes).bytes)
    var parser = XMLFeedParser { _, _, _ in }
    parser.parse(BareMarkupRepair.repaired(source))
    var seen: Set<String> = []
    var found: [String] = []
    var waiting = parser.root.map { [$0] } ?? []
    while let element = waiting.popLast(), found.count < limit {
      if let address = FeedAddress.resolve(element.attribute("xmlurl"), base: nil),
        FeedAddress.isWeb(address), seen.insert(address).inserted
      {
        found.append(address)
      }
      waiting += element.elements.reversed()
    }
    return found
  }
}
