import TerminalViews
import TextLayout
import VirtualList

/// Searches the rows of a list: `/`, `n` and `N`, until Esc. Rules:
///
/// 1. Matches are marked in all visible rows, also while the text is typed.
/// 2. The list moves to a match only while the reader waits for it (`awaited`): the reader's own
///    moves end the wait.
/// 3. Leaving the prompt with Esc returns to the place where it was opened.
@MainActor package final class ListSearch {
  /// A match that the reader waits for.
  private struct AwaitedMatch {
    /// The row where the search for it begins; an identity, as rows come and go.
    var row: RowID
    /// Whether a match in that row itself counts.
    var includesIt: Bool
    var direction: SearchDirection
    /// The number of matches to advance.
    var steps = 1
    /// The pane's `moveCount` at the beginning.
    var moves: Int
    /// Whether the text is still being typed: if nothing is found, the reader returns to the start.
    var isTyped = false
  }

  /// The largest number of matches to advance, whatever count was typed.
  private static let matchesAtOnce = 1_000

  private unowned let pane: ListPane
  private let finder: any MatchFinder
  /// The text searched for; `nil` if there is no search.
  private var needle: TextNeedle?
  private var awaited: AwaitedMatch?
  /// The earlier search texts, oldest first.
  private var history: [String] = []
  /// The reader's place when the prompt was opened, and the text searched for until then.
  private var start: (place: ReaderPlace, row: Int, needle: TextNeedle?)?
  /// Whether the last search found no match.
  private var isMissing = false

  /// A search of the rows of `pane`, whose owner also owns this search.
  package init(on pane: ListPane, in finder: any MatchFinder) {
    self.pane = pane
    self.finder = finder
    finder.onChange = { [weak self] in self?.continueSearch() }
  }

  private func tell(_ text: String, _ kind: StatusMessages.Kind = .information) {
    pane.application?.tell(text, kind)
  }

  // MARK: The prompt

  /// Opens the prompt for a search.
  private func openPrompt() {
    guard let window = pane.application?.window else { return }
    start = (ReaderPlace(of: pane), pane.currentRow, needle)
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
      awaited = nil
      mark(nil)
      finder.end()
      return pane.moving { start.place.restore(in: pane) }
    }
    mark(needle)
    look(from: start.row, including: true, .forward, isTyped: true)
  }

  private func submitted(_ text: String) {
    let old = start?.needle
    if let place = start?.place, !text.isEmpty { pane.noteJump(from: place) }
    start = nil
    // Without a new text, continue the earlier search.
    guard !text.isEmpty else {
      mark(old)
      return next(.forward) ? () : end()
    }
    awaited?.isTyped = false
    if TextNeedle(text) == nil { return tell("there is nothing to look for", .refusal) }
    if isMissing { reportNoMatch() }
  }

  private func cancelled() {
    guard let start else { return }
    self.start = nil
    awaited = nil
    mark(start.needle)
    if let needle = start.needle {
      finder.find(needle, from: start.row, .forward)
    } else {
      finder.end()
    }
    pane.moving { start.place.restore(in: pane) }
  }

  // MARK: Moving to matches

  /// Searches for a text from the reader's row.
  ///
  /// - Returns: `false` if the text contains nothing to search for.
  private func search(for text: String) -> Bool {
    guard let needle = TextNeedle(text) else { return false }
    pane.noteJump()
    history.append(text)
    mark(needle)
    look(from: pane.currentRow, including: true, .forward)
    return true
  }

  /// Goes to the next match or the previous one.
  ///
  /// - Returns: `false` if there is no search.
  private func next(_ direction: SearchDirection, steps: Int = 1) -> Bool {
    guard needle != nil, pane.rowCount > 0 else { return needle != nil }
    // A match in the same direction is still awaited: the steps add up.
    if let awaited, awaited.moves == pane.moveCount, awaited.direction == direction {
      self.awaited?.steps = min(
        awaited.steps + min(steps, Self.matchesAtOnce), Self.matchesAtOnce)
      return true
    }
    if steps == 1, showNextLine(direction) { return true }
    pane.noteJump()
    look(from: pane.currentRow, including: false, direction, steps: min(steps, Self.matchesAtOnce))
    return true
  }

  private func look(
    from row: Int, including includesIt: Bool, _ direction: SearchDirection, steps: Int = 1,
    isTyped: Bool = false
  ) {
    guard let needle else { return }
    isMissing = false
    let row = max(0, min(row, pane.rowCount - 1))
    guard let id = pane.rowID(at: row) else {
      isMissing = true
      return
    }
    awaited = AwaitedMatch(
      row: id, includesIt: includesIt, direction: direction, steps: steps, moves: pane.moveCount,
      isTyped: isTyped)
    finder.find(needle, from: row, direction)
    continueSearch()
  }

  /// Goes to the awaited match if it is known.
  private func continueSearch() {
    guard let awaited else { return }
    guard awaited.moves == pane.moveCount else {
      self.awaited = nil
      return
    }
    let row = pane.row(of: awaited.row) ?? pane.currentRow
    switch finder.match(from: row, including: awaited.includesIt, awaited.direction) {
    case .row(let row, let wrapped):
      guard awaited.steps == 1 else {
        if let id = pane.rowID(at: row) { self.awaited?.row = id }
        self.awaited?.includesIt = false
        self.awaited?.steps -= 1
        return continueSearch()
      }
      self.awaited = nil
      if wrapped, !awaited.isTyped {
        tell(
          awaited.direction == .forward
            ? "search wrapped to the top" : "search wrapped to the end")
      }
      show(row, awaited.direction)
    case .searching: return
    case .none:
      self.awaited = nil
      isMissing = true
      if awaited.isTyped, let start {
        pane.moving { start.place.restore(in: pane) }
      } else {
        reportNoMatch()
      }
    }
    pane.application?.setNeedsFrameSoon()
  }

  private func reportNoMatch() {
    let omission = finder.omission
    let suffix = omission.isEmpty ? "" : " · \(omission)"
    tell("not found: \(needle?.query ?? "")\(suffix)", .refusal)
  }

  // MARK: Matches on the screen

  /// Shows a row with a match: without scrolling if the match is visible, otherwise with some lines
  /// above it.
  private func show(_ row: Int, _ direction: SearchDirection) {
    pane.moving {
      pane.select(row: row)
      pane.listView.scrollToRow(at: IndexPath(row: row), at: .nearest)
      let lines = finder.matchLines(ofRow: row)
      guard let line = direction == .forward ? lines.first : lines.last else { return }
      scrollToLine(line, of: row)
    }
  }

  /// Within a row that extends beyond the screen, goes to its next line with a match.
  ///
  /// - Returns: `false` if the row has no further one in that direction.
  private func showNextLine(_ direction: SearchDirection) -> Bool {
    let list = pane.listView
    guard let row = list.indexPathForSelectedRow?.row,
      let frame = list.visibleFrames.first(where: { $0.row == row })
    else { return false }
    let lines = finder.matchLines(ofRow: row)
    let next =
      direction == .forward
      ? lines.first { frame.y + $0 >= list.frame.height } : lines.last { frame.y + $0 < 0 }
    guard let next else { return false }
    pane.moving { scrollToLine(next, of: row) }
    return true
  }

  private func scrollToLine(_ line: Int, of row: Int) {
    let list = pane.listView
    let y = list.visibleFrames.first { $0.row == row }?.y
    if let y, (0..<list.frame.height).contains(y + line) { return }
    list.scrollToRow(at: IndexPath(row: row), at: .line(list.frame.height / 3 - line))
  }

  private func mark(_ needle: TextNeedle?) {
    guard needle != self.needle else { return }
    self.needle = needle
    finder.mark(needle)
  }

  // MARK: State

  /// Whether there is a search.
  package var isActive: Bool { needle != nil }

  /// Ends the search and removes its marks.
  private func end() {
    awaited = nil
    isMissing = false
    mark(nil)
    finder.end()
  }

  /// The progress of the search: `"match 2 of 17"`; empty if there is none, or if it is not known.
  package var progress: String {
    needle == nil ? "" : finder.progress(atRow: pane.currentRow)
  }

  // MARK: Commands

  /// The commands of a search.
  ///
  /// - Parameters:
  ///   - help: the help line of `/`.
  ///   - search: the search of a target; `nil` if it has none.
  ///   - leave: what Esc does if there is no search.
  package static func commands<Target>(
    help: String, of search: @escaping @MainActor (Target) -> ListSearch?,
    leave: @escaping @MainActor (Target) -> CommandOutcome = { _ in .passed }
  ) -> [Command<Target>] {
    typealias Action = @MainActor (Target, CommandCall) -> CommandOutcome
    func goToMatch(_ direction: SearchDirection) -> Action {
      { target, call in
        guard let search = search(target) else { return nothingToSearch }
        return search.next(direction, steps: call.times)
          ? .done : noSearch(in: search.pane.application)
      }
    }
    return [
      Command("search", "/", argument: "TEXT", help: help) { target, call in
        guard let search = search(target) else { return nothingToSearch }
        if call.argument.isEmpty {
          search.openPrompt()
        } else if !search.search(for: call.argument) {
          return .refused("there is nothing to look for")
        }
        return .done
      },
      Command(
        "next-match", "n", help: "next match; a search wraps at the end",
        action: goToMatch(.forward)),
      Command("previous-match", "N", help: "previous match", action: goToMatch(.backward)),
      Command("end-search", "escape", help: "end the search") { target, _ in
        guard let search = search(target), search.isActive else { return leave(target) }
        search.end()
        return .done
      },
    ]
  }

  /// The answer to `n` without a search.
  static func noSearch(in application: TerminalApplication?) -> CommandOutcome {
    let key = application?.keyLabel(of: "search", "/") ?? ""
    return .refused("no search is active" + (key.isEmpty ? "" : " · \(key) begins one"))
  }

  package static let nothingToSearch = CommandOutcome.refused("there is nothing to search here")
}
