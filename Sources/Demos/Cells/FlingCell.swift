import ConstraintLayout
import Geometry
import Pictures
import Terminal
import TerminalViews
import TextLayout

/// A text below a line with the row's number and the cell's own, which shows when the cell is used
/// again for another row.
@MainActor final class FlingCell: BaseCell {
  private let title = Label(name: "title", numberOfLines: 1)
  private let content = Label(name: "content")
  private let tag = Label(name: "status", numberOfLines: 1)
  private let number: UInt64

  /// - Parameter number: the cell's own.
  init(number: UInt64, pictures: PictureStore) {
    self.number = number
    // No row has a picture.
    super.init(picture: ImageView(name: "none"), store: pictures)
    name = "\(number)"
    tag.text = StyledText(" cell \(number) ")
  }

  override func setUpViews() {
    for view in [title, content, tag] { addSubview(view) }
  }

  override func setUpConstraints() {
    tag.top()
    tag.leading(offset: 2)
    title.top()
    title.leading(to: tag, edge: .trailing, offset: 1)
    title.trailing(offset: -1)
    tag.setContentHuggingPriority(.required - 1, for: .horizontal)
    tag.setContentCompressionResistancePriority(.required - 1, for: .horizontal)
    content.top(to: title, edge: .bottom)
    content.leading(offset: 2)
    content.trailing(offset: -1)
    bottom(to: content, offset: 1)
  }

  func configure(row: Int, text: String) {
    tag.style = theme.block(number)
    title.text = StyledText("row \(row + 1)", style: TextStyle(traits: .bold))
    content.text = StyledText(text)
  }

  override func themeDidChange() {
    super.themeDidChange()
    tag.style = theme.block(number)
  }

  override var placeProviders: [any PlaceProviding] { [title, content] }
  override var activeBottom: String { content.name }
}
