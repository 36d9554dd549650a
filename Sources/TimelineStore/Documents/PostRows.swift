import Feeds
import VirtualList

/// Posts in order, each with an identity that it keeps when its source is refreshed.
///
/// Before a refresh a row's number is its identity, which takes no memory; a refresh preserves the
/// identities of the posts that remain. Posts with equal keys are distinguished by their order.
struct PostRows: Sendable {
  private(set) var posts: [Post] = []
  /// Empty while identities are row numbers.
  private var ids: [RowID] = []
  private var rows: [RowID: Int] = [:]
  private var nextID: UInt64 = 0
  /// For each row, the text length of all posts up to and including it.
  private var textEnds: [Int] = []

  var count: Int { posts.count }

  subscript(row: Int) -> Post { posts[row] }

  func id(at row: Int) -> RowID { ids.isEmpty ? RowID(UInt64(row)) : ids[row] }

  func row(of id: RowID) -> Int? {
    guard ids.isEmpty else { return rows[id] }
    return id.rawValue < UInt64(posts.count) ? Int(id.rawValue) : nil
  }

  /// The amount of text in rows, by which their height is estimated: its bytes, and the length of a
  /// line for each paragraph, which ends in a partial line and is followed by a blank one.
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
    // The first posts share their storage with the reader.
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

  /// The rows that `posts` make, and how they differ from these.
  ///
  /// - Complexity: O(n) in all posts, and O(m log m) in those that differ
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
        if case .id = PostIdentity(posts[row]), self.posts[old] != posts[row] {
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
      // Identities are unique; if one were not, the list would reload all rows.
      change.updates = nil
    }
    return (new, change)
  }

  /// Identifies a post within its source.
  struct Key: Hashable {
    var post: PostIdentity
    /// The number of posts before it with the same key.
    var repetition: Int
  }

  static func keys(of posts: [Post]) -> [Key] {
    var seen: [PostIdentity: Int] = [:]
    return posts.map { post in
      let key = PostIdentity(post)
      let repetition = seen[key, default: 0]
      seen[key] = repetition + 1
      return Key(post: key, repetition: repetition)
    }
  }
}

/// The changes that a refresh has made.
package struct PostChange: Sendable {
  /// The number of new posts.
  package var added: Int
  /// The number of removed posts.
  package var removed: Int
  /// The number of posts with new contents.
  package var changed: Int
  /// The same changes for the list; `nil` if it should reload all rows.
  package var updates: BatchUpdates?

  /// For the status line: `"3 new, 1 changed"`.
  package var text: String {
    let parts = [(added, "new"), (changed, "changed"), (removed, "gone")]
    let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return said.isEmpty ? "nothing new" : said.joined(separator: ", ")
  }
}
