import TextLayout

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
  /// Feeds that cannot be opened, as their addresses are not http(s), are none, or are missing.
  public let unusableCount: Int
  /// The first three of them by their addresses, without names and passwords, each once, on one line
  /// and at most 80 characters long; what has no address is named by its title.
  public let unusable: [String]

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
    var others = Unusable()
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
      } else if written != nil || element.attribute("type")?.lowercased() == "rss" {
        others.add(written ?? "", of: element, unless: seen)
      }
      waiting += element.elements.reversed()
    }
    addresses = found
    unusable = others.names
    unusableCount = others.count
    isCut = isLong || isFull || parser.isHeadCut
  }

  /// What a list names and cannot be opened.
  private struct Unusable {
    private(set) var count = 0
    private(set) var names: [String] = []
    private var seen: Set<String> = []

    /// - Parameter usable: addresses that can be opened, and may be there again.
    mutating func add(_ written: String, of element: FeedElement, unless usable: Set<String>) {
      let address = FeedAddress.withoutUsers(in: Sanitizer.line(written), isAddress: true)
      let web = FeedAddress.resolve(FeedAddress.withoutFeedScheme(written), base: nil)
      guard !usable.contains(web ?? ""), address.isEmpty || seen.insert(address).inserted else {
        return
      }
      count += 1
      guard names.count < 3 else { return }
      let title = element.attribute("text") ?? element.attribute("title") ?? ""
      let name =
        address.isEmpty ? "“\(Sanitizer.line(title).prefix(60))” without an address" : address
      names.append(String(name.prefix(80)))
    }
  }

  /// The addresses of the feeds that a list names.
  ///
  /// - Complexity: O(n) in the bytes.
  public static func addresses(in bytes: [UInt8]) -> [String] { FeedList(bytes).addresses }
}
