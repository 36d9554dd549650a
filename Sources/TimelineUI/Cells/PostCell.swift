import ConstraintLayout
import Feeds
import Geometry
import HTTP
import ImageLoading
import Pictures
import Pixels
import Terminal
import TerminalViews
import TextLayout

/// A post: avatar left; name, time, title, text, pictures with their captions, tags below one another.
///
///               ⟳ who brought it here
///     ┌ icon ┐  name  handle  · time
///     └──────┘  title
///               content
///               picture 0
///               caption 0
///               …
///               footer: poll, quotes, link, files, tags, counts
///
/// The cell's bottom is held by the icon or by the text column, whichever reaches lower: both
/// constraints exist from the start and exactly one of them is active.
///
/// What a post hides behind a warning (``PostCover``) has no height until it is revealed; a post that a
/// filter folds away is the line that says so.
@MainActor final class PostCell: ListViewCell {
  /// What a cell needs beyond its post.
  struct Context {
    var pictures: PictureStore
    var theme: Theme
    /// Seconds since 1970, for "2 h".
    var now: Double
  }

  /// Columns of text at most: longer lines are hard to read.
  static let maximumTextWidth = 96
  static let avatarSize = Size(width: 6, height: 3)
  static let pictureReserve = 4

  private let context: Context
  private let icon = ImageView(name: "icon", followsPicture: false)
  private let repostLabel = Label(name: "repost", numberOfLines: 1)
  private let nameLabel = Label(name: "name", numberOfLines: 1)
  private let handleLabel = Label(name: "handle", numberOfLines: 1)
  private let timeLabel = Label(name: "time", numberOfLines: 1)
  private let titleLabel = Label(name: "title")
  private let damageLabel = Label(name: "damage")
  private let contentLabel = Label(name: "content")
  private let footerLabel = Label(name: "footer")
  private let pictureViews: [ImageView]
  private let captionLabels: [Label]
  private let iconSlot: PictureSlot
  private let pictureSlots: [PictureSlot]

  private var iconWidth: LayoutConstraint?
  private var iconHeight: LayoutConstraint?
  private var textIndent: LayoutConstraint?
  private var handleGap: LayoutConstraint?
  private var gaps: [(constraint: LayoutConstraint, view: View)] = []
  private var iconBottom: LayoutConstraint?
  private var textBottom: LayoutConstraint?

  private var post: Post?
  /// Whether what it hides is shown; nil where it hides nothing.
  private(set) var isRevealed: Bool?
  private var isFolded = false
  private var isNameless = false

  init(pictureCount: Int, context: Context) {
    self.context = context
    let count = min(pictureCount, Post.maximumPictures)
    pictureViews = (0..<count).map { ImageView(name: "picture \($0)") }
    captionLabels = (0..<count).map { Label(name: "caption \($0)") }
    iconSlot = PictureSlot(view: icon, store: context.pictures, shape: .circle)
    pictureSlots = pictureViews.map { PictureSlot(view: $0, store: context.pictures) }
    super.init(name: "post")
    let labels =
      [
        repostLabel, nameLabel, handleLabel, timeLabel, titleLabel, damageLabel, contentLabel,
        footerLabel,
      ] + captionLabels
    for label in labels { label.theme = context.theme }
    for view in [icon] + pictureViews { view.theme = context.theme }
    for view in [icon] + labels + pictureViews as [View] { addSubview(view) }
    makeConstraints()
    for (index, slot) in pictureSlots.enumerated() {
      slot.onChange = { [weak self] in self?.pictureChanged(index) }
    }
  }

  /// While pictures are under way they are cancelled with the cell, and those that failed are tried again.
  override var canWait: Bool { ([iconSlot] + pictureSlots).allSatisfy(\.isAtRest) }

  // MARK: Content

