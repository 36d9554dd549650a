import ConstraintLayout
import Geometry
import Terminal
import TerminalViews
import TextLayout

/// A row of text beside the posts of a thread: details of the post, or the state of loading.
@MainActor final class NoteCell: ListViewCell {
  static let identifier = "note"

  private let label = Label(name: "note")

  init(reading: ReadingWidth) {
    super.init(name: "note")
    addSubview(label)
    label.top()
    label.leading(offset: 2)
    label.trailing(offset: -1, priority: .defaultHigh)
    label.trailing(offset: -1, relation: .lessThanOrEqual)
    label.width(Double(reading.columns + 8), relation: .lessThanOrEqual)
    bottom(to: label, offset: 1)
  }

  func show(_ text: StyledText) { label.text = text }

  override var placeProviders: [any PlaceProviding] { [label] }

  override var selectionMarkWidth: Int { SelectionBar.width }

  override func drawSelectionMark(in canvas: inout Canvas, at origin: Point) {
    SelectionBar.draw(for: self, in: &canvas, at: origin)
  }
}
