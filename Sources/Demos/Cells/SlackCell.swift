import ConstraintLayout
import Pictures
import TerminalViews
import TextLayout
import TimelineUI

/// Icon left, name and comment right. Three inequalities, never switched, determine the height.
@MainActor final class SlackCell: BaseCell {
  private var icon: ImageView { picture }
  private let nameLabel = Label(name: "name", numberOfLines: 1)
  private let comment = Label(name: "comment")
  private var inequalities: [LayoutConstraint] = []
  /// Shows the same text at other widths, so that this cell stays unchanged.
  private lazy var probe = SlackCell(pictures: pictures)
  private let pictures: PictureStore

  init(pictures: PictureStore) {
    self.pictures = pictures
    super.init(
      picture: ImageView(name: "icon", followsPicture: false), store: pictures)
  }

  override func setUpViews() {
    addSubview(icon)
    addSubview(nameLabel)
    addSubview(comment)
  }

  /// Sizes of the original layout in points, converted: 8 points make a column, 16 a row. Its gaps
  /// of 8 points become one row, its limit of 52 points below the comment becomes three.
  override func setUpConstraints() {
    icon.top(offset: 1).label = "icon-top"
    icon.leading(offset: 1).label = "icon-leading"
    icon.width(8).label = "icon-width"
    icon.height(4).label = "icon-height"
    nameLabel.top(offset: 1).label = "name-top"
    nameLabel.leading(to: icon, edge: .trailing, offset: 1).label = "name-leading"
    nameLabel.trailing(offset: -1).label = "name-trailing"
    nameLabel.height(1).label = "name-height"
    comment.top(to: nameLabel, edge: .bottom, offset: 1).label = "comment-top"
    comment.leading(to: nameLabel).label = "comment-leading"
    comment.trailing(offset: -1).label = "comment-trailing"
    // The height is the least that these allow: 1 below the icon, 1 to 3 below the comment. With an
    // empty comment, 1 below the icon is just the 3 below the comment that are allowed.
    let toIcon = bottom(to: icon, offset: 1, relation: .greaterThanOrEqual)
    toIcon.label = "icon-to-bottom-least"
    let most = bottom(to: comment, offset: 3, relation: .lessThanOrEqual)
    most.label = "comment-to-bottom-most"
    let least = bottom(to: comment, offset: 1, relation: .greaterThanOrEqual)
    least.label = "comment-to-bottom-least"
    inequalities = [toIcon, most, least]
  }

  /// - Parameters:
  ///   - comment: as many lines as it needs; none if it is empty.
  ///   - icon: the address of the icon.
  func configure(name: String, comment: String, icon: String) {
    nameLabel.text = StyledText(name, style: TextStyle(traits: .bold))
    self.comment.text = StyledText(comment)
    slot.show(icon, reach: .everywhere, priority: .near)
  }

  override var placeProviders: [any PlaceProviding] { [nameLabel, comment] }

  override var keyConstraints: [LayoutConstraint] { inequalities }

  override var layoutNote: String { "nothing is switched: the least height that all three allow" }

  /// The nearest widths at which the height changes.
  override var switchWidths: [Int] {
    probe.nameLabel.text = nameLabel.text
    probe.comment.text = comment.text
    let found = HeightChanges.nearest(to: frame.width) { probe.heightThatFits(width: $0) }
    return [found.narrower, found.wider].compactMap { $0 }
  }

  override var activeBottom: String { holders(among: [icon, comment]) }
}
