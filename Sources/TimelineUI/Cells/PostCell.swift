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

/// A post: the avatar at the left; beside it, from top to bottom, the name and time, the title,
/// texts and pictures with their captions, and tags.
///
///               ↻ who boosted it
///     ┌ icon ┐  name  handle  · time
///     └──────┘  title
///               damage
///               content 0
///               picture 0
///               caption 0
///               content 1
///               …
///               footer: poll, quotes, link, files, tags, counts
///
/// The cell's bottom is the bottom of the icon or of the text column, whichever is lower: both
/// constraints exist from the start, and exactly one of them is active.
///
/// A picture with a place in the text stands there: in a cell of such a ``Shape`` there is a text
/// before and after each picture. If there are more than two other pictures, they are shown in rows
/// of two (``PictureTiles``). ``PostSpacing`` decides which parts have a blank line above them.
///
/// Content that a post hides behind a warning (``PostCover``) has no height until it is revealed; a
/// post that a filter folds is a single line with the reason.
@MainActor final class PostCell: ListViewCell {
  /// The dependencies of a cell apart from its post.
  struct Context {
    var pictures: PictureStore
    /// The clock for ages such as "2 h".
    var clock: PostClock
    /// The largest width of text.
    var reading = ReadingWidth()
    /// The matches to mark in all posts; none by default.
    var marks = SearchMarks()

    init(
      pictures: PictureStore, clock: PostClock, reading: ReadingWidth = ReadingWidth(),
      marks: SearchMarks = SearchMarks()
    ) {
      self.pictures = pictures
      self.clock = clock
      self.reading = reading
      self.marks = marks
    }

    /// A context in which ages are computed for the time `now`, in seconds since 1970.
    @MainActor init(pictures: PictureStore, now: Double) {
      self.init(pictures: pictures, clock: .fixed(at: now))
    }

    /// A text with matches of the search marked.
    @MainActor func marked(_ text: StyledText) -> StyledText { marks.marked(text) }
  }

  static let avatarSize = Size(width: 6, height: 3)
  static let pictureReserve = 4

  private let context: Context
  private let icon = ImageView(name: "icon", followsPicture: false)
  private let header = PostHeader()
  private let titleLabel = Label(name: "title")
  private let damageLabel = Label(name: "damage")
  private let footerLabel = Label(name: "footer")
  /// One label, or one more than there are pictures.
  private let contentLabels: [Label]
  private let pictureViews: [ImageView]
  private let captionLabels: [Label]
  private let iconSlot: ImagePresenter
  private let pictureSlots: [ImagePresenter]

  /// The columns by which an answer is indented below the post it answers.
  var indent = 0 {
    didSet { if indent != oldValue { setNeedsLayout() } }
  }

  private var iconIndent: LayoutConstraint?
  private var iconWidth: LayoutConstraint?
  private var iconHeight: LayoutConstraint?
  private var textIndent: LayoutConstraint?
  /// The constraints that limit the width of texts.
  private var textWidths: [LayoutConstraint] = []
  private var textWidth: Int { context.reading.columns }
  /// The views below the name, from top to bottom.
  private var column: [(view: any PlaceProviding, part: PostSpacing.Part)] = []
  /// The constraints of the space above each view of the column.
  private var gaps: [[LayoutConstraint]] = []
  /// `nil` if all pictures stand in a single column.
  private var tiles: PictureTiles?
  /// The index of the first picture that is a tile.
  private let firstTile: Int
  private var iconBottom: LayoutConstraint?
  private var textBottom: LayoutConstraint?

  private var post: Post?
  /// Whether hidden content is shown; `nil` if nothing is hidden.
  private(set) var isRevealed: Bool?
  private var isFolded = false
  /// When the cell was configured, in seconds since 1970.
  private var configuredAt = 0.0
  /// When the relative times in the header and in the footer change: infinity if they never do,
  /// `nil` if there are none.
  private var times: (header: Double?, footer: Double?)

  override var placeProviders: [any PlaceProviding] { providers }
  private var providers: [any PlaceProviding] = []

