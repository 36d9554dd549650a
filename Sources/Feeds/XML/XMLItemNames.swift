/// The names of a feed's items, by its root element: `item` in RSS, `entry` in Atom; both if the
/// root is missing.
struct XMLItemNames: Hashable, Sendable {
  /// The root's name in lower case, without its prefix; `nil` if unknown.
  private(set) var root: ElementName?
  /// The root's own prefix, and prefixes bound to a namespace of feeds.
  private var prefixes: Set<ElementName> = []

  init() {}

  /// Reads the root's tag; `nil` if it is not the root of a feed.
  init?(rootTag tag: UnsafeRawBufferPointer, name: Range<Int>) {
    let (prefix, local) = ElementName.split(tag[name])
    guard Self.roots.contains(local) else { return nil }
    root = local
    if let prefix { prefixes.insert(prefix) }
    let words = tag[name.upperBound...].split { $0 <= 32 || $0 == UInt8(ascii: ">") }
    for word in words where word.starts(with: "xmlns:".utf8) {
      let parts = word.dropFirst(6).split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2 else { continue }
      let address = String(decoding: parts[1].dropFirst().dropLast(), as: UTF8.self)
      let space = FeedNamespace(address: address, prefix: "-")
      guard space == .plain || space == .atom else { continue }
      prefixes.insert(ElementName(parts[0]))
    }
  }

  private static let roots: Set<ElementName> = ["rss", "rdf", "channel", "feed", "item", "entry"]

  /// Whether an element of that name, including its prefix, is an item.
  func isItem(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let last = name.last, last | 0x20 == UInt8(ascii: "m") || last | 0x20 == UInt8(ascii: "y")
    else { return false }
    let (prefix, local) = ElementName.split(name)
    if let prefix, !prefixes.contains(prefix) { return false }
    switch root {
    case "rss", "rdf", "channel", "item": return local == "item"
    case "feed", "entry": return local == "entry"
    default: return local == "item" || local == "entry"
    }
  }

  /// Whether an end tag of that name closes an element that contains items.
  static func closesFeed(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    let local = ElementName.split(name).local
    return local == "channel" || local == "rss" || local == "rdf" || local == "feed"
  }
}
