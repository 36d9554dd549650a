import TerminalViews
import VirtualList

extension ListPane {
  /// The largest counts of lines, pages and key presses carried out before a frame is drawn.
  private static let linesAtOnce = 512
  private static let pagesAtOnce = 8
  private static let pressesAtOnce = 256

  func makeCommands() -> CommandTable {
    let table = CommandTable()
    table.add(Self.moves + Self.jumps, of: self, below: .move)
    table.remark("5j 12G 50%", "counts: five down, the twelfth, the middle", below: .move)
    table.remark(
      "mouse", "wheel scrolls, click selects, the bar drags; a click on a link opens it",
      below: .screen)
    table.remark(
      "Shift-mouse", "the terminal selects text; after :set mouse off it does without Shift",
      below: .screen)
    return table
  }

  private static let moves: [Command<ListPane>] = [
    Command(
      "next", "j", "down", "ctrl-n",
      help: "next; what goes on below the screen is shown first",
      maximumAtOnce: pressesAtOnce
    ) { pane, call in
      let row = pane.currentRow
      let hasMoved = pane.moving(call) {
        if call.isCounted {
          pane.listView.moveSelection(byRows: call.times)
        } else {
          pane.listView.selectNext(call.times)
        }
      }
      if !call.isCounted, pane.currentRow > row { pane.onStepDown?(row..<pane.currentRow) }
      let isLast = pane.listView.isAtEnd && pane.currentRow == pane.rowCount - 1
      return isLast || !hasMoved ? .exhausted : .done
    },
    Command(
      "previous", "k", "up", "ctrl-p",
      help: "previous; what goes on above the screen is shown first",
      maximumAtOnce: pressesAtOnce
    ) { pane, call in
      let hasMoved = pane.moving(call, down: false) {
        if call.isCounted {
          pane.listView.moveSelection(byRows: -call.times)
        } else {
          pane.listView.selectPrevious(call.times)
        }
      }
      let isFirst = pane.listView.isAtTop && pane.currentRow == 0
      return isFirst || !hasMoved ? .exhausted : .done
    },
    Command(
      "next-top", "J", help: "next to the top of the screen, however long they are",
      maximumAtOnce: pressesAtOnce
    ) { pane, call in
      let hasMoved = pane.moving(call) {
        pane.listView.moveSelection(byRows: call.times, at: .top)
      }
      return pane.currentRow == pane.rowCount - 1 || !hasMoved ? .exhausted : .done
    },
    Command(
      "previous-top", "K",
      help: "previous to the top of the screen; first the one that is cut there",
      maximumAtOnce: pressesAtOnce
    ) { pane, call in
      let hasMoved = pane.moving(call, down: false) {
        let top = pane.listView.topPosition
        let isCut = top.map { $0.row == pane.currentRow && $0.line > 0 } ?? false
        pane.listView.moveSelection(byRows: (isCut ? 1 : 0) - call.times, at: .top)
      }
      let isFirst = pane.listView.isAtTop && pane.currentRow == 0
      return isFirst || !hasMoved ? .exhausted : .done
    },
    Command(
      "line-down", "ctrl-e", "wheel-down", help: "one line down; so does the wheel",
      maximumAtOnce: linesAtOnce
    ) { pane, call in pane.scroll(byLines: call.times, call) },
    Command("line-up", "ctrl-y", "wheel-up", help: "one line up", maximumAtOnce: linesAtOnce) {
      pane, call in pane.scroll(byLines: -call.times, call)
    },
    Command(
      "half-page-down", "ctrl-d", help: "half a page down", maximumAtOnce: 2 * pagesAtOnce
    ) { pane, call in pane.scroll(by: call.times, of: pane.listView.halfPageLines, call) },
    Command("half-page-up", "ctrl-u", help: "half a page up", maximumAtOnce: 2 * pagesAtOnce) {
      pane, call in pane.scroll(by: -call.times, of: pane.listView.halfPageLines, call)
    },
    Command(
      "page-down", "space", "page-down", help: "a page down", maximumAtOnce: pagesAtOnce
    ) { pane, call in pane.scroll(by: call.times, of: pane.listView.pageLines, call) },
    Command("page-up", "b", "page-up", "ctrl-b", help: "a page up", maximumAtOnce: pagesAtOnce) {
      pane, call in pane.scroll(by: -call.times, of: pane.listView.pageLines, call)
    },
  ]

