/// What stands at the top edge of the screen. Its rules:
///
/// 1. `anchor` is what the user put there: a row's identity and what of it. Only a move of the
///    user's sets it; its line is derived again when the width or the row's content changes.
/// 2. `displayed` is what really stands there: the anchor, unless the list would leave lines blank
///    at its end, in which case it is pulled down as far as it goes.
/// 3. A change of the viewport's size starts from the anchor, so that changing back restores the
///    view; everything else starts from what is displayed (`settle`), so that nothing on the screen
///    jumps.
/// 4. Both are nil while there are no rows. Rows that came above are new until the user has come to
///    them.
///
/// A class, since the environment may look at the place while it is asked.
final class ReadingPlace {
  private(set) var anchor: ScrollAnchor?
  private(set) var displayed: ScrollAnchor?
  /// Rows inserted at the beginning that the user has not come to yet.
  private(set) var newRowsAbove = 0
  private var needsLine = false
  private let heights: RowHeights

  init(heights: RowHeights) { self.heights = heights }

  /// The line at the top edge.
  var top: ScrollPosition { displayed?.position ?? .top }

  /// There are no rows.
  func clear() { (anchor, displayed, newRowsAbove) = (nil, nil, 0) }

  /// What came above is nothing new.
  func forgetNewRows() { newRowsAbove = 0 }

  /// The anchor's row and line, with the line inside the row.
  func start(in environment: some ListEnvironment) -> ScrollPosition {
    var anchor = anchor ?? firstLine(of: 0, in: environment)
    let height = heights.measured(anchor.row, in: environment)
    if needsLine {
      anchor.line = environment.line(of: anchor.place, inRow: anchor.row)
      needsLine = false
    }
    anchor.line = min(max(0, anchor.line), max(0, height - 1))
    self.anchor = anchor
    return anchor.position
  }

  /// An anchor at a row's first line.
  private func firstLine(
    of row: Int, in environment: some ListEnvironment
  ) -> ScrollAnchor {
    heights.measured(row, in: environment)
    return ScrollAnchor(at: ScrollPosition(row: row, line: 0), in: environment)
  }

  /// The user wants this line at the top edge.
  func move(to position: ScrollPosition, in environment: some ListEnvironment) {
    needsLine = false
    anchor = ScrollAnchor(at: position, in: environment)
  }

  /// The user wants what stands there at the top edge, as it did in another run, and has not come
  /// to the first `newRows` rows.
  func restore(_ place: Place, ofRow row: Int, newRows: Int, in environment: some ListEnvironment) {
    anchor = firstLine(of: row, in: environment)
    anchor?.place = place
    needsLine = true
    newRowsAbove = max(0, newRows)
  }

  /// This line stands at the top edge.
  func show(_ position: ScrollPosition, in environment: some ListEnvironment) {
    if let anchor, anchor.position == position {
      displayed = anchor
    } else {
      displayed = ScrollAnchor(at: position, in: environment)
    }
    newRowsAbove = min(newRowsAbove, position.row)
  }

  /// What is displayed is what the user wants from now on.
  func settle() {
    if let displayed { anchor = displayed }
    needsLine = false
  }

  func noteWidthChange() { needsLine = true }

  func noteContentChange(ofRow row: Int) { if row == anchor?.row { needsLine = true } }

  /// There are other rows: the anchor's is found by its identity, else its index counts.
  func find(in environment: some ListEnvironment) {
    newRowsAbove = 0
    if let old = anchor, heights.count > 0 {
      if let row = environment.row(of: old.rowID, near: old.row, count: heights.count) {
        anchor?.row = row
      } else {
        anchor = firstLine(of: min(old.row, heights.count - 1), in: environment)
      }
    } else {
      anchor = nil
    }
    needsLine = anchor != nil
  }

  /// Rows have gone where `mapping` says: the anchor goes with its row, or to the survivor of it.
  func follow(_ mapping: RowMapping, reloaded: [Int], in environment: some ListEnvironment) {
    guard let old = anchor, heights.count > 0 else {
      anchor = nil
      return
    }
    guard let row = mapping.newRow(forOld: old.row) else {
      anchor = firstLine(of: mapping.survivor(ofOld: old.row) ?? 0, in: environment)
      return
    }
    anchor?.row = row
    anchor?.rowID = environment.rowID(at: row)
    needsLine = reloaded.contains(old.row)
    if row >= mapping.prependedCount { newRowsAbove += mapping.prependedCount }
  }

  /// What must hold after a layout, in words; empty where it does. - Complexity: O(log n)
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    if (anchor == nil) != (heights.count == 0) || (displayed == nil) != (anchor == nil) {
      broken.append("\(heights.count) rows, and a place is missing or left over")
    }
    // The anchor's line is derived when it is next wanted.
    for place in [needsLine ? nil : anchor, displayed].compactMap({ $0 }) {
      let height = heights.known(place.row)
      if place.line < 0 || place.line > max(0, (height ?? .max) - 1) {
        broken.append("line \(place.line) of row \(place.row) is not in it")
      }
    }
    if newRowsAbove < 0 || newRowsAbove > top.row {
      broken.append("\(newRowsAbove) new rows above row \(top.row)")
    }
    return broken
  }
}
