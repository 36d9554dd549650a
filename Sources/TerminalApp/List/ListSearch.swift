import TerminalViews
import TextLayout
import VirtualList

/// Searches the text of a list's rows: `/`, `n` and `N`, until Esc. Rules:
///
/// 1. Rows are searched in batches, each in a turn of its own, starting from the reader: keys do
///    not wait for a search.
/// 2. The list scrolls to a match only if the reader has not moved since.
@MainActor final class ListSearch {
  private unowned let pane: ListPane
  /// The text of a row; `nil` if it has none.
  private let text: (Int) -> String?
  private var needle: TextNeedle? {
    didSet { if needle != oldValue { onNeedle?(needle) } }
  }
  /// Called with the text to mark when that changes; `nil` when the search has ended.
  var onNeedle: ((TextNeedle?) -> Void)?
  private var matcher = TextMatcher()
  /// The earlier search texts, oldest first.
  private var history: [String] = []
  /// Counts searches, so that batches of an earlier one are dropped.
  private var generation = 0

  /// The number of rows searched in a turn.
  private static let rowsAtOnce = 500

  /// Adds the search commands to `pane`, whose owner also owns this search.
  init(_ pane: ListPane, text: @escaping (Int) -> String?) {
    self.pane = pane
    self.text = text
    pane.commands.add(Self.commands, of: self)
  }

  private static let commands: [Command<ListSearch>] = [
    Command("search", "/", argument: "TEXT", help: "search") { search, call in
      guard call.argument.isEmpty else { return search.begin(call.argument) }
      search.openPrompt()
      return .done
    },
    Command("next-match", "n", help: "next match; a search wraps at the end") { search, _ in
      search.continueSearch(by: 1)
    },
    Command("previous-match", "N", help: "previous match") { search, _ in
      search.continueSearch(by: -1)
    },
    Command("end-search", "escape", help: "end the search") { search, _ in
      guard search.needle != nil else { return .passed }
      search.needle = nil
      search.generation += 1
      return .done
    },
  ]

  private func openPrompt() {
    guard let window = pane.application?.window else { return }
    let prompt = LinePrompt("/", history: history)
    prompt.onSubmit = { [weak self] text, history in
      guard let self else { return }
      self.history = history
      // Without a new text, continue the current search.
      let outcome = text.isEmpty ? continueSearch(by: 1) : begin(text)
      if case .refused(let reason) = outcome { pane.application?.tell(reason, .refusal) }
    }
    prompt.hintText = { "Enter searches   Esc goes back   ↑ ↓ earlier ones" }
    prompt.open(in: window)
  }

  private func begin(_ text: String) -> CommandOutcome {
    guard let needle = TextNeedle(text) else { return .refused("there is nothing to look for") }
    self.needle = needle
    generation += 1
    let row = pane.currentRow
    look(SearchPass(origin: row - 1, start: row, step: 1))
    return .done
  }

  /// Goes to the next match in the direction `step`; the reader's own row comes last.
  private func continueSearch(by step: Int) -> CommandOutcome {
    guard needle != nil else { return .refused("nothing was searched for yet") }
    guard pane.rowCount > 0 else { return .refused("there is nothing to search here") }
    generation += 1
    let row = pane.currentRow
    let last = pane.rowCount - 1
    let start = step > 0 ? (row < last ? row + 1 : 0) : (row > 0 ? row - 1 : last)
    look(SearchPass(origin: row, start: start, step: step))
    return .done
  }

  /// A pass over all rows.
  private struct SearchPass {
    /// The row before the first one; at or behind it, the search has wrapped.
    var origin: Int
    var start: Int
    /// 1 or -1.
    var step: Int

    func row(_ place: Int, of count: Int) -> Int {
      ((start + step * place) % count + count) % count
    }

    func hasWrapped(at row: Int) -> Bool { step > 0 ? row <= origin : row >= origin }
  }

  /// Searches the rows after the first `seen` ones of the pass.
  private func look(_ round: SearchPass, after seen: Int = 0) {
    let count = pane.rowCount
    guard let needle, seen < count else {
      pane.application?.tell("not found: \(needle?.query ?? "")", .refusal)
      return
    }
    let end = min(count, seen + Self.rowsAtOnce)
    for place in seen..<end {
      let row = round.row(place, of: count)
      guard let text = text(row), matcher.contains(needle, in: text) else { continue }
      return show(row, in: round)
    }
    let (moves, generation) = (pane.moveCount, generation)
    pane.application?.scheduler.later { [weak self] in
      guard let self, self.generation == generation, pane.moveCount == moves else { return }
      look(round, after: end)
    }
  }

  private func show(_ row: Int, in round: SearchPass) {
    pane.moving {
      pane.select(row: row)
      pane.listView.scrollToRow(at: IndexPath(row: row), at: .nearest)
    }
    if round.hasWrapped(at: row) {
      pane.application?.tell("search wrapped to the \(round.step > 0 ? "top" : "end")")
    }
    pane.application?.setNeedsFrame()
  }
}