  private static let jumps: [Command<ListPane>] = [
    Command("top", "g", "home", help: "the top; with a count, that row") { pane, call in
      if let row = call.count { return pane.goTo(row: row) }
      pane.noteJump()
      pane.moving(call, down: false) {
        pane.select(row: 0)
        pane.listView.scrollToTop()
      }
    },
    Command("end", "G", "end", help: "the end, and follow it; with a count, that row") {
      pane, call in
      if let row = call.count {
        pane.goTo(row: row)
        return .done
      }
      pane.noteJump()
      // An end that has to be searched for first is not reached yet.
      guard pane.interceptsNavigation?(.end) != true else { return .done }
      pane.moving(call) { pane.go(to: .end) }
      return .done
    },
    Command("percent", "%", help: "with a count: so far into the list") { pane, call in
      guard let percent = call.count else {
        return .refused("a number goes before it, as in 50\(call.keys?.label ?? " percent")")
      }
      pane.noteJump()
      pane.moving { pane.listView.scroll(toFraction: Double(min(percent, 100)) / 100) }
      return .done
    },
    Command("align-top", "z t", help: "selected row to the top; with a count, that row") {
      pane, call in pane.align(.top, call)
    },
    Command("align-middle", "z z", help: "selected row to the middle") { pane, call in
      pane.align(.middle, call)
    },
    Command("align-bottom", "z b", help: "selected row to the bottom") { pane, call in
      pane.align(.bottom, call)
    },
    Command(
      "show-new", ".", help: "show the new rows at the top; so does a click on their number"
    ) { pane, _ in pane.showNewRows() },
    Command(
      "jump-back", "' '", "ctrl-o",
      help: "back to the place before a jump such as g, G or a match; again for the one before"
    ) { pane, call in
      for _ in 0..<min(call.times, ReaderMoves.maximumPlaces) where !pane.jumpBack() {
        return .refused("no place to go back to")
      }
      return .done
    },
    Command("activate", "enter", help: "") { pane, _ in
      guard let onActivate = pane.onActivate, pane.rowCount > 0 else { return .passed }
      onActivate(pane.currentRow)
      return .done
    },
  ]

  /// Performs a move, and shows a message if it changes nothing.
  ///
  /// - Returns: whether the move changed anything. If not, neither will the rest of a large count:
  ///   with a last row taller than the screen, `999999999j` would otherwise go on for millions of
  ///   parts.
  @discardableResult
  private func moving(_ call: CommandCall, down: Bool = true, _ action: () -> Void) -> Bool {
    let before = (listView.topPosition, listView.indexPathForSelectedRow)
    moving(action)
    let after = (listView.topPosition, listView.indexPathForSelectedRow)
    guard before.1 == after.1, before.0?.row == after.0?.row, before.0?.line == after.0?.line
    else { return true }
    if call.keys?.last.isWheel != true {
      application?.tell(down ? "at the end" : "at the top", .hint)
    }
    return false
  }

  private func scroll(byLines lines: Int, _ call: CommandCall) -> CommandOutcome {
    moving(call, down: lines > 0) { listView.scroll(byLines: lines) }
    return outcome(ofMoveBy: lines)
  }

  private func scroll(by count: Int, of lines: Int, _ call: CommandCall) -> CommandOutcome {
    moving(call, down: count > 0) {
      scroll(byLines: count * lines, isAnimated: call.isAlone && abs(count) == 1)
    }
    return outcome(ofMoveBy: count)
  }

  private func outcome(ofMoveBy count: Int) -> CommandOutcome {
    (count > 0 ? listView.isAtEnd : listView.isAtTop) ? .exhausted : .done
  }

  private func goTo(row: Int) {
    noteJump()
    moving { if interceptsNavigation?(.row(row - 1)) != true { go(to: .row(row - 1)) } }
  }

  private func align(_ alignment: ScrollAlignment, _ call: CommandCall) -> CommandOutcome {
    guard rowCount > 0 else { return .passed }
    if let count = call.count, interceptsNavigation?(.row(count - 1)) == true { return .done }
    let row = min(call.count ?? currentRow + 1, rowCount) - 1
    let before = listView.topPosition
    moving {
      select(row: row)
      listView.scrollToRow(at: IndexPath(row: row), at: alignment)
    }
    if let after = listView.topPosition, let before, after == before {
      application?.tell("it stands there, as far as it can", .hint)
    }
    return .done
  }

  func showNewRows() {
    if interceptsNavigation?(.nextNew) == true { return }
    guard listView.newRowsAbove > 0 else {
      noteMove()
      application?.tell("nothing new", .hint)
      return
    }
    noteJump()
    moving {
      select(row: 0)
      listView.scrollToNewRows()
    }
  }
}
