import VirtualList

/// Looks for the post of a remembered place, while a source learns its rows.
@MainActor final class PlaceSearch {
  private let place: RememberedPlace
  /// The number of examined rows of a source in memory.
  private var examined = 0
  /// A source may report a change while it is being examined.
  private var isLooking = false

  /// The maximum number of rows in which the formerly first post is looked for.
  private static let reach = 1_000

  init(for place: RememberedPlace) { self.place = place }

  var isDue: Bool { !isLooking }

  /// Starts again if rows may have been replaced.
  func note(_ change: SourceChange) {
    switch change {
    case .refreshed, .reopened: examined = 0
    case .rows(let deletions, _, _): if !deletions.isEmpty { examined = 0 }
    case .state, .found, .placeFound, .placeLost: break
    }
  }

  /// `nil` while the post may still come; `.some(nil)` if it is absent.
  func look(in posts: any PostSource) -> (row: Int, newRows: Int)?? {
    isLooking = true
    defer { isLooking = false }
    switch find(in: posts) {
    case .pending: return nil
    case .absent: return .some(nil)
    case .row(let row): return .some((row, newRows(above: row, in: posts)))
    }
  }

  private func find(in posts: any PostSource) -> PlaceSearchResult {
    if let finder = posts.capabilities.places { return finder.find(place, after: &examined) }
    guard posts.searchable.count == posts.count else {
      // Only the former row is examined; all others come by themselves.
      let isThere = place.row < posts.count && place.post.isMarkOf(posts.post(at: place.row))
      return isThere ? .row(place.row) : .pending
    }
    if let row = posts.row(of: place, after: &examined) { return .row(row) }
    return posts.isComplete ? .absent : .pending
  }

  /// The number of rows above the post that was the first.
  private func newRows(above row: Int, in posts: any PostSource) -> Int {
    guard row > 0, let first = place.first else { return 0 }
    let last = min(row, Self.reach)
    let fileRows = posts.capabilities.fileRows
    for candidate in 0...last where fileRows?.isStaleGuess(candidate) != true {
      if first.isMarkOf(posts.post(at: candidate)) { return candidate }
    }
    // That post is gone: count by how many rows the place has moved down.
    return fileRows?.isNumberExact(row) == false ? 0 : max(0, row - place.row)
  }
}

extension PostSource {
  /// The row of the post of a remembered place: the row where the post was, or else the first
  /// other.
  ///
  /// - Parameter examined: the number of rows that earlier calls have examined; 0 at first and
  ///   after rows were replaced.
  /// - Complexity: O(n) in the rows that were not examined before.
  func row(of place: RememberedPlace, after examined: inout Int) -> Int? {
    if examined == 0, place.row < count, place.post.isMarkOf(post(at: place.row)) {
      return place.row
    }
    while examined < count {
      if place.post.isMarkOf(post(at: examined)) { return examined }
      examined += 1
    }
    return nil
  }
}
