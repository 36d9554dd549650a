import Geometry
import Terminal
import TerminalViews
import TextLayout

/// A row of a ``List``: views, constraints between them, and how they show an item.
///
/// Cells are made once and used again for other items, so ``show(_:)`` sets everything that
/// differs.
@MainActor open class ItemCell<Item>: ListViewCell {
  /// Makes the cell and calls ``setUp()``.
  public required init() {
    super.init(name: "cell")
    setUp()
  }

  /// Adds the views and their constraints; called once.
  open func setUp() {}

  /// Shows `item`; called whenever the cell is given another one, or its own has changed.
  open func show(_ item: Item) {}

  /// Marks what was searched for in all its labels; nothing where that is nil.
  final func mark(_ needle: TextNeedle?) { Self.mark(needle, in: self) }

  private static func mark(_ needle: TextNeedle?, in view: View) {
    (view as? Label)?.marks = needle
    for case let inner as View in view.subitems { mark(needle, in: inner) }
  }

  override open var selectionMarkWidth: Int { 1 }

  override open func drawSelectionMark(in canvas: inout Canvas, at origin: Point) {
    guard isSelected else { return }
    canvas.fill(
      Rect(x: origin.x, y: origin.y, width: 1, height: frame.height),
      with: CanvasCell("▌", style: theme.markStyle))
  }
}
