/// The content at the top edge of the screen. Its rules:
///
/// 1. `anchor` is the place that the user has chosen for the top edge: a row's identity and a place
///    in it. Updates move it with its row, or to another one if the row is gone; its line is
///    derived again when the width or the row's content changes.
/// 2. `displayed` is the place actually at the top edge: the anchor, unless the list would leave
///    lines blank at its end, in which case the view is pulled back as far as needed.
/// 3. A change of the viewport's size starts from the anchor, so that undoing it restores the view;
///    everything else starts from what is displayed (`settle`), so that nothing on the screen
///    jumps.
/// 4. Both are `nil` while there are no rows. Rows inserted at the top are new until the user
///    reaches them, or they are counted as seen.
///
/// A class, since the environment may read the place while it is called.
final class ReadingPlace {
  private(set) var anchor: ScrollAnchor?
  private(set) var displayed: ScrollAnchor?
  /// The number of rows inserted at the top that the user has not reached yet.
  private(set) var newRowsAbove = 0
  private var needsLine = false
  private let heights: RowHeights

  init(heights: RowHeights) { self.heights = heights }

  /// The line at the top edge.
  var top: ScrollPosition { displayed?.position ?? .top }

  /// Forgets everything: there are no rows.
  func clear() { (anchor, displayed, newRowsAbove) = (nil, nil, 0) }

  /// Counts rows inserted above as seen.
  func forgetNewRows() { newRowsAbove = 0 }

  /// The anchor's position, with its line clamped to the row.
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

  /// Makes a line the anchor.
  func move(to position: ScrollPosition, in environment: some ListEnvironment) {
    needsLine = false
    anchor = ScrollAnchor(at: position, in: environment)
  }

  /// Makes a place from an earlier run the anchor; the first `newRows` rows count as new.
  func restore(_ place: Place, ofRow row: Int, newRows: Int, in environment: some ListEnvironment) {
    anchor = firstLine(of: row, in: environment)
    anchor?.place = place
    needsLine = true
    newRowsAbove = max(0, newRows)
  }

  /// Records the line that is at the top edge.
  func show(_ position: ScrollPosition, in environment: some ListEnvironment) {
    if let anchor, anchor.position == position {
      displayed = anchor
    } else {
      displayed = ScrollAnchor(at: position, in: environment)
    }
    newRowsAbove = min(newRowsAbove, position.row)
  }

  /// Makes what is displayed the anchor.
  func settle() {
    if let displayed { anchor = displayed }
    needsLine = false
  }

  /// Marks the anchor's line to be derived again: every row may show its content on other lines.
  func noteWidthChange() { needsLine = true }

  func noteContentChange(ofRow row: Int) { if row == anchor?.row { needsLine = true } }

  /// Finds the anchor's row among other rows by its identity, else by its index.
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

  /// Moves the anchor with its row by `mapping`, or to the survivor of its row.
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

  /// Descriptions of invariants violated after a layout; empty if all hold. - Complexity: O(log n)
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    if (anchor == nil) != (heights.count == 0) || (displayed == nil) != (anchor == nil) {
      broken.append("\(heights.count) rows, and a place is missing or left over")
    }
    // The anchor's line is derived when it is next needed.
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
