import Feeds
import Library

/// Collects the posts of a document as items of a library.
///
/// 1. The body of an item is the line that `--json` prints.
/// 2. An item has a guid only if its source gives it an id. Ids that readers make from positions or
///    contents are left out; the library finds another identity.
/// 3. A post that only reports damage is not an item: every fetch would add it as a new one.
/// 4. Nor is a damaged item in which the document ends: with half an id, link or title it would
///    count as a different item, and half a text would replace the whole text.
struct FetchedItems {
  /// The bytes of lines, 16 MiB, from which on no item is added.
  private static let maximumBytes = 16 << 20

  private(set) var items: [NewItem] = []
  /// The number of items that could not be read at all.
  private(set) var unreadableCount = 0
  /// Why the document may be incomplete: an error outside of items, such as a body that broke off,
  /// or one in the last item, which may have been truncated; `nil` without either.
  var damage: String? {
    outerDamage ?? lastItemDamage.map { "its last item is incomplete: \($0)" }
  }
  private var outerDamage: String?
  private var lastItemDamage: String?
  private var isLastItemIncluded = false
  private(set) var isCut = false
  private let maximumCount: Int
  private var bytes = 0
  /// The link of the first item of each guid; empty if it has none.
  private var links: [String: String] = [:]

  /// - Parameter maximumCount: the maximum number of items of a document.
  init(atMost maximumCount: Int) { self.maximumCount = maximumCount }

  /// - Complexity: O(n) in the bytes of the post.
  mutating func add(_ post: Post) {
    if post.id.hasPrefix("damage "), post.isBlank {
      outerDamage = outerDamage ?? post.damage
      return
    }
    lastItemDamage = post.damage
    isLastItemIncluded = false
    if post.damage != nil, post.isBlank {
      unreadableCount += 1
      return
    }
    guard items.count < maximumCount, bytes < Self.maximumBytes else {
      isCut = true
      lastItemDamage = nil
      return
    }
    var post = post
    let guid = Self.guid(of: post)
    let link = post.url ?? post.externalURL
    // Two items of one guid differ by their links; with one link they are one item, sent twice.
    if let guid, let first = links[guid], let link, link != first { post.id = "\(guid)#\(link)" }
    if let guid, links[guid] == nil { links[guid] = link ?? "" }
    var line: [UInt8] = []
    _ = PostWriter.appendJSONItem(post, to: &line)
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    bytes += line.count
    items.append(
      NewItem(
        guid: guid, link: link, title: post.title.plainText,
        published: post.published ?? post.modified, body: .line(line)))
    isLastItemIncluded = true
  }

  /// Leaves out the last item if it is damaged: the document ends inside it.
  mutating func endInsideItem() {
    guard lastItemDamage != nil, isLastItemIncluded else { return }
    items.removeLast()
    isLastItemIncluded = false
  }

  /// The id that the source gives the post; `nil` if its reader made it.
  static func guid(of post: Post) -> String? {
    if post.id.isEmpty || post.id.hasPrefix("byte ") { return nil }
    // The id of an XML item without guid and link is a 64-bit hash, in hexadecimal.
    let isHash =
      post.url == nil && (12...16).contains(post.id.utf8.count)
      && post.id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return isHash || post.id == post.url ? nil : post.id
  }
}
