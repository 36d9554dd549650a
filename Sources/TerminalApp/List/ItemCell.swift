import Geometry
import Terminal
import TerminalViews

/// A row of a ``List``: views, constraints between them, and how they show an item.
///
/// Cells are made once and used again for other items, so ``show(_:)`` sets everything that differs.
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

  override open var selectionMarkWidth: Int { 1 }

  override open func drawSelectionMark(in canvas: inout Canvas, at origin: Point) {
    guard isSelected else { return }
    canvas.fill(
      Rect(x: origin.x, y: origin.y, width: 1, height: frame.height),
      with: CanvasCell("▌", style: theme.markStyle))
  }
}
