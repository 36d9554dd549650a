import TerminalApp
import TerminalViews
import TextLayout
import TimelineStore

/// Finds matches in the posts of a timeline, in the background.
@MainActor final class TimelineMatches: MatchFinder {
  private let store: TimelineStore
  private unowned let pane: ListPane
  private let marks: SearchMarks
  var onChange: (() -> Void)?

  init(in store: TimelineStore, on pane: ListPane, marks: SearchMarks) {
    self.store = store
    self.pane = pane
    self.marks = marks
    store.search.onChange = { [weak self] in
      self?.onChange?()
      self?.pane.application?.setNeedsFrameSoon()
    }
  }

  func find(_ needle: TextNeedle, from row: Int, _ direction: SearchDirection) {
    store.search(for: needle, from: row, PostSearch.Direction(direction))
  }

  func end() { store.search.end() }

  func match(
    from row: Int, including includesIt: Bool, _ direction: SearchDirection
  ) -> SearchMatch {
    switch store.match(from: row, including: includesIt, PostSearch.Direction(direction)) {
    case .row(let row, let wrapped): .row(row, wrapped: wrapped)
    case .searching: .searching
    case .none: .none
    }
  }

  func mark(_ needle: TextNeedle?) {
    marks.needle = needle
    let list = pane.listView
    list.reconfigureRows(at: list.indexPathsForPreparedRows)
  }

  func matchLines(ofRow row: Int) -> [Int] {
    pane.listView.postRowCell(ofRow: row)?.matchLines ?? []
  }

  var omission: String { Self.omission(of: store.search.unreadableCount) }

  /// The words for a number of unreadable posts; empty for none.
  static func omission(of count: Int) -> String {
    count > 0 ? "\(count.counted("post")) could not be read" : ""
  }

  /// `"match 2 of 17"`.
  func progress(atRow row: Int) -> String {
    [matches(atRow: row), omission].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func matches(atRow row: Int) -> String {
    let (count, isAll) = store.matchCount
    let searching = store.search.progress.map { "searching \($0)%" } ?? ""
    guard count > 0 else { return isAll ? "no match" : searching }
    let percent = searching.isEmpty ? "" : ", \(searching)"
    let total = "\(count)\(isAll ? "" : "+")"
    guard row < store.count, let rank = store.matchNumber(ofRow: row) else {
      return "\(total) with a match\(percent)"
    }
    return "match \(rank) of \(total)\(percent)"
  }
}

extension PostSearch.Direction {
  fileprivate init(_ direction: SearchDirection) {
    self = direction == .forward ? .forward : .backward
  }
}
