import Feeds
import VirtualList

/// Posts in order, each with the identity it keeps when its source is refreshed.
///
/// Until then a row's number is its identity, which takes no memory; a source that is refreshed
/// gives the rows whose posts it still has their old ones. Posts that share a key are told apart by
/// their order.
struct PostRows: Sendable {
  private(set) var posts: [Post] = []
  /// Empty where identities are row numbers.
  private var ids: [RowID] = []
  private var rows: [RowID: Int] = [:]
  private var nextID: UInt64 = 0
  /// How much text all posts before a row and it itself have.
  private var textEnds: [Int] = []

  var count: Int { posts.count }

  subscript(row: Int) -> Post { posts[row] }

  func id(at row: Int) -> RowID { ids.isEmpty ? RowID(UInt64(row)) : ids[row] }

  func row(of id: RowID) -> Int? {
    guard ids.isEmpty else { return rows[id] }
    return id.rawValue < UInt64(posts.count) ? Int(id.rawValue) : nil
  }

  /// How much text rows have, which tells how high they are about: its bytes, and for each
  /// paragraph as many as make a line, since it ends in one of its own and is followed by a blank
  /// one.
  ///
  /// - Complexity: O(1)
  func textLength(ofRows rows: Range<Int>) -> Int? {
    guard rows.lowerBound >= 0, rows.upperBound <= textEnds.count, !rows.isEmpty else { return nil }
    let before = rows.lowerBound > 0 ? textEnds[rows.lowerBound - 1] : 0
    return textEnds[rows.upperBound - 1] - before
  }

  private mutating func sumText() {
    textEnds.reserveCapacity(posts.count)
    var sum = textEnds.last ?? 0
    for post in posts[textEnds.count...] {
      sum += post.body.paragraphs.reduce(0) { $0 + $1.string.utf8.count + 80 }
      textEnds.append(sum)
    }
  }

  /// - Complexity: O(n) in the new posts
  mutating func append(_ more: [Post]) {
    let start = posts.count
    // Shared with who read them, where they are the first.
    if posts.isEmpty { posts = more } else { posts += more }
    sumText()
    nextID = max(nextID, UInt64(start))
    guard !ids.isEmpty else { return }
    for row in start..<posts.count { add(RowID(nextID), at: row) }
  }

  private mutating func add(_ id: RowID, at row: Int) {
    ids.append(id)
    rows[id] = row
    nextID = max(nextID, id.rawValue + 1)
  }

  /// The rows that `posts` make, and how they come of these.
  ///
  /// - Complexity: O(n log n) in the posts that differ
  func refreshed(with posts: [Post]) -> (rows: PostRows, change: PostChange) {
    var known: [Key: Int] = [:]
    for (row, key) in Self.keys(of: self.posts).enumerated() { known[key] = row }
    var new = PostRows()
    new.posts = posts
    new.sumText()
    new.nextID = max(nextID, UInt64(self.posts.count))
    new.ids.reserveCapacity(posts.count)
    var changed: Set<RowID> = []
    for (row, key) in Self.keys(of: posts).enumerated() {
      if let old = known[key] {
        new.add(id(at: old), at: row)
        if case .id = PostKey(posts[row]), self.posts[old] != posts[row] {
          changed.insert(id(at: old))
        }
      } else {
        new.add(RowID(new.nextID), at: row)
      }
    }
    let kept = new.ids.count { row(of: $0) != nil }
    var change = PostChange(
      added: posts.count - kept, removed: self.posts.count - kept, changed: changed.count)
    do throws(ListUpdateError) {
      change.updates = try BatchUpdates(
        from: self.posts.indices.map(id(at:)), to: new.ids, reloading: changed)
    } catch {
      // No identity is given twice; the list takes the rows as they are where one were.
      change.updates = nil
    }
    return (new, change)
  }

  /// By what a post is told from all others of its source.
  struct Key: Hashable {
    var post: PostKey
    /// How many posts before it have the same key.
    var repetition: Int
  }

  static func keys(of posts: [Post]) -> [Key] {
    var seen: [PostKey: Int] = [:]
    return posts.map { post in
      let key = PostKey(post)
      let repetition = seen[key, default: 0]
      seen[key] = repetition + 1
      return Key(post: key, repetition: repetition)
    }
  }
}

/// How rows came of others when a source was refreshed.
public struct PostChange: Sendable {
  /// Posts that were not there before.
  public var added: Int
  /// Posts that are not there any more.
  public var removed: Int
  /// Posts that say something else now.
  public var changed: Int
  /// The same for the list; nil where it should take the rows as they are.
  public var updates: BatchUpdates?

  /// For the status line: `"3 new, 1 changed"`.
  public var text: String {
    let parts = [(added, "new"), (changed, "changed"), (removed, "gone")]
    let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return said.isEmpty ? "nothing new" : said.joined(separator: ", ")
  }
}
