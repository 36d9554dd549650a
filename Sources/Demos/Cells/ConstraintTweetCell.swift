import ConstraintLayout
import Pictures
import TerminalViews
import TextLayout
import TimelineUI

/// The layout of ``TweetCell`` by constraints, for comparison: the same heights, found by the
/// solver. It is never shown.
@MainActor final class ConstraintTweetCell: BaseCell {
  private var icon: ImageView { picture }
  private let nameLabel = Label(name: "name", numberOfLines: 1)
  private let status = Label(name: "status")
  private let time = Label(name: "time", numberOfLines: 1)

  init(pictures: PictureStore) {
    super.init(picture: ImageView(name: "icon", followsPicture: false), store: pictures)
  }

  override func setUpViews() {
    for view in [icon, nameLabel, status, time] as [View] { addSubview(view) }
  }

  override func setUpConstraints() {
    icon.top()
    icon.leading(offset: 2)
    icon.width(Double(TweetCell.iconSize.width))
    icon.height(Double(TweetCell.iconSize.height))
    nameLabel.top()
    nameLabel.leading(to: icon, edge: .trailing, offset: 1)
    time.top()
    time.trailing(offset: -1)
    time.leading(to: nameLabel, edge: .trailing, offset: 1, relation: .greaterThanOrEqual)
    time.setContentCompressionResistancePriority(.required - 1, for: .horizontal)
    status.top(offset: 1)
    status.leading(to: icon, edge: .trailing, offset: 1)
    status.trailing(offset: -1)
    bottom(to: icon, offset: 1, relation: .greaterThanOrEqual)
    bottom(to: status, offset: 1, relation: .greaterThanOrEqual)
  }

  func setTexts(of item: TweetsDemo.Item) {
    nameLabel.text = StyledText(item.name, style: TextStyle(traits: .bold))
    status.text = StyledText(item.status)
    time.text = StyledText(item.time, style: TextStyle(role: .secondary))
  }
}
