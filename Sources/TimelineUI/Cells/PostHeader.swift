import ConstraintLayout
import Feeds
import TerminalViews
import TextLayout

/// The lines at the top of a post: who boosted it, then author, handle or source, and time.
///
/// If there is little room, the handle is cut first, then the name; the time never.
@MainActor final class PostHeader {
  let repost = Label(name: "repost", numberOfLines: 1)
  let name = Label(name: "name", numberOfLines: 1)
  private let handle = Label(name: "handle", numberOfLines: 1)
  private let time = Label(name: "time", numberOfLines: 1)
  private var top: LayoutConstraint?
  private var handleGap: LayoutConstraint?
  /// Whether neither a name nor a handle is known.
  private var isNameless = false
  /// The time of a post that was modified, with and without room to mention that.
  private var modifiedTimes: (wide: StyledText, narrow: StyledText)?

  /// The least width in which edits are mentioned.
  private static let minimumWidthForEdits = 36

  var labels: [Label] { [repost, name, handle, time] }

  /// - Parameter marks: those with words behind the time; `nil` if the timeline keeps none.
  func show(
    _ post: Post, info: TimelineInfo, now: Double, context: PostCell.Context, marks: ShownMarks?
  ) {
    repost.text = context.marked(PostText.repost(of: post))
    name.text = context.marked(PostText.name(of: post, in: info))
    handle.text = context.marked(PostText.handle(of: post))
    isNameless = name.text.isEmpty && handle.text.isEmpty
    func time(showsEdits: Bool) -> StyledText {
      var time = PostText.time(of: post, isAlone: isNameless, showsEdits: showsEdits, now: now)
      marks?.addWords(to: &time)
      return time
    }
    let wide = time(showsEdits: true)
    showTime(wide)
    modifiedTimes = post.modified.map { _ in (wide, time(showsEdits: false)) }
  }

  func clear() {
    for label in labels { label.text = StyledText() }
    modifiedTimes = nil
  }

  /// The view below is attached to the name, so without a name the time takes its place.
  private func showTime(_ text: StyledText) {
    if isNameless { name.text = text }
    time.text = isNameless ? StyledText() : text
  }

  /// Call this before the cell is laid out at a width of `width`, with `rowsAbove` rows above it.
  func adapt(toWidth width: Int, rowsAbove: Int) {
    top?.constant = Double(rowsAbove)
    if let modifiedTimes {
      showTime(width >= Self.minimumWidthForEdits ? modifiedTimes.wide : modifiedTimes.narrow)
    }
    handleGap?.constant = handle.text.isEmpty ? 0 : 1
  }

  func makeConstraints() {
    handle.setContentCompressionResistancePriority(.defaultLow, for: .horizontal)
    time.setContentCompressionResistancePriority(.required, for: .horizontal)
    top = repost.top()
    repost.leading(to: name)
    repost.trailing(offset: -1, relation: .lessThanOrEqual)
    name.top(to: repost, edge: .bottom)
    handle.top(to: name)
    time.top(to: name)
    handleGap = handle.leading(to: name, edge: .trailing)
    handle.width(0, relation: .greaterThanOrEqual)
    time.leading(to: handle, edge: .trailing, offset: 1)
    time.trailing(offset: -1, relation: .lessThanOrEqual)
  }
}
