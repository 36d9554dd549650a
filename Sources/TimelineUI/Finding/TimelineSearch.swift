import TerminalApp
import TerminalViews
import TextLayout
import TimelineStore
import VirtualList

/// The search of a timeline's screen: the text searched for, and the moves to its matches. Rules:
///
/// 1. Matches are marked in all visible posts, also while the text is typed.
/// 2. The list moves to a match only while the reader waits for it (`wish`): the reader's own moves
///    end the wait.
/// 3. Leaving the prompt with Esc returns to the place where it was opened.
@MainActor final class TimelineSearch {
  /// A match that the reader waits for.
  private struct AwaitedMatch {
    /// The row where the search for it begins; an identity, as rows come and go.
    var row: RowID
    var includesIt: Bool
    var direction: PostSearch.Direction
    /// The number of matches to advance.
    var steps = 1
    /// The pane's `moveCount` at the beginning.
    var moves: Int
    /// Whether the text is still being typed: if nothing is found, the reader returns to the start.
    var isTyped = false
  }

  /// The largest number of matches to advance, whatever count was typed.
  private static let matchesAtOnce = 1_000

  private let store: TimelineStore
  private unowned let pane: ListPane
  private let marks: SearchMarks
  private var wish: AwaitedMatch?
  /// The earlier search texts, oldest first.
  private var history: [String] = []
  /// The place where the prompt was opened, and the search until then.
  private var start: (place: ReaderPlace, row: Int, needle: TextNeedle?)?
  private var isMissing = false

  init(_ store: TimelineStore, on pane: ListPane, marks: SearchMarks) {
    self.store = store
    self.pane = pane
    self.marks = marks
    store.search.onChange = { [weak self] in
      self?.continueSearch()
      self?.pane.application?.setNeedsFrameSoon()
    }
  }

  private func tell(_ text: String, _ kind: StatusMessages.Kind = .information) {
    pane.application?.tell(text, kind)
  }

  // MARK: The prompt

  /// Opens the prompt for a search.
  func openPrompt() {
    guard let window = pane.application?.window else { return }
    start = (ReaderPlace(of: pane, in: store), pane.currentRow, marks.needle)
    let prompt = LinePrompt("/", history: history)
    prompt.onChange = { [weak self] in self?.typed($0) }
    prompt.onSubmit = { [weak self] text, history in
      self?.history = history
      self?.submitted(text)
    }
    prompt.onCancel = { [weak self] in self?.cancelled() }
    prompt.hintText = { [weak self] in
      [self?.progress ?? "", "Enter keeps the place", "Esc goes back", "↑ ↓ earlier ones"]
        .filter { !$0.isEmpty }.joined(separator: "   ")
    }
    prompt.open(in: window)
  }

  private func typed(_ text: String) {
    guard let start else { return }
    guard let needle = TextNeedle(text) else {
      wish = nil
      mark(nil)
      store.search.end()
      return moving { start.place.restore(in: pane, of: store) }
    }
    mark(needle)
    look(from: start.row, including: true, .forward, isTyped: true)
  }

  private func submitted(_ text: String) {
    let old = start?.needle
    start = nil
    // Without a new text, continue the earlier search.
    guard !text.isEmpty else {
      mark(old)
      return next(.forward) ? () : end()
    }
    wish?.isTyped = false
    if TextNeedle(text) == nil { return tell("there is nothing to look for", .refusal) }
    if isMissing { reportNoMatch() }
  }

  private func cancelled() {
    guard let start else { return }
    self.start = nil
    wish = nil
    mark(start.needle)
    if let needle = start.needle {
      store.search(for: needle, from: start.row, .forward)
    } else {
      store.search.end()
    }
    moving { start.place.restore(in: pane, of: store) }
  }

  // MARK: Moving to matches

  /// Searches for a text from the reader's row.
  ///
  /// - Returns: `false` if the text contains nothing to search for.
  @discardableResult func search(for text: String) -> Bool {
    guard let needle = TextNeedle(text) else { return false }
    history.append(text)
    search(for: needle)
    return true
  }

  private func search(for needle: TextNeedle) {
    mark(needle)
    look(from: pane.currentRow, including: true, .forward)
  }

  /// Goes to the next match or the previous one.
  ///
  /// - Returns: `false` if there is no search.
  func next(_ direction: PostSearch.Direction, steps: Int = 1) -> Bool {
    guard marks.needle != nil, store.count > 0 else { return marks.needle != nil }
    // The previous match is still awaited: its steps are added up.
    if let wish, wish.moves == pane.moveCount, wish.direction == direction {
      self.wish?.steps = min(wish.steps + min(steps, Self.matchesAtOnce), Self.matchesAtOnce)
      return true
    }
    if steps == 1, showNextLine(direction) { return true }
    look(from: pane.currentRow, including: false, direction, steps: min(steps, Self.matchesAtOnce))
    return true
  }

