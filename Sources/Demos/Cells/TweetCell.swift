import Geometry
import Pictures
import TerminalViews
import TextLayout
import TimelineUI

/// Icon, name, time and status, without a layout.
@MainActor class TweetViewsCell: BaseCell {
  static let iconSize = Size(width: 6, height: 3)

  final var icon: ImageView { picture }
  final let nameLabel = Label(name: "name", numberOfLines: 1)
  final let status = Label(name: "status")
  final let time = Label(name: "time", numberOfLines: 1)

  init(pictures: PictureStore) {
    super.init(
      picture: ImageView(name: "icon", followsPicture: false), store: pictures, shape: .circle)
  }

  override final func setUpViews() {
    for view in [icon, nameLabel, status, time] as [View] { addSubview(view) }
  }

  /// Sets the texts of a row, but not its picture: enough to measure it.
  final func setTexts(of item: TweetsDemo.Item) {
    nameLabel.text = StyledText(item.name, style: TextStyle(traits: .bold))
    status.text = StyledText(item.status)
    time.text = StyledText(item.time, style: TextStyle(role: .secondary))
  }
}

/// A tweet laid out without constraints: one function both measures and places.
@MainActor final class TweetCell: TweetViewsCell {
  func configure(with item: TweetsDemo.Item) {
    setTexts(of: item)
    slot.show(item.icon, reach: .everywhere, priority: .near)
  }

  /// The size of the content within `size`, whose height is ignored.
  ///
  /// - Parameter layout: whether to place the views too, so that measuring and layout cannot
  ///   differ.
  @discardableResult func sizeThatFits(_ size: Size, layout: Bool) -> Size {
    let iconFrame = Rect(origin: Point(x: 2, y: 0), size: Self.iconSize)
    let left = iconFrame.maxX + 1
    let columns = max(1, size.width - left - 1)
    let timeWidth = min(columns, naturalWidth(of: time))
    let nameWidth = max(0, min(columns - timeWidth - 1, naturalWidth(of: nameLabel)))
    let statusHeight = status.intrinsicHeight(forWidth: columns) ?? 0
    let statusFrame = Rect(x: left, y: 1, width: columns, height: statusHeight)
    if layout {
      icon.frame = iconFrame
      nameLabel.frame = Rect(x: left, y: 0, width: nameWidth, height: 1)
      time.frame = Rect(x: left + columns - timeWidth, y: 0, width: timeWidth, height: 1)
      status.frame = statusFrame
    }
    return Size(width: size.width, height: max(iconFrame.maxY, statusFrame.maxY) + 1)
  }

  private func naturalWidth(of label: Label) -> Int {
    Int(label.intrinsicContentSize.width ?? 0)
  }

  override func heightThatFits(width: Int) -> Int {
    sizeThatFits(Size(width: width, height: 0), layout: false).height
  }

  override func layout(width: Int, height: Int) {
    frame = Rect(x: frame.minX, y: frame.minY, width: width, height: height)
    sizeThatFits(frame.size, layout: true)
    markLaidOut()
    slot.frameDidChange()
  }

  override var placeProviders: [any PlaceProviding] { [nameLabel, status] }

  override var bottomView: View? { status.frame.maxY > icon.frame.maxY ? status : icon }

  override var layoutNote: String {
    "measured by sizeThatFits: \(frame.height) lines at \(frame.width) columns"
  }

  override var measuredBy: String { "sizeThatFits" }

  override var activeBottom: String { holders(among: [icon, status]) }
}
