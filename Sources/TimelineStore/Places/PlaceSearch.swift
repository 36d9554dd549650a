import VirtualList

/// Looks for the post of a place of another run, as a source gets to know its rows.
@MainActor final class PlaceSearch {
  private let place: RememberedPlace
  /// Rows of a source in memory that were looked at.
  private var examined = 0
  /// A source looks at itself while it is asked, and says that it has changed.
  private var isLooking = false

  /// Rows among which the post is looked for that came first.
  private static let reach = 1_000

  init(for place: RememberedPlace) { self.place = place }

  var isDue: Bool { !isLooking }

  /// Rows may be others now.
  func note(_ change: SourceChange) {
    switch change {
    case .refreshed, .reopened: examined = 0
    case .rows(let deletions, _, _): if !deletions.isEmpty { examined = 0 }
    case .state, .found, .placeFound, .placeLost: break
    }
  }

  /// Nil while it may still come; else where the post is, or that it is nowhere.
  func look(in posts: any PostSource) -> (row: Int, newRows: Int)?? {
    isLooking = true
    defer { isLooking = false }
    switch posts.find(place, after: &examined) {
    case .pending: return nil
    case .absent: return .some(nil)
    case .row(let row): return .some((row, newRows(above: row, in: posts)))
    }
  }

  /// Rows that came on top of the post that was the first.
  private func newRows(above row: Int, in posts: any PostSource) -> Int {
    guard row > 0, let first = place.first else { return 0 }
    let last = min(row, Self.reach)
    for candidate in 0...last where !posts.isPhantom(candidate) {
      if first.isOf(posts.post(at: candidate)) { return candidate }
    }
    // It has gone; so many more stand above the post than did.
    return posts.isNumberExact(row) ? max(0, row - place.row) : 0
  }
}
