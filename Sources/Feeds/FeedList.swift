/// The feeds that a list in OPML names (opml.org, `xmlUrl` of each `outline`).
public struct FeedList: Hashable, Sendable {
  /// Feeds that are taken of a list. `10,000`
  public static let limit = 10_000
  /// Bytes of a list that are read. `16 MiB`
  public static let longest = 16 << 20

  /// The addresses of its feeds, http(s) alone, each once, in their order.
  public let addresses: [String]
  /// Whether the list is longer than is read: it may name more feeds.
  public let isCut: Bool

  /// Whether a source that begins so is a list: its root is `opml`.
  ///
  /// - Complexity: O(n) in the bytes.
  public static func begins(_ head: [UInt8]) -> Bool {
    let text = UnicodeText(head)
    return text.bytes.first { $0 > 32 } == UInt8(ascii: "<")
      && XMLMarkup(text.bytes).firstElement == "opml"
  }

  /// Reads a list, of more than ``longest`` bytes only those.
  ///
  /// - Complexity: O(n) in the bytes.
  public init(_ bytes: [UInt8]) { self.init(bytes, limit: Self.limit) }

  init(_ bytes: [UInt8], limit: Int) {
    let isLong = bytes.count > Self.longest
    let source = CharacterReferences.repaired(
      UnicodeText(isLong ? Array(bytes.prefix(Self.longest)) : bytes).bytes)
    var parser = XMLFeedParser { _, _, _ in }
    parser.parse(BareMarkupRepair.repaired(source))
    var seen: Set<String> = []
    var found: [String] = []
    var isFull = false
    var waiting = parser.root.map { [$0] } ?? []
    while let element = waiting.popLast() {
      let written = element.attribute("xmlurl").map(\.trimmingBlanks).map(String.init)
      if let address = FeedAddress.resolve(
        written.map(FeedAddress.withoutFeedScheme), base: nil),
        FeedAddress.isWeb(address), !seen.contains(address)
      {
        isFull = found.count == limit
        if isFull { break }
        seen.insert(address)
        found.append(address)
      }
      waiting += element.elements.reversed()
    }
    addresses = found
    isCut = isLong || isFull || parser.isHeadCut
  }

  /// The addresses of the feeds that a list names.
  ///
  /// - Complexity: O(n) in the bytes.
  public static func addresses(in bytes: [UInt8]) -> [String] { FeedList(bytes).addresses }
}
