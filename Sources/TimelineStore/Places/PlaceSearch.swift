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
    switch posts.find(place, after: &examined) {
    case .pending: return nil
    case .absent: return .some(nil)
    case .row(let row): return .some((row, newRows(above: row, in: posts)))
    }
  }

  /// The number of rows above the post that was the first.
  private func newRows(above row: Int, in posts: any PostSource) -> Int {
    guard row > 0, let first = place.first else { return 0 }
    let last = min(row, Self.reach)
    for candidate in 0...last where !posts.isStaleGuess(candidate) {
      if first.isMarkOf(posts.post(at: candidate)) { return candidate }
    }
    // That post is gone: count by how many rows the place has moved down.
    return posts.isNumberExact(row) ? max(0, row - place.row) : 0
  }
}
