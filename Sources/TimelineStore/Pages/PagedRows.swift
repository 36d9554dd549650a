import Feeds

/// The rows of a timeline that comes in pages, each post once.
///
/// Pages may overlap, because new posts push others down to the next page. A known post is skipped;
/// equal posts of one page all stay. New posts may even appear on a page that is older than all
/// that were read: in a timeline sorted by date they are skipped there, too, and a refresh finds
/// them at the top.
struct PagedRows: Sendable {
  private(set) var rows = PostRows()
  private var known: Set<PostIdentity> = []
  private var order = DateOrder()

  var count: Int { rows.count }
  /// The approximate memory of the posts, in bytes.
  private(set) var bytes = 0

  /// Adds the posts of an older page after the others.
  ///
  /// - Returns: the number of those that were new.
  /// - Complexity: O(n) in the page
  mutating func append(_ page: [Post]) -> Int {
    let keys = page.map(PostIdentity.init)
    let new = page.indices.filter { !known.contains(keys[$0]) && !order.isAbove(page[$0]) }
    rows.append(new.count == page.count ? page : new.map { page[$0] })
    for index in new {
      bytes += page[index].footprint
      known.insert(keys[index])
      order.note(page[index])
    }
    return new.count
  }

  // MARK: Refreshing

  /// Whether refreshed posts connect to the rows: one of them is known, and the post after the last
  /// known one is no newer than the row that follows it here; without dates, the known ones reach
  /// half down. So a post that is pinned to the top does not hide that others are missing below it.
  ///
  /// - Complexity: O(rows + n) in the posts
  func meets(_ fresh: [Post]) -> Bool {
    let overlap = PageOverlap(fresh, in: rows)
    guard let (index, row) = overlap.last else { return false }
    guard index + 1 < fresh.count, row + 1 < rows.count else { return true }
    guard let new = fresh[index + 1].published, let old = rows[row + 1].published else {
      return fresh.count - index - 1 <= index
    }
    return new <= old
  }

  /// The rows with the refreshed posts before them, and how they differ from these.
  ///
  /// - Complexity: O(n log n) in rows and posts
  func refreshed(
    with fresh: [Post], ending: Paging.RefreshEnd
  ) -> (rows: PagedRows, change: PostChange) {
    let posts: [Post] =
      switch ending {
      case .whole: fresh
      case .met: joined(fresh)
      case .gap: fresh + [Self.mark(.gap, above: fresh)] + rows.posts
      case .ended: fresh + [Self.mark(.ended, above: fresh)] + rows.posts
      }
    var new = PagedRows()
    let (rows, change) = rows.refreshed(with: posts)
    new.rows = rows
    new.known = Set(posts.map(PostIdentity.init))
    for post in posts {
      new.bytes += post.footprint
      new.order.note(post)
    }
    return (new, change)
  }

  /// Refreshed posts that connect to the rows, and the rows that remain after them.
  ///
  /// Rows above the last known post that were not read again are gone if the known posts are in the
  /// same order as before, and either sorted by date or no more are missing than were read.
  /// Otherwise the timeline is not sorted by time, and has merely moved them.
  private func joined(_ fresh: [Post]) -> [Post] {
    let overlap = PageOverlap(fresh, in: rows)
    guard let (index, row) = overlap.last else { return fresh + rows.posts }
    // The posts after the last known one come again with an older page.
    let top = fresh[...index]
    let missing = row + 1 - overlap.rows.count { $0 <= row }
    let isFew = missing <= max(1, fresh.count)
    if overlap.isInOrder, isFew || DateOrder.holds(top) && DateOrder.holds(rows.posts[...row]) {
      return Self.joined(top, of: fresh, rows.posts[(row + 1)...])
    }
    let read = Set(overlap.rows)
    let rest = rows.posts.indices.filter { !read.contains($0) }.map { rows[$0] }
    return Self.joined(top, of: fresh, rest[...])
  }

  /// The posts of `top`, the first of `fresh`, and then `rest`. If they are exactly `fresh`, it is
  /// returned itself: a copy would double the memory.
  private static func joined(
    _ top: ArraySlice<Post>, of fresh: [Post], _ rest: ArraySlice<Post>
  ) -> [Post] {
    if top.count == fresh.count, rest.isEmpty { return fresh }
    var posts: [Post] = []
    posts.reserveCapacity(top.count + rest.count)
    posts += top
    posts += rest
    return posts
  }

  fileprivate static let gapID = "gap below "

  /// A marked post between the refreshed posts and the old ones, which says why they do not
  /// connect.
  private static func mark(_ ending: Paging.RefreshEnd, above fresh: [Post]) -> Post {
    var post = Post(id: gapID + (fresh.last?.id ?? ""))
    post.damage =
      ending == .gap
      ? "more posts have come than a refresh reads: some are missing here; "
        + "open the timeline again to read them"
      : "the refresh ends here; the posts below are not in the timeline any more"
    return post
  }
}

/// Whether rows are sorted by date, from the last gap on.
private struct DateOrder {
  private var newest: Double?
  private var last = Double.infinity
  private var isSorted = true

  mutating func note(_ post: Post) {
    guard !post.id.hasPrefix(PagedRows.gapID) else {
      self = DateOrder()
      return
    }
    guard let date = post.published, date <= last else {
      isSorted = false
      return
    }
    newest = newest ?? date
    last = date
  }

  /// Whether posts are sorted by date, apart from gaps.
  static func holds(_ posts: some Sequence<Post>) -> Bool {
    var last = Double.infinity
    return posts.allSatisfy { post in
      guard !post.id.hasPrefix(PagedRows.gapID) else { return true }
      guard let date = post.published, date <= last else { return false }
      last = date
      return true
    }
  }

  /// Whether a post is newer than all rows, which are sorted by date.
  func isAbove(_ post: Post) -> Bool {
    guard isSorted, let newest, let date = post.published else { return false }
    return date > newest
  }
}

/// The posts of a page that are rows already.
private struct PageOverlap {
  /// Their rows, in the order of the page.
  let rows: [Int]
  /// The last of these posts: its index in the page, and its row.
  let last: (index: Int, row: Int)?

  var isInOrder: Bool { zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 } }

  init(_ page: [Post], in rows: PostRows) {
    var wanted: [PostRows.Key: Int] = [:]
    for (index, key) in PostRows.keys(of: page).enumerated() { wanted[key] = index }
    var found: [(index: Int, row: Int)] = []
    for (row, key) in PostRows.keys(of: rows.posts).enumerated() {
      if let index = wanted[key] { found.append((index, row)) }
    }
    found.sort { $0.index < $1.index }
    self.rows = found.map(\.row)
    last = found.last
  }
}
