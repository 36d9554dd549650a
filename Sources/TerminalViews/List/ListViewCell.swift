import ConstraintLayout
import Geometry
import Terminal
import VirtualList

/// A row of a list: laid out by constraints, drawn into a backing canvas of its own, and used again
/// for other rows.
///
/// The list measures a cell with ``heightThatFits(width:)``, gives it that height with
/// ``layout(width:height:)`` and copies lines out of ``backing``, which is redrawn only when the
/// cell's content or size have changed.
@MainActor open class ListViewCell: View {
  /// The pool it goes back to; set when the list makes it.
  public internal(set) var reuseIdentifier = ""

  /// A row has no view around it: it looks as its list does, and is shown by whoever shows that.
  override package var viewAround: View? { owner?.listView }

  /// Counts how often the cell was given a row: what was asked for under another number is stale.
  public private(set) var bindingGeneration = 0

  /// Whether it shows the selected row, which keys act on. The list sets it in each frame.
  public var isSelected = false {
    didSet { if isSelected != oldValue { selectionChanged() } }
  }

  /// Columns at the left edge that are the selection's alone (``drawSelectionMark(in:at:)``). 0,
  /// the default, for a cell of which anything may look different while it is selected: it is then
  /// redrawn.
  open var selectionMarkWidth: Int { 0 }

  /// The selection changed since the backing was drawn, and nothing else did.
  private var selectionMarkIsStale = false

  /// Told when the cell must be measured or drawn again, while it has a row. It is taken back when
  /// the list ends: a weak reference would slow down every use of it.
  unowned var owner: CellBinder?

  /// What the list's store knows of it.
  var slot = CellSlot()

  /// The cell as last drawn.
  public private(set) var backing = Canvas(size: .zero)

  /// Whether the backing no longer shows what the cell is.
  var isOutdated: Bool { needsDisplay || needsLayout || selectionMarkIsStale }

  /// Whether the cell shows what it would if it were configured now. True, the default, for a cell
  /// that depends on nothing but what its row is configured with.
  ///
  /// Say false where something else has changed, such as the time: before the next frame the row's
  /// cell is configured again as it is, and one that was kept for its row is not used. It is asked
  /// often.
  open var isCurrent: Bool { true }

  /// Called when the cell leaves its row. Forget here what belongs to it and cancel what was asked
  /// for.
  open func prepareForReuse() {}

  /// Whether the cell may be left as it is when its row leaves the screen, to be shown again should
  /// the row come back; it is then told nothing. False, the default, has ``prepareForReuse()``
  /// called at once.
  ///
  /// Say true only while nothing is under way for the cell, and where what it shows depends on its
  /// row alone.
  open var canWait: Bool { false }

  /// Called when the cell is taken out of the pool, or made, for a row.
  func beginBinding() { bindingGeneration += 1 }

  /// The rows of height the content needs at `width` columns.
  ///
  /// By default what the constraints say; a cell without constraints overrides it.
  open func heightThatFits(width: Int) -> Int {
    max(0, systemLayoutSizeFitting(width: width).height)
  }

  /// Sets all frames inside for `width` columns and `height` rows.
  open func layout(width: Int, height: Int) {
    layoutIfNeeded(width: width, height: height)
    markLaidOut()
  }

  /// Views inside that know what stands on their lines, from top to bottom.
  ///
  /// Their index is the part of a `Place`, so the order must be the same whenever the cell shows
  /// the same row.
  open var placeProviders: [any PlaceProviding] { [] }

  /// What stands on `line` of the cell, for the list to keep where it is.
  ///
  /// A part above 0 is a view of ``placeProviders``; below 0 the space under one, its offset
  /// counted from that view's end; 0 the space above them all.
  open func place(atLine line: Int) -> Place {
    var above = Place(part: 0, offset: Int32(clamping: line))
    for (index, view) in placeProviders.enumerated() where view.frame.height > 0 {
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

  /// The line of the cell on which `place` stands now.
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

  /// The view whose place it is; nil of a space.
  private func provider(of place: Place) -> (any PlaceProviding)? {
    let views = placeProviders
    let index = Int(place.part) - 1
    return views.indices.contains(index) ? views[index] : nil
  }

  /// The text at a place; empty where there is none.
  func words(at place: Place) -> String {
    provider(of: place)?.words(atOffset: Int(place.offset)) ?? ""
  }

  /// The place itself where it says these words, else the nearest of its view that does; itself
  /// where none does.
  func place(_ place: Place, saying words: String) -> Place {
    guard let view = provider(of: place),
      let offset = view.offset(ofWords: words, near: Int(place.offset))
    else { return place }
    return Place(part: place.part, offset: Int32(clamping: offset))
  }

  // MARK: What it tells the inspector

  /// The constraints that its height hangs on, active or not; none by default.
  open var keyConstraints: [LayoutConstraint] { [] }

  /// How it came by its height, in one clause; empty by default.
  open var layoutNote: String { "" }

  /// Widths, in columns, at which other constraints are active than at one less; none by default.
  open var switchWidths: [Int] { [] }

  /// The view that its height ends below where no constraint says so; nil by default.
  open var bottomView: View? { nil }

  override open func draw(in canvas: inout Canvas, at origin: Point) {
    drawSelectionMark(in: &canvas, at: origin)
  }

  /// Draws what shows that the row is selected, if it is: into blank cells, and where
  /// ``selectionMarkWidth`` is not 0, only into so many columns. ``draw(in:at:)`` calls it: a cell
  /// that overrides that calls `super`.
  open func drawSelectionMark(in canvas: inout Canvas, at origin: Point) {}

  private func selectionChanged() {
    guard selectionMarkWidth > 0 else { return setNeedsDisplay() }
    guard !needsDisplay else { return }
    selectionMarkIsStale = true
    displayNeedsChanged()
  }

  /// Draws the backing where anything has changed since it was last drawn.
  ///
  /// - Returns: whether it was drawn.
  @discardableResult func renderBackingIfNeeded(width: Int, height: Int) -> Bool {
    let size = Size(width: width, height: height)
    let isWhole = needsDisplay || backing.size != size
    guard isWhole || selectionMarkIsStale else { return false }
    // Not its copy: a cell that is used again draws into the memory it has.
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