  init(_ shape: Shape, context: Context) {
    self.context = context
    let count = shape.pictureCount
    firstTile = count - shape.tiledCount
    contentLabels = (0..<shape.textCount).map {
      Label(name: shape.isInterleaved ? "content \($0)" : "content")
    }
    pictureViews = (0..<count).map { ImageView(name: "picture \($0)") }
    captionLabels = (0..<count).map { Label(name: "caption \($0)") }
    iconSlot = ImagePresenter(view: icon, store: context.pictures, shape: .circle)
    pictureSlots = pictureViews.map { ImagePresenter(view: $0, store: context.pictures) }
    super.init(name: "post")
    let labels =
      header.labels + [titleLabel, damageLabel, footerLabel] + contentLabels + captionLabels
    for view in [icon] + labels + pictureViews as [View] { addSubview(view) }
    arrangeColumn()
    if shape.tiledCount > 0 {
      tiles = PictureTiles(Array(pictureViews[firstTile...]), Array(captionLabels[firstTile...]))
    }
    makeConstraints()
    for (index, slot) in pictureSlots.enumerated() {
      slot.onChange = { [weak self] in self?.pictureChanged(index) }
    }
  }

  private func arrangeColumn() {
    column = [(titleLabel, .title), (damageLabel, .warning), (contentLabels[0], .text)]
    for index in pictureViews.indices {
      column.append((pictureViews[index], .picture))
      column.append((captionLabels[index], .caption))
      if index + 1 < contentLabels.count { column.append((contentLabels[index + 1], .text)) }
    }
    column.append((footerLabel, .footer))
    providers = [header.repost, header.name] + column.map(\.view)
  }

  /// A cell with pictures that are being loaded is not kept, as their requests are cancelled with
  /// it.
  override var canBeRetained: Bool { ([iconSlot] + pictureSlots).allSatisfy(\.isAtRest) }

  // MARK: Content

  /// Shows `post`.
  ///
  /// - Parameters:
  ///   - screenHeight: the rows of the list; a picture takes at most two thirds of them.
  ///   - isRevealed: whether content that the post hides behind a warning is shown.
  func configure(
    with post: Post, info: TimelineInfo, screenHeight: Int, isRevealed: Bool = false
  ) {
    self.post = post
    let now = context.clock.now
    (configuredAt, times) = (now, (nil, nil))
    let cover = PostCover(of: post)
    self.isRevealed = cover == nil ? nil : isRevealed
    let hidden = isRevealed ? nil : cover
    isFolded = hidden?.extent == .post
    if isFolded, let cover { return fold(into: cover) }
    header.show(post, info: info, now: now, context: context)
    times = (
      PostText.nextTimestampChange(of: post, now: now),
      PostText.nextFooterChange(of: post, hidden: hidden, isRevealed: isRevealed, now: now)
    )
    titleLabel.text = context.marked(PostText.title(of: post))
    damageLabel.text = context.marked(
      PostText.damage(
        of: post, cover: cover, isRevealed: isRevealed,
        hidesMatch: hidden != nil && context.marks.hasHiddenMatch(in: post)))
    let room = context.pictures.showsPictures ? pictureViews.count : 0
    let hidesPictures = hidden?.hides(.pictures) == true
    let shown = hidesPictures ? 0 : min(post.pictures.count, room)
    let named = hidesPictures ? [] : post.pictures[shown...]
    showTexts(of: hidden?.hides(.content) == true ? nil : post, room: room, naming: named)
    footerLabel.text = context.marked(
      PostText.footer(
        of: post, namedPictures: named, hidden: hidden, isRevealed: isRevealed, now: now))
    showAvatar(of: post, info: info)
    show(post.pictures[..<shown], reach: post.reach, screenHeight: screenHeight)
  }

  /// If only pictures are hidden, the texts and their places stay the same.
  private func showTexts(of post: Post?, room: Int, naming named: ArraySlice<Post.Picture>) {
    guard let post else {
      for label in contentLabels { label.text = StyledText() }
      return
    }
    let texts = PostText.texts(
      of: post, around: min(room, contentLabels.count - 1), naming: named)
    for (index, label) in contentLabels.enumerated() {
      label.text = texts.indices.contains(index) ? context.marked(texts[index]) : StyledText()
    }
  }

  /// Shows only the reason why the post is folded.
  private func fold(into cover: PostCover) {
    for label in header.labels + [titleLabel, footerLabel] + contentLabels {
      label.text = StyledText()
    }
    var text = StyledText()
    PostText.add(cover, isRevealed: false, to: &text)
    damageLabel.text = text
    iconSlot.clear()
    icon.badge = nil
    show([], reach: .publicAddresses, screenHeight: 0)
  }

