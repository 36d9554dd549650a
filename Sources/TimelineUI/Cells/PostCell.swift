import ConstraintLayout
import Feeds
import Geometry
import ImageLoading
import Pictures
import Terminal
import TerminalViews
import TextLayout
import VirtualList

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
/// The cell's bottom is the bottom of the icon, of the text column or of the pictures beside that
/// (``SidePictures``), whichever is lowest: all constraints exist from the start, and exactly one
/// of them is active.
///
/// A picture with a place in the text stands there: in a cell of such a ``Shape`` there is a text
/// before and after each picture. If there are more than two other pictures, they are shown in rows
/// of two (``PictureTiles``). ``PostSpacing`` decides which parts have a blank line above them.
///
/// Content that a post hides behind a warning (``PostCover``) has no height until it is revealed; a
/// post that a filter folds is a single line with the reason.
@MainActor final class PostCell: PostRowCell {
  /// The dependencies of a cell apart from its post.
  struct Context {
    var pictures: PictureStore
    /// The clock for ages such as "2 h".
    var clock: PostClock
    /// The largest width of text.
    var reading = ReadingWidth()
    /// The matches to mark in all posts; none by default.
    var marks = SearchMarks()

    /// A text with matches of the search marked.
    @MainActor func marked(_ text: StyledText) -> StyledText { marks.marked(text) }
  }

  private let avatar: PostAvatar
  private let header = PostHeader()
  private let column: PostColumn
  override var placeProviders: [any PlaceProviding] { providers }
  private let providers: [any PlaceProviding]
  private var avatarBottom: LayoutConstraint?
  private var textBottom: LayoutConstraint?
  private var pictureBottom: LayoutConstraint?

  /// The columns by which an answer is indented below the post it answers.
  var indent = 0 {
    didSet { if indent != oldValue { setNeedsLayout() } }
  }

  init(_ shape: Shape, context: Context) {
    avatar = PostAvatar(store: context.pictures)
    column = PostColumn(shape, context: context)
    providers = [header.repost, header.name] + column.placeProviders
    super.init(name: "post", context: context)
    for view in [avatar.view] + header.labels + column.views { addSubview(view) }
    avatar.makeConstraints(beside: header.name)
    header.makeConstraints()
    column.makeConstraints(below: header.name)
    avatarBottom = bottom(to: avatar.view, offset: 1, priority: .defaultHigh, isActive: false)
      .labeled("bottom-to-icon")
    textBottom = bottom(to: column.footer, offset: 1, priority: .defaultHigh)
      .labeled("bottom-to-text")
    pictureBottom = column.lastCaption.map {
      bottom(to: $0, offset: 1, priority: .defaultHigh, isActive: false)
        .labeled("bottom-to-picture")
    }
  }

  // MARK: Content

  /// Shows `post`.
  ///
  /// - Parameters:
  ///   - screenHeight: the rows of the list; a picture takes at most two thirds of them.
  ///   - isRevealed: whether content that the post hides behind a warning is shown.
  ///   - marks: `nil` if the timeline keeps none.
  func configure(
    with post: Post, info: TimelineInfo, screenHeight: Int, isRevealed: Bool = false,
    marks: ShownMarks? = nil
  ) {
    self.marks = marks
    let now = context.clock.now
    let cover = PostCover(of: post)
    self.isRevealed = cover == nil ? nil : isRevealed
    let hidden = isRevealed ? nil : cover
    if let hidden, hidden.extent == .post { return fold(into: hidden) }
    times = PostTimes(of: post, hidden: hidden, isRevealed: isRevealed, now: now)
    header.show(post, info: info, now: now, context: context, marks: marks)
    if context.pictures.showsPictures {
      avatar.show(of: post, named: header.name.text, info: info, priority: picturePriority)
    }
    column.show(
      post, cover: cover, isRevealed: isRevealed, now: now, screenHeight: screenHeight,
      priority: picturePriority)
  }

  /// Shows only the reason why the post is folded.
  private func fold(into cover: PostCover) {
    times = nil
    header.clear()
    avatar.clear()
    column.fold(into: cover)
  }

