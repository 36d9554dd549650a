/// A list without views: which rows show where, and how that changes. Its rules:
///
/// 1. The scroll state is `anchor`: a row's identity and what of it stands at the top edge. Only a
///    move of the user's sets it; its line is derived anew when the width or the row's content
///    changes.
/// 2. `displayed` is the same for what really stands at the top edge: the anchor, unless the list
///    would leave lines blank at its end, in which case it is pulled down as far as it goes. A
///    change of the viewport's size starts from the anchor, so that changing back restores the
///    view; everything else starts from what is displayed, so that nothing on the screen jumps.
/// 3. `layout` fills downward from there and measures what it meets, nothing else. While following,
///    it fills upward from the end instead.
/// 4. A row is measured once per width and content; the tree remembers.
/// 5. The environment may look at the model while it is asked, but not change it.
public final class ListModel {
  /// A row on the screen: `y` is its first line's distance from the top edge, negative above it.
  public struct VisibleRow: Hashable, Sendable {
    public var row: Int
    public var y: Int
    public var height: Int

    public init(row: Int, y: Int, height: Int) {
      self.row = row
      self.y = y
      self.height = height
    }

    /// The line after its last one, from the top edge.
    public var maxY: Int { y + height }
  }

  public internal(set) var tree: HeightTree
  /// Lines of the viewport, at least 0.
  public internal(set) var viewportHeight: Int
  /// What the user put at the top edge; nil while there are no rows.
  public internal(set) var anchor: ScrollAnchor?
  /// What stands at the top edge.
  public internal(set) var displayed: ScrollAnchor?
  /// Rows with lines on the screen, from the top.
  public internal(set) var visible: [VisibleRow] = []
  /// True from `scrollToEnd(following: true)` until the user moves up or elsewhere: the last line
  /// stays at the bottom edge.
  public internal(set) var isFollowing = false
  public internal(set) var isAtTop = true
  public internal(set) var isAtEnd = true
  /// Rows inserted at the beginning that the user has not come to yet, for a pill "N new".
  public internal(set) var newRowsAbove = 0
  /// Rows measured so far.
  public internal(set) var measurementCount = 0

  var anchorNeedsLine = false
  var scrollBar = ScrollBarModel()
  var drag: ScrollBarDrag?
  var idle = IdleProgress()

  public init(width: Int, viewportHeight: Int, estimatedRowHeight: Int = 4) {
    tree = HeightTree(
      width: width, estimates: HeightEstimates(estimatedRowHeight: estimatedRowHeight))
    self.viewportHeight = max(0, viewportHeight)
  }

  public var count: Int { tree.count }
  public var width: Int { tree.width }

  /// The line at the top edge.
  public var top: ScrollPosition {
    ScrollPosition(row: displayed?.row ?? 0, line: displayed?.line ?? 0)
  }

  /// Lines a row is taken for while nothing is known.
  public var estimatedRowHeight: Int {
    get { tree.estimates.estimatedRowHeight }
    set { tree.estimates.estimatedRowHeight = newValue }
  }

  /// Once a frame: estimates take over part of what was learned.
  /// - Complexity: O(kinds)
  public func commitEstimates() { tree.estimates.commit() }

  /// The height of a row, measured if need be. - Complexity: O(log n) and a measurement
  @discardableResult
  public func measuredHeight(ofRow row: Int, in environment: some ListEnvironment) -> Int {
    if let height = tree.measuredHeight(ofRow: row) { return height }
    let kind = environment.kind(of: row)
    let height = max(0, environment.measure(row: row))
    tree.setHeight(height, ofRow: row, kind: kind) { environment.textLength(ofRows: $0) }
    measurementCount += 1
    return height
  }
}
