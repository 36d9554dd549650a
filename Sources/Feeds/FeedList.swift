import HTTP
import TextLayout

/// The feeds named by an OPML list (opml.org, `xmlUrl` of each `outline`).
public struct FeedList: Hashable, Sendable {
  /// Maximum number of feeds taken from a list. `10,000`
  public static let limit = 10_000
  /// Maximum number of bytes read of a list. `16 MiB`
  public static let longest = 16 << 20

  /// The addresses of the feeds: only http(s), without duplicates, in their order.
  public let addresses: [String]
  /// The same feeds, with what the list says of them.
  package let entries: [Entry]
  /// Whether the list exceeds a limit, so that it may name more feeds.
  public let isCut: Bool
  /// A clause about a list that ends early or is nested too deeply, so that it may name more feeds;
  /// `nil` if it is whole.
  package let incompleteness: String?
  /// Number of feeds that cannot be opened because their address is missing, invalid or not
  /// http(s).
  public let unusableCount: Int
  /// The addresses of the first three of them: without names and passwords, without duplicates,
  /// each on one line and at most 80 characters long. A feed without an address is named by its
  /// title.
  public let unusable: [String]

  /// Whether a source with these first bytes is a list: its root is `opml`.
  ///
  /// - Complexity: O(n) in the bytes.
  public static func begins(_ head: [UInt8]) -> Bool {
    let text = UnicodeText(head)
    return text.bytes.first { $0 > 32 } == UInt8(ascii: "<")
      && XMLMarkup(text.bytes).firstElement == "opml"
  }

  /// Reads a list, at most its first ``longest`` bytes.
  ///
  /// - Complexity: O(n) in the bytes.
  public init(_ bytes: [UInt8]) { self.init(bytes, limit: Self.limit) }

  init(_ bytes: [UInt8], limit: Int) {
    let isLong = bytes.count > Self.longest
    let source = CharacterReferenceRepair.repaired(
      UnicodeText(isLong ? Array(bytes.prefix(Self.longest)) : bytes).bytes)
    var repaired = BareMarkupRepair.repaired(source)
    // The parser would take the part of an address that precedes the end of the bytes for the whole.
    if let start = XMLMarkup(repaired).unfinishedTag { repaired.removeSubrange(start...) }
    var parser = XMLFeedParser()
    parser.parse(repaired)
    var seen: Set<URLReference> = []
    var found: [Entry] = []
    var others = Unusable()
    var isFull = false
    var waiting = parser.root.map { [(element: $0, folders: [String]())] } ?? []
    while let (element, folders) = waiting.popLast() {
      let written = element.attribute("xmlurl").map(\.trimmingBlanks).map(String.init)
      if let address = FeedAddress.resolve(
        written.map(FeedAddress.replacingFeedScheme), base: nil),
        FeedAddress.isWeb(address), case let spelling = URLReference(address).normalized,
        !seen.contains(spelling)
      {
        isFull = found.count == limit
        if isFull { break }
        seen.insert(spelling)
        found.append(Entry(address, of: element, in: folders))
      } else if written != nil || element.attribute("type")?.lowercased() == "rss" {
        others.add(written ?? "", of: element, unless: seen)
      }
      let inside = Self.folders(folders, inside: element, isFeed: written != nil)
      waiting += element.elements.reversed().map { ($0, inside) }
    }
    entries = found
    addresses = found.map(\.address)
    unusable = others.names
    unusableCount = others.count
    isCut = isLong || isFull || parser.isHeadCut
    let beginning =
      parser.root == nil ? parser.fault?.message ?? "its first tag has no end" : nil
    let reason = beginning ?? parser.truncationFault?.message
    incompleteness = isLong ? nil : reason.map { "the list is incomplete: \($0)" }
  }

  /// Tags in the form that a category can name, without empty ones and duplicates: commas separate
  /// categories, and slashes their levels, so both become blanks.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func tags(_ names: [String]) -> [String] {
    var seen: Set<String> = [""]
    return names.map { name in
      Sanitizing.collapsed(name.replacing(",", with: " ").replacing("/", with: " "))
    }
    .filter { seen.insert($0).inserted }
  }

  /// A feed as the list names it.
  package struct Entry: Hashable, Sendable {
    /// An http(s) address.
    package let address: String
    /// The title of the feed; empty if the list gives none.
    package let title: String
    /// The name that its reader gave it, if that is not the title.
    package let ownName: String?
    /// The names of the folders around it and its categories, without duplicates.
    package let tags: [String]

    package init(
      address: String, title: String = "", ownName: String? = nil, tags: [String] = []
    ) {
      self.address = address
      self.title = title
      self.ownName = ownName
      self.tags = FeedList.tags(tags)
    }

    fileprivate init(_ address: String, of element: FeedElement, in folders: [String]) {
      // By the specification, `text` is shown and `title` is the title of the feed.
      let shown = Sanitizing.collapsed(element.attribute("text") ?? "")
      let own = Sanitizing.collapsed(element.attribute("title") ?? "")
      let categories = (element.attribute("category") ?? "").split(separator: ",")
        .flatMap { $0.split(separator: "/") }
      self.address = address
      title = own.isEmpty ? shown : own
      ownName = shown.isEmpty || shown == title ? nil : shown
      tags = FeedList.tags(folders + categories.map(String.init))
    }
  }

  /// The maximum number of folders around a feed that count.
  private static let maximumFolders = 16

  private static func folders(
    _ folders: [String], inside element: FeedElement, isFeed: Bool
  ) -> [String] {
    let name = element.attribute("text") ?? element.attribute("title") ?? ""
    guard !isFeed, element.name == "outline", folders.count < maximumFolders,
      case let folder = Sanitizing.collapsed(name), !folder.isEmpty
    else { return folders }
    return folders + [folder]
  }

  /// Collects the feeds that cannot be opened.
  private struct Unusable {
    private(set) var count = 0
    private(set) var names: [String] = []
    private var seen: Set<String> = []

    /// - Parameter usable: addresses that can be opened; a repetition of one is not added.
    mutating func add(
      _ written: String, of element: FeedElement, unless usable: Set<URLReference>
    ) {
      let address = FeedAddress.removingUserInfo(in: Sanitizer.line(written), isAddress: true)
      let web = FeedAddress.resolve(FeedAddress.replacingFeedScheme(written), base: nil)
      guard web.map({ !usable.contains(URLReference($0).normalized) }) ?? true,
        address.isEmpty || seen.insert(address).inserted
      else { return }
      count += 1
      guard names.count < 3 else { return }
      let title = element.attribute("text") ?? element.attribute("title") ?? ""
      let name =
        address.isEmpty ? "“\(Sanitizer.line(title).prefix(60))” without an address" : address
      names.append(String(name.prefix(80)))
    }
  }
}