  /// Shows `post`.
  ///
  /// - Parameters:
  ///   - screenHeight: rows of the list, of which a picture takes two thirds at most.
  ///   - isRevealed: whether what it hides behind a warning is shown.
  func configure(
    with post: Post, info: TimelineInfo, screenHeight: Int, isRevealed: Bool = false
  ) {
    self.post = post
    let cover = PostCover(of: post)
    self.isRevealed = cover == nil ? nil : isRevealed
    let hidden = isRevealed ? nil : cover
    isFolded = hidden?.extent == .post
    if isFolded, let cover { return fold(into: cover) }
    repostLabel.text = PostText.repost(of: post)
    nameLabel.text = PostText.name(of: post, in: info)
    handleLabel.text = PostText.handle(of: post)
    isNameless = nameLabel.text.isEmpty && handleLabel.text.isEmpty
    showTime(tellsEdits: true)
    titleLabel.text = post.title
    damageLabel.text = PostText.damage(of: post, cover: cover, isRevealed: isRevealed)
    contentLabel.text = hidden?.hides(.content) == true ? StyledText() : post.body
    let room = context.pictures.showsPictures ? pictureViews.count : 0
    let shown = hidden?.hides(.pictures) == true ? 0 : min(post.pictures.count, room)
    footerLabel.text = PostText.footer(
      of: post, hiddenPictures: post.pictures[shown...], hidden: hidden, isRevealed: isRevealed,
      now: context.now)
    let avatar = post.author?.avatar
    showAvatar(avatar ?? info.icon, reach: avatar == nil ? info.reach : post.reach)
    show(post.pictures[..<shown], reach: post.reach, screenHeight: screenHeight)
  }

  /// Shows nothing but why there is no more.
  private func fold(into cover: PostCover) {
    let empty = [
      repostLabel, nameLabel, handleLabel, timeLabel, titleLabel, contentLabel, footerLabel,
    ]
    for label in empty { label.text = StyledText() }
    var text = StyledText()
    PostText.add(cover, isRevealed: false, to: &text)
    damageLabel.text = text
    showAvatar(nil, reach: .publicAddresses)
    show([], reach: .publicAddresses, screenHeight: 0)
  }

  /// Where there is no name, which the line below hangs from, the time stands in its place.
  private func showTime(tellsEdits: Bool) {
    guard let post, !isFolded else { return }
    let time = PostText.time(
      of: post, isAlone: isNameless, tellsEdits: tellsEdits, now: context.now)
    if isNameless { nameLabel.text = time }
    timeLabel.text = isNameless ? StyledText() : time
  }

  private func show(
    _ pictures: ArraySlice<Post.Picture>, reach: HTTPReach, screenHeight: Int
  ) {
    for (index, slot) in pictureSlots.enumerated() {
      guard pictures.indices.contains(index) else {
        slot.clear()
        captionLabels[index].text = StyledText()
        continue
      }
      let picture = pictures[index]
      let view = pictureViews[index]
      view.maximumSize = Size(
        width: Self.maximumTextWidth, height: max(3, screenHeight * 2 / 3))
      view.reservedHeight = Self.pictureReserve
      captionLabels[index].text = PostText.caption(of: picture, failure: nil)
      slot.show(
        picture.url, reach: reach, declaredSize: picture.declaredSize, priority: .near)
    }
  }

  private func showAvatar(_ url: String?, reach: HTTPReach) {
    guard let url, context.pictures.showsPictures else { return iconSlot.clear() }
    iconSlot.show(url, reach: reach, priority: .near)
  }

  private func pictureChanged(_ index: Int) {
    guard let post, post.pictures.indices.contains(index) else { return }
    if case .failed(let reason) = pictureSlots[index].state {
      captionLabels[index].text = PostText.caption(of: post.pictures[index], failure: reason)
    }
  }

  override func prepareForReuse() {
    post = nil
    iconSlot.clear()
    for slot in pictureSlots { slot.clear() }
  }

  /// How urgent this cell's pictures are: on the screen, or beside it.
  var picturePriority = ImagePriority.near {
    didSet {
      guard picturePriority != oldValue else { return }
      for slot in [iconSlot] + pictureSlots { slot.priority = picturePriority }
    }
  }

  // MARK: Layout

  private func makeConstraints() {
    icon.leading(offset: 2)
    icon.top(to: nameLabel)
    iconWidth = icon.width(0)
    iconHeight = icon.height(0)
    textIndent = nameLabel.leading(to: icon, edge: .trailing, offset: 2)
    makeHeaderConstraints()
    makeColumnConstraints()
    iconBottom = bottom(to: icon, offset: 1, priority: .defaultHigh, isActive: false)
      .labeled("bottom-to-icon")
    textBottom = bottom(to: footerLabel, offset: 1, priority: .defaultHigh)
      .labeled("bottom-to-text")
  }

