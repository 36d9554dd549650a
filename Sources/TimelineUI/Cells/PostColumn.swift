import ConstraintLayout
import Feeds
import Geometry
import HTTP
import ImageLoading
import Pictures
import TerminalViews
import TextLayout

/// The parts of a post below its name.
///
/// 1. From top to bottom they are the title, the warning, a text, then for each picture itself, its
///    caption and, in a ``PostCell/Shape`` with pictures in the text, the text after it; at last
///    the footer. Tiles stand side by side (``PictureTiles``).
///    On a wide screen one or two pictures may stand beside the texts (``SidePictures``).
/// 2. All other parts begin below the first letter of the name; texts are at most as wide as the
///    reader wants.
/// 3. A part that shows nothing takes no line. ``PostSpacing`` decides which others have a blank
///    line above them.
@MainActor final class PostColumn {
  let footer = Label(name: "footer")
  private let context: PostCell.Context
  private let title = Label(name: "title")
  private let damage = Label(name: "damage")
  /// One label, or one more than there are pictures that are not tiles.
  private let texts: [Label]
  private let pictures: [CaptionedPicture]
  /// `nil` if all pictures stand in a single column.
  private let tiles: PictureTiles?
  /// `nil` if all pictures stand among the texts.
  private let side: SidePictures?
  private let parts: [(view: any PlaceProviding, part: PostSpacing.Part)]
  /// The rows of the list.
  private var screenHeight = 0
  /// The constraints of the space above each part.
  private var gaps: [[LayoutConstraint]] = []
  /// The constraints that limit the width of texts.
  private var widths: [LayoutConstraint] = []

  init(_ shape: PostCell.Shape, context: PostCell.Context) {
    self.context = context
    texts = (0..<shape.textCount).map {
      Label(name: shape.isInterleaved ? "content \($0)" : "content")
    }
    pictures = (0..<shape.pictureCount).map { CaptionedPicture(number: $0, context: context) }
    tiles = shape.tiledCount > 0 ? PictureTiles(pictures.suffix(shape.tiledCount)) : nil
    side = SidePictures.areUsed(in: shape) ? SidePictures() : nil
    var parts: [(view: any PlaceProviding, part: PostSpacing.Part)] = [
      (title, .title), (damage, .warning), (texts[0], .text),
    ]
    for (index, picture) in pictures.enumerated() {
      parts += [(picture.view, .picture), (picture.caption, .caption)]
      if index + 1 < texts.count { parts.append((texts[index + 1], .text)) }
    }
    self.parts = parts + [(footer, .footer)]
  }

  /// All views, each in front of those before it.
  var views: [View] {
    [title, damage, footer] + texts + pictures.map(\.caption) + pictures.map(\.view)
  }

  var placeProviders: [any PlaceProviding] { parts.map(\.view) }

  /// The lowest view beside the texts; `nil` if pictures stand among them.
  var lastBeside: View? { side?.isBeside == true ? lastCaption : nil }
  /// The lowest view of those that may stand beside the texts.
  var lastCaption: View? { side == nil ? nil : pictures.last?.caption }

  /// Whether a part, by its index, may stand beside the texts.
  func isPicture(_ index: Int) -> Bool {
    parts.indices.contains(index) && [.picture, .caption].contains(parts[index].part)
  }

  var presenters: [ImagePresenter] { pictures.map(\.presenter) }

  private var textWidth: Int { context.reading.columns }

  // MARK: Content

  /// - Parameters:
  ///   - screenHeight: the rows of the list; a picture takes at most two thirds of them.
  ///   - isRevealed: whether content that the post hides behind `cover` is shown.
  func show(
    _ post: Post, cover: PostCover?, isRevealed: Bool, now: Double, screenHeight: Int,
    priority: ImagePriority
  ) {
    let hidden = isRevealed ? nil : cover
    self.screenHeight = screenHeight
    title.text = context.marked(PostText.title(of: post))
    damage.text = context.marked(
      PostText.damage(
        of: post, cover: cover, isRevealed: isRevealed,
        hidesMatch: hidden != nil && context.marks.hasHiddenMatch(in: post)))
    let room = context.pictures.showsPictures ? pictures.count : 0
    let hidesPictures = hidden?.hides(.pictures) == true
    let shown = hidesPictures ? 0 : min(post.pictures.count, room)
    let named = hidesPictures ? [] : post.pictures[shown...]
    showTexts(of: hidden?.hides(.content) == true ? nil : post, room: room, naming: named)
    footer.text = context.marked(
      PostFooter(
        of: post, namedPictures: named, hidden: hidden, isRevealed: isRevealed, now: now
      ).text)
    for (index, picture) in pictures.enumerated() {
      guard index < shown else {
        picture.clear()
        continue
      }
      picture.show(
        post.pictures[index],
        above: index + 1 < texts.count ? texts[index + 1].text : StyledText(), reach: post.reach,
        maximumSize: maximumSize(of: picture), priority: priority)
    }
  }

