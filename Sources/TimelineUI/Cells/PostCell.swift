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

/// A post: avatar left; name, time, title, texts and pictures with their captions, tags below one
/// another.
///
///               ↻ who brought it here
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
/// The cell's bottom is held by the icon or by the text column, whichever reaches lower: both
/// constraints exist from the start and exactly one of them is active.
///
/// A picture with a place in the text stands there: in a cell for such posts (``Shape``) there is a
/// text before and after each picture. Of the others more than two stand side by side
/// (``PictureTiles``). Which parts have a blank line above them says ``PostSpacing``.
///
/// What a post hides behind a warning (``PostCover``) has no height until it is revealed; a post
/// that a filter folds away is the line that says so.
@MainActor final class PostCell: ListViewCell {
  /// What a cell needs beyond its post.
  struct Context {
    var pictures: PictureStore
    /// For "2 h".
    var clock: PostClock
    /// How wide text may be.
    var reading = ReadingWidth()
    /// What is marked in all posts; nothing by default.
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

    /// Of posts that are as old as they are at a time, in seconds since 1970.
    @MainActor init(pictures: PictureStore, now: Double) {
      self.init(pictures: pictures, clock: .fixed(at: now))
    }

    /// A text with what is searched for marked in it.
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
  /// One, or one more than there are pictures.
  private let contentLabels: [Label]
  private let pictureViews: [ImageView]
  private let captionLabels: [Label]
  private let iconSlot: PictureSlot
  private let pictureSlots: [PictureSlot]

  /// Columns further to the right, as an answer stands below what it answers.
  var indent = 0 {
    didSet { if indent != oldValue { setNeedsLayout() } }
  }

  private var iconIndent: LayoutConstraint?
  private var iconWidth: LayoutConstraint?
  private var iconHeight: LayoutConstraint?
  private var textIndent: LayoutConstraint?
  /// What keeps texts from being too wide.
  private var textWidths: [LayoutConstraint] = []
  private var textWidth: Int { context.reading.columns }
  /// From top to bottom, without the name above them.
  private var column: [(view: any PlaceProviding, part: PostSpacing.Part)] = []
  /// What holds the space above each of the column.
  private var gaps: [[LayoutConstraint]] = []
  /// Nil where pictures stand below one another.
  private var tiles: PictureTiles?
  /// The first picture of the tiles.
  private let firstTile: Int
  private var iconBottom: LayoutConstraint?
  private var textBottom: LayoutConstraint?

  private var post: Post?
  /// Whether what it hides is shown; nil where it hides nothing.
  private(set) var isRevealed: Bool?
  private var isFolded = false
  /// When it was configured.
  private var configuredAt = 0.0
  /// When the words change that tell times, in the header and below the text: infinity where they
  /// stay as they are, nil where there are none.
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
    iconSlot = PictureSlot(view: icon, store: context.pictures, shape: .circle)
    pictureSlots = pictureViews.map { PictureSlot(view: $0, store: context.pictures) }
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

  /// While pictures are under way they are cancelled with the cell.
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
    let now = context.clock.now
    (configuredAt, times) = (now, (nil, nil))
    let cover = PostCover(of: post)
    self.isRevealed = cover == nil ? nil : isRevealed
    let hidden = isRevealed ? nil : cover
    isFolded = hidden?.extent == .post
    if isFolded, let cover { return fold(into: cover) }
    header.show(post, info: info, now: now, context: context)
    times = (
      PostText.timeHolds(of: post, now: now),
      PostText.footerHolds(of: post, hidden: hidden, isRevealed: isRevealed, now: now)
    )
    titleLabel.text = context.marked(PostText.title(of: post))
    damageLabel.text = context.marked(
      PostText.damage(
        of: post, cover: cover, isRevealed: isRevealed,
        hidesMatch: hidden != nil && context.marks.areHidden(in: post)))
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

  /// Where the pictures are hidden the texts are the same, so that their places are.
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

  /// Shows nothing but why there is no more.
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

  /// Why a picture is missing stands in its place where that has a height of its own.
  private func caption(of picture: Post.Picture, _ index: Int) -> StyledText {
    var failure: String?
    if case .failed(let reason) = pictureSlots[index].state, !pictureViews[index].keepsSize {
      failure = reason
    }
    let below = index + 1 < contentLabels.count ? contentLabels[index + 1].text : StyledText()
    return context.marked(PostText.caption(of: picture, failure: failure, textBelow: below))
  }

  /// The author's picture, else the timeline's; the author's initials where it could not be had.
  /// Who has none has the place for it where others beside them have one: where posts are of
  /// accounts, or of several sources, so that all texts stand in one line.
  private func showAvatar(of post: Post, info: TimelineInfo) {
    guard context.pictures.showsPictures else { return }
    let avatar = post.author?.avatar
    let url = avatar ?? info.icon
    let hasPlace =
      url != nil || post.author?.handle.isEmpty == false || post.source != nil
    icon.badge =
      hasPlace
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

  /// Asks again for pictures that have failed.
  ///
  /// - Returns: whether there were any.
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

  /// When the first word on some of its lines changes that tells a time; nil where none does.
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

  /// How urgent this cell's pictures are: on the screen, or beside it.
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

  /// The text column: each view below the one before it, pictures in tiles aside.
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

  /// Which of the tiles a picture or its caption belongs to; nil where to none.
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

  /// What the width and the content decide outside the constraints: whether there is an avatar, and
  /// which views have an empty row above them.
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

  /// What a view of the column shows; nil where it is nothing.
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

  /// Lays the cell out, compares the rounded bottoms and lets the lower one hold the cell's.
  private func switchBottom(width: Int) {
    layoutIfNeeded(width: width, height: nil)
    let iconIsLower = icon.frame.maxY > footerLabel.frame.maxY
    guard iconBottom?.isActive != iconIsLower else { return }
    // Never both at once: the one that goes is switched off first.
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
  /// The size the source declares, where it is one a picture can have.
  var declaredSize: PixelSize? {
    guard let width, let height, width > 0, height > 0, width <= 1 << 16, height <= 1 << 16 else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }
}
