import ConstraintLayout
import Feeds
import Geometry
import Terminal
import TerminalViews
import TextLayout

/// A post on one line:
///
///     ▌ • name          title or first words …            age
///
/// 1. The mark of an unread post has a column only if the source keeps such marks.
/// 2. The columns of mark and name are the same on all rows, so that the titles line up. On a row
///    without a name the title begins in the name's column.
/// 3. On a narrow row the title is truncated first; then the name is left out, and at last the age.
/// 4. The first post that is not new has the line between new and older posts above it.
@MainActor final class HeadlineCell: PostRowCell {
  static let identifier = "headline"
  /// The height of a headline without a line above it.
  static let lines = 1
  /// The height of the line above a headline; no blank line follows it.
  static let linesAbove = 1

  /// The minimum widths of a row with a name, and of a row with an age.
  private static let leastWidth = (name: 40, age: 24)
  /// The columns of the name: the row's width divided by `share`, but at most `most`.
  private static let nameColumns = (share: 5, most: 20)
  /// The columns before the mark, and those of the mark with the space after it.
  private static let (margin, markColumns) = (2, 2)

  private let mark = Label(name: "mark", numberOfLines: 1)
  private let nameLabel = Label(name: "name", numberOfLines: 1)
  private let title = Label(name: "title", numberOfLines: 1)
  private let ageLabel = Label(name: "age", numberOfLines: 1)
  private var widths: (start: LayoutConstraint, name: LayoutConstraint, gap: LayoutConstraint)?
  private var ageGap: LayoutConstraint?
  private var tops: [LayoutConstraint] = []
  /// The texts for a row that is wide enough.
  private var texts = (name: StyledText(), age: StyledText())

  init(context: PostCell.Context) {
    super.init(name: "headline", context: context)
    for label in [mark, nameLabel, title, ageLabel] {
      addSubview(label)
      tops.append(label.top())
    }
    makeConstraints()
  }

  private func makeConstraints() {
    title.setContentCompressionResistancePriority(.defaultLow, for: .horizontal)
    ageLabel.setContentCompressionResistancePriority(.required, for: .horizontal)
    mark.leading(offset: Double(Self.margin))
    widths = (
      start: nameLabel.leading(offset: Double(Self.margin)), name: nameLabel.width(0),
      gap: title.leading(to: nameLabel, edge: .trailing)
    )
    title.width(0, relation: .greaterThanOrEqual)
    title.height(Double(Self.lines))
    ageGap = title.trailing(to: ageLabel, edge: .leading, relation: .lessThanOrEqual)
    ageLabel.trailing(offset: -1)
    bottom(to: title)
  }

  static func register(_ context: PostCell.Context, in list: ListView) {
    let kind = LayoutClass(name: identifier)
    list.register(
      {
        let cell = HeadlineCell(context: context)
        cell.layoutClass = kind
        return cell
      }, forCellReuseIdentifier: identifier)
  }

  // MARK: Content

  /// Shows `post`.
  ///
  /// - Parameters:
  ///   - isRevealed: whether content that the post hides behind a warning is shown.
  ///   - marks: `nil` if the timeline keeps none.
  func configure(
    with post: Post, info: TimelineInfo, isRevealed: Bool = false, marks: ShownMarks? = nil
  ) {
    // The age, with its words, is set when the cell is laid out.
    if self.marks != marks { setNeedsLayout() }
    self.marks = marks
    let isUnread = marks?.isUnread ?? false
    let now = context.clock.now
    self.isRevealed = PostCover(of: post) == nil ? nil : isRevealed
    times = PostTimes(headerOf: post, now: now)
    mark.text =
      isUnread ? StyledText(ShownMarks.unreadMark, style: TextStyle(role: .tag)) : StyledText()
    title.text = context.marked(
      HeadlineText.title(of: post, isRevealed: isRevealed, isBold: isUnread))
    var age = PostText.time(of: post, isAlone: true, showsEdits: false, now: now)
    marks?.addWords(to: &age)
    texts = (name: context.marked(HeadlineText.name(of: post, in: info)), age: age)
  }

  /// The content depends on the row alone.
  override var canBeRetained: Bool { true }

  override var nextChange: Double? { ageLabel.text.isEmpty ? nil : super.nextChange }

  // MARK: Layout

  /// The rows of the line above the headline.
  private var rowsAbove: Int { marks?.lineAbove == nil ? 0 : Self.linesAbove }

  override func heightThatFits(width: Int) -> Int { Self.lines + rowsAbove }

  override func layout(width: Int, height: Int) {
    for top in tops { top.constant = Double(rowsAbove) }
    let hasName = width >= Self.leastWidth.name && !texts.name.isEmpty
    let start = Self.margin + (marks != nil ? Self.markColumns : 0)
    widths?.start.constant = Double(max(0, min(start, width - 1)))
    nameLabel.text = hasName ? texts.name : StyledText()
    let name = hasName ? min(Self.nameColumns.most, width / Self.nameColumns.share) : 0
    widths?.name.constant = Double(name)
    widths?.gap.constant = hasName ? 2 : 0
    ageLabel.text = width >= Self.leastWidth.age ? texts.age : StyledText()
    ageGap?.constant = ageLabel.text.isEmpty ? 0 : -2
    super.layout(width: width, height: height)
  }

  // MARK: Drawing

  override var matchLines: [Int] {
    [nameLabel, title].contains { label in
      label.frame.width > 0 && !label.text.isEmpty
        && label.textFrame(width: label.frame.width).isMarked(line: 0)
    } ? [rowsAbove] : []
  }

  override func drawSelectionMark(in canvas: inout Canvas, at origin: Point) {
    SelectionBar.draw(for: self, below: rowsAbove, spacing: 0, in: &canvas, at: origin)
  }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    super.draw(in: &canvas, at: origin)
    marks?.drawLine(in: &canvas, at: origin, columns: frame.width, theme: theme)
  }
}