  override func prepareForReuse() {
    avatar.presenter.clear()
    column.prepareForReuse()
  }

  // MARK: Pictures

  private var presenters: [ImagePresenter] { [avatar.presenter] + column.presenters }

  /// The priority of this cell's pictures, depending on whether the cell is on the screen.
  var picturePriority = ImagePriority.near {
    didSet {
      guard picturePriority != oldValue else { return }
      for presenter in presenters { presenter.priority = picturePriority }
    }
  }

  /// A cell with pictures that are being loaded is not kept, as their requests are cancelled with
  /// it.
  override var canBeRetained: Bool { presenters.allSatisfy(\.isAtRest) }

  /// Requests failed pictures again.
  ///
  /// - Returns: whether any had failed.
  func retryPictures() -> Bool { presenters.reduce(false) { $1.tryAgain() || $0 } }

  // MARK: Layout

  override func heightThatFits(width: Int) -> Int {
    // Depends on the width and the content, outside the constraints.
    header.adapt(toWidth: width, rowsAbove: marks?.lineRows ?? 0)
    column.adapt(
      toColumns: avatar.adapt(toWidth: width, indent: indent, hasMarks: marks != nil))
    switchBottom(width: width)
    return super.heightThatFits(width: width)
  }

  override func layout(width: Int, height: Int) {
    super.layout(width: width, height: height)
    for presenter in presenters { presenter.frameDidChange() }
  }

  /// Lays the cell out, compares the rounded bottoms and attaches the cell's bottom to the lowest
  /// one; to the text's, if that is as low.
  private func switchBottom(width: Int) {
    layoutIfNeeded(width: width, height: nil)
    var lowest = (constraint: textBottom, line: column.footer.frame.maxY)
    let others: [(LayoutConstraint?, View?)] = [
      (avatarBottom, avatar.view), (pictureBottom, column.lastBeside),
    ]
    for (constraint, view) in others {
      if let view, view.frame.maxY > lowest.line { lowest = (constraint, view.frame.maxY) }
    }
    guard lowest.constraint?.isActive == false else { return }
    // No two of the constraints are ever active at once.
    for constraint in [textBottom, avatarBottom, pictureBottom] { constraint?.isActive = false }
    lowest.constraint?.isActive = true
  }

  /// Beside pictures, the text at a line is what stays in place.
  override func place(atLine line: Int) -> Place {
    guard column.lastBeside != nil else { return super.place(atLine: line) }
    let first = providers.count - column.placeProviders.count
    let isPicture = providers.indices.map { column.isPicture($0 - first) }
    let place = place(atLine: line, among: { !isPicture[$0] })
    guard place.part <= 0, line >= column.footer.frame(in: self).maxY else { return place }
    let picture = self.place(atLine: line, among: { isPicture[$0] })
    return picture.part > 0 ? picture : place
  }

  // MARK: Drawing

  /// - Complexity: O(lines, times the runs of their paragraphs).
  override var matchLines: [Int] {
    providers.flatMap { provider -> [Int] in
      guard let label = provider as? Label, !label.text.isEmpty, label.frame.height > 0 else {
        return []
      }
      let top = label.frame(in: self).minY
      let text = label.textFrame(width: max(1, label.frame.width))
      return text.lines.indices.filter { text.isMarked(line: $0) }.map { top + $0 }
    }
  }

  override func drawSelectionMark(in canvas: inout Canvas, at origin: Point) {
    SelectionBar.draw(for: self, below: marks?.lineRows ?? 0, in: &canvas, at: origin)
  }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    super.draw(in: &canvas, at: origin)
    PostEnd.draw(in: &canvas, at: origin, of: self, below: header.name.frame(in: self).minX)
    guard let marks else { return }
    let columns = min(frame.width, context.reading.rowWidth)
    marks.drawLine(in: &canvas, at: origin, columns: columns, theme: theme)
    guard marks.isUnread else { return }
    let name = header.name.frame(in: self)
    canvas.draw(
      ShownMarks.unreadMark, at: origin.offset(dx: name.minX - 2, dy: name.minY),
      style: theme.style(for: .tag), maximumWidth: 1)
  }
}