  private func show(
    _ pictures: ArraySlice<Post.Picture>, reach: RequestScope, screenHeight: Int
  ) {
    for (index, slot) in pictureSlots.enumerated() {
      guard pictures.indices.contains(index) else {
        slot.clear()
        captionLabels[index].text = StyledText()
        continue
      }
      let picture = pictures[index]
      let view = pictureViews[index]
      view.maximumSize =
        tiles == nil || index < firstTile
        ? Size(width: textWidth, height: max(3, screenHeight * 2 / 3))
        : Size(
          width: PictureTiles.maximumWidth(ofText: textWidth),
          height: PictureTiles.maximumHeight(screenHeight: screenHeight))
      view.reservedHeight = Self.pictureReserve
      slot.show(
        picture.url, reach: reach, declaredSize: picture.declaredSize,
        blurHash: picture.blurHash, priority: picturePriority)
      captionLabels[index].text = caption(of: picture, index)
    }
  }

  /// The picture's description. It includes the failure of a picture that does not keep its size;
  /// one that does shows the failure in its place.
  private func caption(of picture: Post.Picture, _ index: Int) -> StyledText {
    var failure: String?
    if case .failed(let reason) = pictureSlots[index].state, !pictureViews[index].keepsSizeOnFailure
    {
      failure = reason
    }
    let below = index + 1 < contentLabels.count ? contentLabels[index + 1].text : StyledText()
    return context.marked(PostText.caption(of: picture, failure: failure, textBelow: below))
  }

  /// Shows the author's picture, else the timeline's; the author's initials if it cannot be loaded.
  /// A post without a picture has an empty place for it in sources whose posts usually have one:
  /// posts of accounts, or of several sources. So all texts are aligned.
  private func showAvatar(of post: Post, info: TimelineInfo) {
    guard context.pictures.showsPictures else { return }
    let avatar = post.author?.avatar
    let url = avatar ?? info.icon
    let reservesAvatar =
      url != nil || post.author?.handle.isEmpty == false || post.source != nil
    icon.badge =
      reservesAvatar
      ? post.author.flatMap(Initials.badge(of:))
        ?? Initials.badge(ofName: header.name.text.plainText) : nil
    guard let url else { return iconSlot.clear() }
    iconSlot.show(url, reach: avatar == nil ? info.reach : post.reach, priority: picturePriority)
  }

  private func pictureChanged(_ index: Int) {
    guard let post, post.pictures.indices.contains(index) else { return }
    let text = caption(of: post.pictures[index], index)
    if captionLabels[index].text != text { captionLabels[index].text = text }
  }

  /// Requests failed pictures again.
  ///
  /// - Returns: whether any had failed.
  func retryPictures() -> Bool {
    ([iconSlot] + pictureSlots).reduce(false) { $1.tryAgain() || $0 }
  }

  // MARK: Times

  override var isCurrent: Bool {
    guard times.header != nil || times.footer != nil else { return true }
    let end = min(times.header ?? .infinity, times.footer ?? .infinity)
    let now = context.clock.now
    return now >= configuredAt && now < end
  }

  /// When the first relative time within these lines changes; `nil` if none does.
  func nextChange(inLines lines: Range<Int>) -> Double? {
    [(times.header, header.timeLabel), (times.footer, footerLabel)].compactMap { time, label in
      let frame = label.frame(in: self)
      guard let time, time < .infinity, lines.overlaps(frame.minY..<frame.maxY) else { return nil }
      return time
    }.min()
  }

  override func prepareForReuse() {
    post = nil
    iconSlot.clear()
    for slot in pictureSlots { slot.clear() }
  }

  /// The priority of this cell's pictures, depending on whether the cell is on the screen.
  var picturePriority = ImagePriority.near {
    didSet {
      guard picturePriority != oldValue else { return }
      for slot in [iconSlot] + pictureSlots { slot.priority = picturePriority }
    }
  }

  // MARK: Layout

