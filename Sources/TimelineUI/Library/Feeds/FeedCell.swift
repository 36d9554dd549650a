import ConstraintLayout
import Terminal
import TerminalApp
import TerminalViews
import TextLayout

/// A feed in the list of feeds:
///
///     name  #tags                  unread  age
///       what went wrong, whole
///
/// A narrow cell shows no age.
@MainActor final class FeedCell: ItemCell<FeedRow> {
  /// The least width of a cell with an age.
  private static let minimumWidthForAge = 44
  private static let (unreadColumns, ageColumns) = (7, 12)

  private let nameLabel = Label(name: "name", numberOfLines: 1)
  private let unread = Label(name: "unread", numberOfLines: 1)
  private let age = Label(name: "age", numberOfLines: 1)
  private let problem = Label(name: "problem")
  private var ageWidth: LayoutConstraint?

  override func setUp() {
    for label in [nameLabel, unread, age, problem] { addSubview(label) }
    for label in [nameLabel, unread, age] { label.top() }
    for label in [unread, age] { label.alignment = .right }
    for label in [nameLabel, unread, age] {
      label.setContentCompressionResistancePriority(.defaultLow, for: .horizontal)
    }
    age.trailing(offset: -2)
    ageWidth = age.width(Double(Self.ageColumns))
    unread.trailing(to: age, edge: .leading)
    unread.width(Double(Self.unreadColumns))
    nameLabel.leading(offset: 2)
    nameLabel.trailing(to: unread, edge: .leading, offset: -1)
    nameLabel.height(1)
    problem.top(to: nameLabel, edge: .bottom)
    problem.leading(offset: 4)
    problem.trailing(offset: -2)
    problem.bottom()
  }

  override func show(_ item: FeedRow) {
    var text = StyledText(
      item.name, style: TextStyle(traits: item.unreadCount > 0 ? .bold : []))
    if !item.tags.isEmpty { text.append("  \(item.tags)", style: TextStyle(role: .tag)) }
    nameLabel.text = text
    unread.text = item.unreadCount > 0 ? StyledText("\(item.unreadCount)") : StyledText()
    age.text = StyledText(item.isActive ? "asking …" : item.age, style: .secondary)
    problem.text =
      item.problem.isEmpty
      ? StyledText() : StyledText("✕ \(item.problem)", style: TextStyle(role: .warning))
  }

  override func heightThatFits(width: Int) -> Int {
    ageWidth?.constant = width < Self.minimumWidthForAge ? 0 : Double(Self.ageColumns)
    return super.heightThatFits(width: width)
  }
}