  private func look(
    from row: Int, including includesIt: Bool, _ direction: PostSearch.Direction, steps: Int = 1,
    isTyped: Bool = false
  ) {
    guard let needle = marks.needle else { return }
    isMissing = false
    let row = max(0, min(row, store.count - 1))
    guard store.count > 0 else {
      isMissing = true
      return
    }
    wish = AwaitedMatch(
      row: store.rowID(at: row), includesIt: includesIt, direction: direction, steps: steps,
      moves: pane.moveCount, isTyped: isTyped)
    store.search(for: needle, from: row, direction)
    continueSearch()
  }

  /// Goes to the awaited match if it is known.
  private func continueSearch() {
    guard let wish else { return }
    guard wish.moves == pane.moveCount else {
      self.wish = nil
      return
    }
    let row = store.row(of: wish.row) ?? pane.currentRow
    switch store.match(from: row, including: wish.includesIt, wish.direction) {
    case .row(let row, let wrapped):
      guard wish.steps == 1 else {
        self.wish?.row = store.rowID(at: row)
        self.wish?.includesIt = false
        self.wish?.steps -= 1
        return continueSearch()
      }
      self.wish = nil
      if wrapped, !wish.isTyped {
        tell(
          wish.direction == .forward
            ? "search wrapped to the top" : "search wrapped to the end")
      }
      show(row, wish.direction)
    case .searching: break
    case .none:
      self.wish = nil
      isMissing = true
      if wish.isTyped {
        moving { start?.place.restore(in: pane, of: store) }
      } else {
        reportNoMatch()
      }
    }
    pane.application?.setNeedsFrameSoon()
  }

  private func reportNoMatch() {
    tell("not found: \(marks.needle?.query ?? "")", .refusal)
  }

  private func moving(_ action: () -> Void) {
    pane.noteMove()
    action()
  }

  // MARK: Matches on the screen

  /// Shows a row with a match: without scrolling if the match is visible, otherwise with some lines
  /// above it.
  private func show(_ row: Int, _ direction: PostSearch.Direction) {
    moving {
      let list = pane.listView
      pane.select(row: row)
      list.scrollToRow(at: IndexPath(row: row), at: .nearest)
      let lines = matchLines(of: row)
      guard let line = direction == .forward ? lines.first : lines.last else { return }
      bring(line, of: row)
    }
  }

  /// Within a post that extends beyond the screen, goes to its next line with a match.
  private func showNextLine(_ direction: PostSearch.Direction) -> Bool {
    let list = pane.listView
    guard let row = list.indexPathForSelectedRow?.row,
      let frame = list.visibleFrames.first(where: { $0.row == row })
    else { return false }
    let lines = matchLines(of: row)
    let next =
      direction == .forward
      ? lines.first { frame.y + $0 >= list.frame.height } : lines.last { frame.y + $0 < 0 }
    guard let next else { return false }
    moving { bring(next, of: row) }
    return true
  }

  private func bring(_ line: Int, of row: Int) {
    let list = pane.listView
    let y = list.visibleFrames.first { $0.row == row }?.y
    if let y, (0..<list.frame.height).contains(y + line) { return }
    list.scrollToRow(at: IndexPath(row: row), at: .line(list.frame.height / 3 - line))
  }

  private func matchLines(of row: Int) -> [Int] {
    pane.listView.postCell(ofRow: row)?.matchLines ?? []
  }

  private func mark(_ needle: TextNeedle?) {
    guard needle != marks.needle else { return }
    marks.needle = needle
    let list = pane.listView
    list.reconfigureRows(at: list.indexPathsForPreparedRows)
  }

  // MARK: State

  /// Whether there is a search.
  var isActive: Bool { marks.needle != nil }

  /// Ends the search and removes its marks.
  func end() {
    wish = nil
    isMissing = false
    mark(nil)
    store.search.end()
  }

  /// The progress of the search: `"match 2 of 17"`; empty if there is none.
  var progress: String {
    guard marks.needle != nil else { return "" }
    let (count, isAll) = store.matchCount
    let searching = store.search.progress.map { "searching \($0)%" } ?? ""
    guard count > 0 else { return isAll ? "no match" : searching }
    let percent = searching.isEmpty ? "" : ", \(searching)"
    let total = "\(count)\(isAll ? "" : "+")"
    let row = pane.currentRow
    guard row < store.count, let rank = store.matchNumber(ofRow: row) else {
      return "\(total) with a match\(percent)"
    }
    return "match \(rank) of \(total)\(percent)"
  }
}
