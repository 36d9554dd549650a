import TerminalApp
import TextLayout
import TimelineStore
import VirtualList

/// Goes from one marked post to the next.
///
/// A post below the known rows is awaited while they are read, until the reader moves.
@MainActor final class MarkedRows {
  enum Direction: Hashable { case down, up }

  private let store: TimelineStore
  private unowned let pane: ListPane
  /// The search for an unread post below the known rows, with the pane's `moveCount` at its
  /// beginning.
  private var awaited: (steps: Int, moves: Int)?

  /// The topmost post that was reached, and the number of new ones above it, with the row and the
  /// counts that it was computed from.
  private var above: (reached: RowID?, basis: [Int], count: Int) = (nil, [], 0)

  /// The most posts to advance, whatever count was typed.
  private static let stepsAtOnce = 1_000

  init(of store: TimelineStore, on pane: ListPane) { (self.store, self.pane) = (store, pane) }

  /// Goes to the next unread post, or the previous one.
  func goToUnread(_ direction: Direction, steps: Int) -> CommandOutcome {
    awaited = nil
    guard let marks = store.marks else { return MarkCommands.noMarks }
    guard marks.unreadCount > 0 else { return .refused("all posts are read") }
    let steps = min(steps, Self.stepsAtOnce)
    var (row, rest) = (pane.currentRow, steps)
    while rest > 0, let next = self.row(beside: row, direction, marks) {
      row = next
      rest -= 1
    }
    if row != pane.currentRow { pane.jump(to: row) }
    guard rest > 0 else { return .done }
    if direction == .down, !store.isComplete {
      awaited = (rest, pane.moveCount)
      pane.application?.tell("looking for the next unread post", .hint)
      return .done
    }
    if rest < steps { return .done }
    return .refused(direction == .down ? "no unread post below" : "no unread post above")
  }

  private func row(
    beside row: Int, _ direction: Direction, _ marks: TimelineMarks
  ) -> Int? {
    direction == .down
      ? marks.row(after: row, having: .unread) : marks.row(before: row, having: .unread)
  }

  /// Goes to the first new post while some above were not reached, else to the next one below, else
  /// to the first one again.
  ///
  /// - Returns: `false` if the timeline keeps no marks, and before the first visit.
  func goToNew() -> Bool {
    guard let marks = store.marks, marks.newSince != nil || marks.newCount > 0 else { return false }
    let isAbove = pane.newRowsAbove > 0
    let below = isAbove ? nil : marks.row(after: pane.currentRow, having: .new)
    guard let row = below ?? marks.row(after: -1, having: .new) else {
      pane.application?.tell("nothing new", .hint)
      return true
    }
    if row == pane.currentRow {
      pane.application?.tell("no other new post", .hint)
    } else if below == nil, !isAbove {
      pane.application?.tell("back to the first new post")
    }
    pane.jump(to: row)
    return true
  }

  // MARK: New posts above

  /// The number of new posts above the topmost one that was reached.
  ///
  /// - Parameter topRow: the row at the top of the screen, which is reached thereby.
  /// - Returns: `nil` before the first visit, with a filter, and if the timeline keeps no marks.
  func newRows(above topRow: Int) -> Int? {
    guard store.filter == nil, topRow < store.count, let marks = store.marks, marks.newSince != nil
    else { return nil }
    var row = above.reached.flatMap { store.row(of: $0) } ?? topRow
    if above.reached == nil || topRow <= row {
      row = topRow
      above.reached = store.rowID(at: row)
    }
    let basis = [row, marks.newCount, store.count]
    if above.basis != basis { (above.basis, above.count) = (basis, marks.newCount(above: row)) }
    return above.count
  }

  /// Call this when the place of an earlier run is shown: the rows above it were not reached.
  func placeRestored() { above.reached = nil }

  // MARK: Rows that come

  /// Call this when rows or their number have changed.
  func rowsChanged() {
    above.basis = []
    guard let awaited else { return }
    self.awaited = nil
    guard awaited.moves == pane.moveCount else { return }
    guard store.isComplete || store.marks?.row(after: pane.currentRow, having: .unread) != nil
    else {
      self.awaited = awaited
      return
    }
    if case .refused(let reason) = goToUnread(.down, steps: awaited.steps) {
      pane.application?.tell(reason, .refusal)
    }
  }
}
