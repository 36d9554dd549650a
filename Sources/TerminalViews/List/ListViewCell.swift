import ConstraintLayout
import Geometry
import Terminal
import VirtualList

/// A row of a list: laid out by constraints, drawn into its own backing canvas, and reused for
/// other rows.
///
/// The list measures a cell with ``heightThatFits(width:)``, gives it that height with
/// ``layout(width:height:)`` and copies lines from ``backing``, which is redrawn only if the cell's
/// content or size has changed.
@MainActor open class ListViewCell: View {
  /// Identifies the pool of the cell; set when the list creates it.
  public internal(set) var reuseIdentifier = ""

  /// The list: a cell has no superview, takes its theme from the list and is displayed with it.
  override package var enclosingView: View? { owner?.listView }

  /// The number of times the cell was given a row. A result is stale if its request was made at
  /// another number.
  public private(set) var bindingGeneration = 0

  /// Whether it shows the selected row, which keys act on. The list sets it in each frame.
  public var isSelected = false {
    didSet { if isSelected != oldValue { selectionChanged() } }
  }

  /// Columns at the left edge that only the selection's mark uses (``drawSelectionMark(in:at:)``).
  /// 0, the default, for a cell that may look different anywhere while it is selected: it is then
  /// redrawn.
  open var selectionMarkWidth: Int { 0 }

  /// Whether the selection changed since the backing was drawn, and nothing else did.
  private var selectionMarkIsStale = false

  /// Notified when the cell must be measured or drawn again. Reset when the list is deallocated: a
  /// weak reference would slow down every use.
  unowned var owner: CellBinder?

  /// The store's record of the cell.
  var slot = CellSlot()

  /// The cell as last drawn.
  public private(set) var backing = Canvas(size: .zero)

  /// Whether the backing no longer shows the present state of the cell.
  var isOutdated: Bool { needsDisplay || needsLayout || selectionMarkIsStale }

  /// Whether the cell shows the same as if it were configured now. True, the default, for a cell
  /// that depends only on its row's data.
  ///
  /// Return false if something else has changed, such as the time: before the next frame the row's
  /// cell is then configured again in place, and a retained cell is not used. Called often.
  open var isCurrent: Bool { true }

  /// Called when the cell leaves its row. Discard the row's data here, and cancel its requests.
  open func prepareForReuse() {}

  /// Whether the cell may stay unchanged when its row leaves the screen, to be shown again if the
  /// row comes back; it is not notified then. With false, the default, ``prepareForReuse()`` is
  /// called at once.
  ///
  /// Return true only while no request of the cell is under way, and if its content depends on its
  /// row alone.
  open var canBeRetained: Bool { false }

  /// Called when the cell is taken out of the pool, or created, for a row.
  func beginBinding() { bindingGeneration += 1 }

  /// The number of rows of cells that the content needs at `width` columns.
  ///
  /// By default determined by the constraints; a cell without constraints overrides it.
  open func heightThatFits(width: Int) -> Int {
    max(0, systemLayoutSizeFitting(width: width).height)
  }

  /// Sets the frames of all subviews for `width` columns and `height` rows.
  open func layout(width: Int, height: Int) {
    layoutIfNeeded(width: width, height: height)
    markLaidOut()
  }

  /// Subviews that know the content of their lines, from top to bottom.
  ///
  /// A `Place` names a view by its index, so the order must be the same whenever the cell shows the
  /// same row.
  open var placeProviders: [any PlaceProviding] { [] }

  /// The content of `line` of the cell, as a place that the list can keep in position.
  ///
  /// Part n above 0 is the n-th view of ``placeProviders``; −n is the space under it, with the
  /// offset counted in lines from that view's end; 0 is the space above all of them.
  open func place(atLine line: Int) -> Place { place(atLine: line, among: { _ in true }) }

  /// The same with only some of ``placeProviders``, by their index, for cells in which the others
  /// stand beside them.
  package func place(atLine line: Int, among isIncluded: (Int) -> Bool) -> Place {
    var above = Place(part: 0, offset: Int32(clamping: line))
    for (index, view) in placeProviders.enumerated()
    where view.frame.height > 0 && isIncluded(index) {
      let frame = view.frame(in: self)
      if line >= frame.minY, line < frame.maxY {
        let offset = view.offset(atLine: line - frame.minY)
        return Place(part: Int32(index + 1), offset: Int32(clamping: offset))
      }
      if line >= frame.maxY {
        above = Place(part: -Int32(index + 1), offset: Int32(clamping: line - frame.maxY))
      }
    }
    return above
  }

