import ConstraintLayout
import Geometry
import Pictures
import Pixels
import Terminal
import TerminalViews
import TextLayout
import TimelineUI

/// Receives changes of a moment's height and failures of its picture.
@MainActor protocol MomentCellDelegate: AnyObject {
  func momentCellHeightDidChange(_ cell: MomentCell)

  /// The cell's picture could not be loaded, because of `reason`.
  func momentCell(_ cell: MomentCell, didFail reason: String)
}

extension MomentCellDelegate where Self: DemoListContent<MomentCell> {
  /// An empty batch makes the list measure the cells whose height changed; it knows their rows.
  func momentCellHeightDidChange(_ cell: MomentCell) {
    list?.beginUpdates()
    list?.endUpdates()
  }

  func momentCell(_ cell: MomentCell, didFail reason: String) {
    guard let row = list?.indexPath(for: cell)?.row else { return }
    tell("✕ picture of \(rowName) \(row + 1): \(reason); R tries again")
  }
}

/// Title, text of at most four lines, and a picture of fixed width. The constant of the picture's
/// height constraint changes when its size becomes known.
@MainActor final class MomentCell: BaseCell {
  static let pictureWidth = 24
  private static let leading = 2
  private static let trailing = 1

  private let title = Label(name: "title", numberOfLines: 1)
  private let content = Label(name: "content", numberOfLines: 4)
  private var pictureHeight: LayoutConstraint?
  private var bottomEdge: LayoutConstraint?
  /// Replaces `bottomEdge` if a conflict is to be provoked.
  private var requiredEdge: LayoutConstraint?
  private var pictureSize: PixelSize?
  private var provokesConflict = false
  weak var delegate: (any MomentCellDelegate)?

  init(pictures: PictureStore) {
    super.init(picture: ImageView(name: "picture", followsPicture: false), store: pictures)
  }

  override func setUpViews() {
    for view in [title, content, picture] as [View] { addSubview(view) }
  }

  /// Labels resist compression at required priority, so the text is not compressed to make room for
  /// the picture. The bottom edge is just below required: while the list still imposes the height
  /// from before the picture arrived, it gives way without a conflict.
  override func setUpConstraints() {
    for label in [title, content] {
      label.setContentCompressionResistancePriority(.required, for: .vertical)
    }
    let (leading, trailing) = (Double(Self.leading), -Double(Self.trailing))
    title.top().label = "title-top"
    title.leading(offset: leading).label = "title-leading"
    title.trailing(offset: trailing).label = "title-trailing"
    content.top(to: title, edge: .bottom).label = "content-top"
    content.leading(to: title).label = "content-leading"
    content.trailing(offset: trailing).label = "content-trailing"
    picture.top(to: content, edge: .bottom).label = "picture-top"
    picture.leading(to: title).label = "picture-leading"
    picture.trailing(offset: trailing, relation: .lessThanOrEqual).label = "picture-trailing"
    picture.width(Double(Self.pictureWidth), priority: .required - 1).label = "picture-width"
    pictureHeight = picture.height(0).labeled("picture-height")
    bottomEdge = bottom(to: picture, offset: 1, priority: .required - 1)
      .labeled("picture-to-bottom")
    requiredEdge = bottom(to: picture, offset: 1, isActive: false)
      .labeled("picture-to-bottom-required")
  }

  /// - Parameter provokesConflict: whether the list keeps imposing the height from before the
  ///   picture arrived.
  func configure(with item: MomentsDemo.Item, provokesConflict: Bool) {
    title.text = StyledText(item.title, style: TextStyle(traits: .bold))
    content.text = StyledText(item.content)
    self.provokesConflict = provokesConflict
    (provokesConflict ? bottomEdge : requiredEdge)?.isActive = false
    (provokesConflict ? requiredEdge : bottomEdge)?.isActive = true
    if let url = item.picture {
      slot.show(url, reach: .everywhere, priority: .near)
    } else {
      slot.clear()
    }
    // The size is known at once if the picture was loaded before.
    pictureSize = picture.pixelSize
    setNeedsLayout()
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    pictureSize = nil
    delegate = nil
  }

  override func pictureFailed(_ reason: String) { delegate?.momentCell(self, didFail: reason) }

  override func pictureSizeArrived(_ size: PixelSize) {
    guard size != pictureSize else { return }
    pictureSize = size
    pictureHeight?.constant = Double(pictureRows(cellWidth: frame.width))
    setNeedsLayout()
    delegate?.momentCellHeightDidChange(self)
  }

  /// The picture's height, in rows, in a cell of `cellWidth` columns; 0 until its size is known.
  private func pictureRows(cellWidth: Int) -> Int {
    guard let pictureSize, pictureSize.width > 0, pictureSize.height > 0 else { return 0 }
    let columns = max(1, min(Self.pictureWidth, cellWidth - Self.leading - Self.trailing))
    let rowsPerColumn =
      Double(pictureSize.height) / Double(pictureSize.width) * LayoutMetrics.cellAspect
    return max(1, Int((Double(columns) * rowsPerColumn).rounded()))
  }

  override func heightThatFits(width: Int) -> Int {
    let rows = Double(pictureRows(cellWidth: width))
    guard provokesConflict else {
      pictureHeight?.constant = rows
      return super.heightThatFits(width: width)
    }
    // Measures as if the picture had not arrived; layout uses its real height and so conflicts.
    pictureHeight?.constant = 0
    let height = super.heightThatFits(width: width)
    pictureHeight?.constant = rows
    return height
  }

  override func layout(width: Int, height: Int) {
    super.layout(width: width, height: height)
    // A picture of unknown size has an empty frame, which would never trigger its request.
    if pictureSize == nil { slot.askForPicture() }
  }

  override var placeProviders: [any PlaceProviding] { [title, content, picture] }

  override var keyConstraints: [LayoutConstraint] {
    [provokesConflict ? requiredEdge : bottomEdge, pictureHeight].compactMap { $0 }
  }

  /// Whether it has a picture whose size is not known yet.
  var awaitsSize: Bool { slot.url != nil && pictureSize == nil }

  override var layoutNote: String {
    if pictureHeight?.isBroken == true {
      return "provoked: picture-height is given up, Encapsulated-Layout-Height holds"
    }
    guard slot.url != nil else { return "no picture: its height is 0" }
    guard let size = pictureSize else { return "the picture's height is 0 until its size is known" }
    return "a picture of \(size.width)x\(size.height) pixels: "
      + "\(pictureRows(cellWidth: frame.width).counted("row")) at \(picture.frame.width) columns"
  }

  override var activeBottom: String { picture.name }
}