  /// Name, handle and time in one line: the handle gives way first, then the name, the time never.
  private func makeHeaderConstraints() {
    handleLabel.setContentCompressionResistancePriority(.defaultLow, for: .horizontal)
    timeLabel.setContentCompressionResistancePriority(.required, for: .horizontal)
    repostLabel.top()
    repostLabel.leading(to: nameLabel)
    repostLabel.trailing(offset: -1, relation: .lessThanOrEqual)
    nameLabel.top(to: repostLabel, edge: .bottom)
    handleLabel.top(to: nameLabel)
    timeLabel.top(to: nameLabel)
    handleGap = handleLabel.leading(to: nameLabel, edge: .trailing)
    handleLabel.width(0, relation: .greaterThanOrEqual)
    timeLabel.leading(to: handleLabel, edge: .trailing, offset: 1)
    timeLabel.trailing(offset: -1, relation: .lessThanOrEqual)
  }

  /// The text column: each view below the one before it.
  private func makeColumnConstraints() {
    var above: View = nameLabel
    var column: [View] = [titleLabel, damageLabel, contentLabel]
    for (picture, caption) in zip(pictureViews, captionLabels) { column += [picture, caption] }
    column.append(footerLabel)
    for view in column {
      gaps.append((view.top(to: above, edge: .bottom), view))
      view.leading(to: nameLabel)
      if view is Label {
        view.trailing(offset: -1, priority: .defaultHigh)
        view.width(Double(Self.maximumTextWidth), relation: .lessThanOrEqual)
      }
      view.trailing(offset: -1, relation: .lessThanOrEqual)
      above = view
    }
  }

  override func heightThatFits(width: Int) -> Int {
    adapt(toWidth: width)
    switchBottom(width: width)
    return super.heightThatFits(width: width)
  }

  override func layout(width: Int, height: Int) {
    super.layout(width: width, height: height)
    for slot in [iconSlot] + pictureSlots { slot.frameDidChange() }
  }

  /// What the width and the content decide outside the constraints: whether there is an avatar, and
  /// which views have an empty row above them.
  private func adapt(toWidth width: Int) {
    if post?.modified != nil { showTime(tellsEdits: width >= 36) }
    let showsIcon = iconSlot.url != nil && width >= 36
    iconWidth?.constant = showsIcon ? Double(Self.avatarSize.width) : 0
    iconHeight?.constant = showsIcon ? Double(Self.avatarSize.height) : 0
    textIndent?.constant = showsIcon ? 2 : 0
    handleGap?.constant = handleLabel.text.isEmpty ? 0 : 1
    let hasText = [titleLabel, damageLabel, contentLabel].contains { !$0.text.isEmpty }
    for (constraint, view) in gaps {
      let wantsGap =
        if view === contentLabel {
          !titleLabel.text.isEmpty && !contentLabel.text.isEmpty
        } else if view === footerLabel {
          !footerLabel.text.isEmpty && hasText
        } else if let picture = view as? ImageView {
          picture.placeholder == .loading
        } else {
          false
        }
      constraint.constant = wantsGap ? 1 : 0
    }
  }

  /// Lays the cell out, compares the rounded bottoms and lets the lower one hold the cell's.
  private func switchBottom(width: Int) {
    layoutIfNeeded(width: width, height: nil)
    let iconIsLower = icon.frame.maxY > footerLabel.frame.maxY
    guard iconBottom?.isActive != iconIsLower else { return }
    // Never both at once: the one that goes is switched off first.
    (iconIsLower ? textBottom : iconBottom)?.isActive = false
    (iconIsLower ? iconBottom : textBottom)?.isActive = true
  }

  override var placeProviders: [any PlaceProviding] {
    var views: [any PlaceProviding] = [
      repostLabel, nameLabel, titleLabel, damageLabel, contentLabel,
    ]
    for (picture, caption) in zip(pictureViews, captionLabels) { views += [picture, caption] }
    return views + [footerLabel]
  }

  // MARK: Drawing

  override var selectionMarkWidth: Int { SelectionBar.width }

  override func drawSelectionMark(in canvas: inout Canvas, at origin: Point) {
    SelectionBar.draw(for: self, in: &canvas, at: origin, theme: context.theme)
  }
}

extension Post.Picture {
  /// The size the source declares, where it is one a picture can have.
  var declaredSize: PixelSize? {
    guard let width, let height, width > 0, height > 0, width <= 1 << 16, height <= 1 << 16 else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }
}
