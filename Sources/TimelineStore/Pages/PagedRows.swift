import Feeds

/// The rows of a timeline that comes in pages: each post once, whatever pages have in common.
///
/// Pages may overlap, since posts that come on top push others down to the next page. A post that
/// is known is passed over; two posts of one page that say the same both stay. Posts that came on
/// top may even reach down to a page that is older than all that was read: in a timeline sorted by
/// date they are passed over there too, and are found at the top when it is refreshed.
struct PagedRows: Sendable {
  private(set) var rows = PostRows()
  private var known: Set<PostKey> = []
  private var order = DateOrder()

  var count: Int { rows.count }
  /// Bytes of memory that the posts take, about.
  private(set) var bytes = 0

  /// Puts the posts of an older page behind the others.
  ///
  /// - Returns: how many of them were not known.
  /// - Complexity: O(n) in the page
  mutating func append(_ page: [Post]) -> Int {
    let keys = page.map(PostKey.init)
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

  /// Whether refreshed posts go on in the rows: one of them is known, and what follows the last
  /// such one is no newer than the row that follows it here; without dates, those known reach half
  /// down. So a post that is pinned to the top does not hide that others are missing below it.
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

  /// The rows with the refreshed posts before them, and how they come of these.
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
    new.known = Set(posts.map(PostKey.init))
    for post in posts {
      new.bytes += post.footprint
      new.order.note(post)
    }
    return (new, change)
  }

  /// Posts that reach into the rows, and the rows that they do not tell anything about.
  ///
  /// Rows above the last known post that were not read again are gone, if the order is the one that
  /// was known, and by date or with no more missing than were read: a timeline that is sorted by
  /// something else than time has merely moved them.
  private func joined(_ fresh: [Post]) -> [Post] {
    let overlap = PageOverlap(fresh, in: rows)
    guard let (index, row) = overlap.last else { return fresh + rows.posts }
    // What follows the last known post comes again with an older page.
    let top = Array(fresh[...index])
    let missing = row + 1 - overlap.rows.count { $0 <= row }
    let isFew = missing <= max(1, fresh.count)
    if overlap.isInOrder, isFew || DateOrder.holds(top) && DateOrder.holds(rows.posts[...row]) {
      return top + rows.posts[(row + 1)...]
    }
    let read = Set(overlap.rows)
    return top + rows.posts.indices.filter { !read.contains($0) }.map { rows[$0] }
  }

  fileprivate static let gapID = "gap below "

  /// A row that says that posts are missing between what the refresh brought and what was there.
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

  /// Whether posts are sorted by date, gaps or not.
  static func holds(_ posts: some Sequence<Post>) -> Bool {
    var last = Double.infinity
    return posts.allSatisfy { post in
      guard !post.id.hasPrefix(PagedRows.gapID) else { return true }
      guard let date = post.published, date <= last else { return false }
      last = date
      return true
    }
  }

  /// Whether a post belongs before all of the rows.
  func isAbove(_ post: Post) -> Bool {
    guard isSorted, let newest, let date = post.published else { return false }
    return date > newest
  }
}

/// Which posts of a page are rows already.
private struct PageOverlap {
  /// The rows in the order of the page.
  let rows: [Int]
  /// The last known post: its place in the page, and its row.
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
