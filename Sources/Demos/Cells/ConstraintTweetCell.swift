import ConstraintLayout
import TerminalViews

/// The layout of ``TweetCell`` by constraints, for comparison: the same heights, found by the
/// solver. It is never shown.
@MainActor final class ConstraintTweetCell: TweetViewsCell {
  override func setUpConstraints() {
    icon.top()
    icon.leading(offset: 2)
    icon.width(Double(Self.iconSize.width))
    icon.height(Double(Self.iconSize.height))
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
}