  /// The largest size of a picture, as it stands now.
  private func maximumSize(of picture: CaptionedPicture) -> Size {
    if tiles?.index(of: picture.view) != nil {
      return PictureTiles.maximumSize(ofText: textWidth, screenHeight: screenHeight)
    }
    let height = side?.isBeside == true ? screenHeight / 3 : screenHeight * 2 / 3
    return Size(width: textWidth, height: max(3, height))
  }

  /// If only pictures are hidden, the texts and their places stay the same.
  private func showTexts(of post: Post?, room: Int, naming named: ArraySlice<Post.Picture>) {
    let shown =
      post.map { PostText.texts(of: $0, around: min(room, texts.count - 1), naming: named) } ?? []
    for (index, label) in texts.enumerated() {
      label.text = shown.indices.contains(index) ? context.marked(shown[index]) : StyledText()
    }
  }

  /// Shows only the reason why the post is folded.
  func fold(into cover: PostCover) {
    for label in [title, footer] + texts { label.text = StyledText() }
    var text = StyledText()
    cover.addReason(to: &text, isRevealed: false)
    damage.text = text
    for picture in pictures { picture.clear() }
  }

  /// Cancels the requests of all pictures.
  func prepareForReuse() { for picture in pictures { picture.prepareForReuse() } }

  // MARK: Layout

  /// Puts each part below the previous one, the first below `name`.
  func makeConstraints(below name: Label) {
    var above: View = name
    var textAbove: View = name
    /// The left edge of the last picture, in the text.
    var pictureLeading: [LayoutConstraint] = []
    for (view, part) in parts {
      if let tiles, let tile = tiles.index(of: view) {
        let isPicture = part == .picture
        gaps.append(isPicture ? tiles.place(tile, below: above, alignedTo: name) : [])
        continue
      }
      let leading = view.leading(to: name)
      view.trailing(offset: -1, relation: .lessThanOrEqual)
      if let tiles, part == .footer {
        gaps.append(tiles.below(view))
      } else {
        gaps.append([view.top(to: above, edge: .bottom)])
      }
      if part != .picture {
        view.trailing(offset: -1, priority: .defaultHigh)
        widths.append(view.width(Double(textWidth), relation: .lessThanOrEqual))
      }
      if let side, part == .caption {
        addBeside(view, inText: pictureLeading + [leading], to: side, leader: name)
      } else if let side, part != .picture, above !== textAbove {
        let beside = view.top(to: textAbove, edge: .bottom, isActive: false)
        side.add(textInText: gaps[gaps.count - 1][0], beside: beside)
        gaps[gaps.count - 1].append(beside)
      }
      if part == .picture { pictureLeading = [leading] }
      if part != .picture, part != .caption { textAbove = view }
      above = view
    }
  }

  /// Adds a picture, whose caption's constraints are the last ones made, to those beside the text.
  private func addBeside(
    _ caption: View, inText: [LayoutConstraint], to side: SidePictures, leader: View
  ) {
    guard let index = pictures.firstIndex(where: { $0.caption === caption }) else { return }
    side.add(
      pictures[index], inText: inText + gaps[gaps.count - 2], leader: leader,
      above: index > 0 ? pictures[index - 1].caption : nil)
  }

  /// Call this before the cell is laid out with `columns` for the text.
  func adapt(toColumns columns: Int) {
    for limit in widths { limit.constant = Double(textWidth) }
    // The text below a picture may begin with its caption.
    let hasCaption = texts.dropFirst().contains {
      $0.text.paragraphs.first.map(PostText.isCaption) ?? false
    }
    side?.adapt(
      toColumns: hasCaption ? 0 : columns, textWidth: textWidth,
      areShown: pictures.map { $0.view.placeholder != .none || !$0.caption.text.isEmpty })
    let isBeside = side?.isBeside == true
    if side != nil {
      for picture in pictures where picture.isShown {
        picture.view.maximumSize = maximumSize(of: picture)
      }
    }
    var spacing = PostSpacing()
    for (index, (view, part)) in parts.enumerated() {
      // Beside the text, a picture takes no part in the spaces between texts.
      let isAmongTexts = !isBeside || !isPicture(index)
      let rows =
        isAmongTexts ? shownPart(view, part).map { spacing.rows(above: $0) } ?? 0 : 0
      for gap in gaps[index] { gap.constant = Double(rows) }
    }
    tiles?.adapt(toColumns: columns, textWidth: textWidth)
  }

  /// The part that a view shows; `nil` if it shows nothing.
  private func shownPart(
    _ view: any PlaceProviding, _ part: PostSpacing.Part
  ) -> PostSpacing.Part? {
    if let picture = view as? ImageView { return picture.placeholder == .none ? nil : part }
    guard let label = view as? Label, !label.text.isEmpty else { return nil }
    guard part == .text, label !== texts[0], let first = label.text.paragraphs.first else {
      return part
    }
    return PostText.isCaption(first) ? .caption : .text
  }
}
