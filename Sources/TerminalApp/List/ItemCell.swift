import Geometry
import Terminal
import TerminalViews
import TextLayout

/// A row of a ``List``: views, their constraints, and how they show an item.
///
/// Cells are reused for other items, so ``show(_:)`` must set everything that differs between
/// items.
@MainActor open class ItemCell<Item>: ListViewCell {
  /// Creates the cell and calls ``setUp()``.
  public required init() {
    super.init(name: "cell")
    setUp()
  }

  /// Adds the views and their constraints; called once.
  open func setUp() {}

  /// Shows `item`; called when the cell receives another item, or when its item has changed.
  open func show(_ item: Item) {}

  /// Marks matches of `needle` in all labels; `nil` removes the marks.
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
