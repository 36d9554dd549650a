import TerminalApp
import TerminalViews

/// Switches a timeline's list between posts and headlines, and keeps the reader's place. Rules:
///
/// 1. The post at the top edge stays there, and the selected one stays selected. If the selected
///    post is then off the screen, since posts are taller than headlines, it goes to the top edge.
/// 2. A reader who has not moved since the last switch returns to the exact line.
@MainActor final class PostViewSwitch {
  private unowned let pane: ListPane
  private let timeline: PostListContent
  /// The reader's place in the other view, and the pane's `moveCount` after the switch from it.
  private var left: (place: ReaderPlace, moves: Int)?

  init(_ timeline: PostListContent, on pane: ListPane) {
    (self.timeline, self.pane) = (timeline, pane)
  }

  /// The current view.
  var view: PostView { timeline.view }

  func show(_ view: PostView) {
    guard view != timeline.view else { return }
    let list = pane.listView
    guard !list.frame.size.isEmpty else { return timeline.show(view) }
    let place = ReaderPlace(of: pane)
    let selected = list.indexPathForSelectedRow
    let back = left.flatMap { $0.moves == pane.moveCount ? $0.place : nil }
    pane.noteMove()
    timeline.show(view)
    if let back {
      back.restore(in: pane)
    } else if let selected, !list.isSelectionVisible {
      list.scrollToRow(at: selected, at: .top)
    }
    left = (place, pane.moveCount)
    pane.application?.setNeedsFrame()
  }

  /// The setting `view`.
  var setting: Setting {
    Setting(
      "view", values: PostView.allCases.map(\.rawValue),
      help: "whether each post is shown whole or on one line",
      current: { [unowned self] in view.rawValue },
      change: { [unowned self] value in
        guard let view = PostView(rawValue: value) else { return .passed }
        show(view)
        return .done
      })
  }
}