  private func makeConstraints() {
    iconIndent = icon.leading(offset: 2)
    icon.top(to: header.name)
    iconWidth = icon.width(0)
    iconHeight = icon.height(0)
    textIndent = header.name.leading(to: icon, edge: .trailing, offset: 2)
    header.makeConstraints()
    makeColumnConstraints()
    iconBottom = bottom(to: icon, offset: 1, priority: .defaultHigh, isActive: false)
      .labeled("bottom-to-icon")
    textBottom = bottom(to: footerLabel, offset: 1, priority: .defaultHigh)
      .labeled("bottom-to-text")
  }

  /// The text column: each view below the previous one, except for tiles.
  private func makeColumnConstraints() {
    var above: View = header.name
    for (view, part) in column {
      if let tiles, let tile = tile(of: view) {
        let isPicture = part == .picture
        gaps.append(isPicture ? tiles.place(tile, below: above, alignedTo: header.name) : [])
        continue
      }
      if let tiles, part == .footer {
        gaps.append(tiles.below(view))
      } else {
        gaps.append([view.top(to: above, edge: .bottom)])
      }
      view.leading(to: header.name)
      if part != .picture {
        view.trailing(offset: -1, priority: .defaultHigh)
        textWidths.append(view.width(Double(textWidth), relation: .lessThanOrEqual))
      }
      view.trailing(offset: -1, relation: .lessThanOrEqual)
      above = view
    }
  }

  /// The index of the tile that a picture or caption belongs to; `nil` if it is not a tile.
  private func tile(of view: View) -> Int? {
    let index =
      pictureViews.firstIndex { $0 === view } ?? captionLabels.firstIndex { $0 === view }
    return index.flatMap { $0 >= firstTile ? $0 - firstTile : nil }
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

  /// Applies decisions that depend on the width and the content, outside the constraints: whether
  /// there is an avatar, and which views have a blank row above them.
  private func adapt(toWidth width: Int) {
    if let post, !isFolded { header.adapt(toWidth: width, of: post, now: configuredAt) }
    iconIndent?.constant = Double(2 + min(indent, max(0, (width - 40) / 2)))
    let showsIcon = (iconSlot.url != nil || icon.badge != nil) && width >= 36
    iconWidth?.constant = showsIcon ? Double(Self.avatarSize.width) : 0
    iconHeight?.constant = showsIcon ? Double(Self.avatarSize.height) : 0
    textIndent?.constant = showsIcon ? 2 : 0
    for limit in textWidths { limit.constant = Double(textWidth) }
    var spacing = PostSpacing()
    for (index, (view, part)) in column.enumerated() {
      let rows = shownPart(view, part).map { spacing.rows(above: $0) } ?? 0
      for gap in gaps[index] { gap.constant = Double(rows) }
    }
    tiles?.adapt(
      toColumns: width - (showsIcon ? Self.avatarSize.width + 5 : 3), textWidth: textWidth)
  }

  /// The part that a view of the column shows; `nil` if it shows nothing.
  private func shownPart(
    _ view: any PlaceProviding, _ part: PostSpacing.Part
  ) -> PostSpacing.Part? {
    if let picture = view as? ImageView { return picture.placeholder == .none ? nil : part }
    guard let label = view as? Label, !label.text.isEmpty else { return nil }
    guard part == .text, label !== contentLabels[0], let first = label.text.paragraphs.first else {
      return part
    }
    return PostText.isCaption(first) ? .caption : .text
  }

  /// Lays the cell out, compares the rounded bottoms and attaches the cell's bottom to the lower
  /// one.
  private func switchBottom(width: Int) {
    layoutIfNeeded(width: width, height: nil)
    let iconIsLower = icon.frame.maxY > footerLabel.frame.maxY
    guard iconBottom?.isActive != iconIsLower else { return }
    // The two constraints are never active at once.
    (iconIsLower ? textBottom : iconBottom)?.isActive = false
    (iconIsLower ? iconBottom : textBottom)?.isActive = true
  }

  // MARK: Drawing

  override var selectionMarkWidth: Int { SelectionBar.width }

  override func drawSelectionMark(in canvas: inout Canvas, at origin: Point) {
    SelectionBar.draw(for: self, in: &canvas, at: origin)
  }
}

extension Post.Picture {
  /// The size that the source declares, if it is valid.
  var declaredSize: PixelSize? {
    guard let width, let height, width > 0, height > 0, width <= 1 << 16, height <= 1 << 16 else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }
}
