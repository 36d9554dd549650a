import Feeds
import Library

/// Collects the posts of a document as items of a library.
///
/// 1. The body of an item is the line that `--json` prints.
/// 2. An item has a guid only if its source gives it an id. Ids that readers make from positions or
///    contents are left out; the library finds another identity.
/// 3. Marks of damage are no items: they would come back as new ones with every fetch.
/// 4. Nor is a damaged item in which the document ends: the half of an id, a link or a title would
///    make it another item than the whole one, and half a text would replace the whole one.
struct FetchedItems {
  /// The maximum bytes of the lines of a document.
  private static let maximumBytes = 16 << 20

  private(set) var items: [NewItem] = []
  /// The number of items that could not be read at all.
  private(set) var unreadableCount = 0
  /// Why the document may be incomplete: the error outside of items, such as a body that broke off,
  /// or that in the last item, in which it may have been cut off; `nil` without either.
  var damage: String? {
    outerDamage ?? lastItemDamage.map { "its last item is incomplete: \($0)" }
  }
  private var outerDamage: String?
  private var lastItemDamage: String?
  private var isLastItemIncluded = false
  private(set) var isCut = false
  private let maximumCount: Int
  private var bytes = 0
  /// The first link of each guid.
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
    // Of an item of XML without guid and link the id is a hash of 64 bits.
    let isHash =
      post.url == nil && (12...16).contains(post.id.utf8.count)
      && post.id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return isHash || post.id == post.url ? nil : post.id
  }
}