  /// The line of the cell where `place` is now.
  open func line(of place: Place) -> Int {
    let views = placeProviders
    let index = Int(place.part.magnitude) - 1
    let line: Int
    if views.indices.contains(index) {
      let view = views[index]
      let frame = view.frame(in: self)
      if place.part < 0 || frame.height == 0 {
        line = frame.maxY + (place.part < 0 ? Int(place.offset) : 0)
      } else {
        let inside = view.line(ofOffset: Int(place.offset))
        line = frame.minY + max(0, min(inside, frame.height - 1))
      }
    } else {
      line = Int(place.offset)
    }
    return max(0, min(line, frame.height - 1))
  }

  /// The view of a place; `nil` for a space.
  private func provider(of place: Place) -> (any PlaceProviding)? {
    let views = placeProviders
    let index = Int(place.part) - 1
    return views.indices.contains(index) ? views[index] : nil
  }

  /// The text at a place; empty if there is none.
  func words(at place: Place) -> String {
    provider(of: place)?.words(atOffset: Int(place.offset)) ?? ""
  }

  /// The place itself if its text is `words`, else the nearest place in its view with that text;
  /// the place itself if there is none.
  func place(_ place: Place, saying words: String) -> Place {
    guard let view = provider(of: place),
      let offset = view.offset(ofWords: words, near: Int(place.offset))
    else { return place }
    return Place(part: place.part, offset: Int32(clamping: offset))
  }

  // MARK: For the inspector

  /// The constraints that determine its height, active or not; none by default.
  open var keyConstraints: [LayoutConstraint] { [] }

  /// The reason for its height, in one clause; empty by default.
  open var layoutNote: String { "" }

  /// Widths, in columns, at which its layout differs from that at one column less: other
  /// constraints are active, or its height is different. None by default.
  open var switchWidths: [Int] { [] }

  /// The maximum width of the row, in columns, when the inspector opens; `nil`, the default, for no
  /// limit.
  open var widestInspectedWidth: Int? { nil }

  /// The view that determines its bottom edge, for a cell without constraints; `nil` by default.
  open var bottomView: View? { nil }

  /// Called before ``prepareForReuse()``, to undo changes made to the cell from outside.
  package var onReuse: (() -> Void)?

  override open func draw(in canvas: inout Canvas, at origin: Point) {
    drawSelectionMark(in: &canvas, at: origin)
  }

  /// Draws the mark of a selected row: into blank cells and, if ``selectionMarkWidth`` is not 0,
  /// only into that number of columns. ``draw(in:at:)`` calls it: a cell that overrides that calls
  /// `super`.
  open func drawSelectionMark(in canvas: inout Canvas, at origin: Point) {}

  private func selectionChanged() {
    guard selectionMarkWidth > 0 else { return setNeedsDisplay() }
    guard !needsDisplay else { return }
    selectionMarkIsStale = true
    displayNeedsChanged()
  }

  /// Draws the backing if anything has changed since it was last drawn.
  ///
  /// - Returns: whether it was drawn.
  @discardableResult func renderBackingIfNeeded(width: Int, height: Int) -> Bool {
    let size = Size(width: width, height: height)
    let isWhole = needsDisplay || backing.size != size
    guard isWhole || selectionMarkIsStale else { return false }
    // Moved, not copied: a reused cell draws into the memory it has.
    var canvas = Canvas(size: .zero)
    swap(&canvas, &backing)
    if isWhole {
      canvas.reset(size: size)
      render(into: &canvas, origin: .zero)
      markDisplayed()
    } else {
      canvas.fill(
        Rect(x: 0, y: 0, width: selectionMarkWidth, height: height), with: CanvasCell())
      drawSelectionMark(in: &canvas, at: .zero)
    }
    backing = canvas
    selectionMarkIsStale = false
    return true
  }

  override open func layoutNeedsChanged() { owner?.cellNeedsLayout(self) }

  override open func displayNeedsChanged() { owner?.cellNeedsDisplay(self) }
}
