import TerminalViews
import VirtualList

extension ListPane {
  /// Lines, pages and presses that are carried out before a frame is drawn in between.
  private static let linesAtOnce = 512
  private static let pagesAtOnce = 8
  private static let pressesAtOnce = 256

  func makeCommands() -> CommandTable {
    let table = CommandTable(of: self, Self.moves + Self.jumps)
    table.remark("5j 12G 50%", "counts: five down, the twelfth, the middle")
    table.remark("mouse", "wheel scrolls, click selects, the bar drags")
    return table
  }

  private static let moves: [Command<ListPane>] = [
    Command(
      "next", "j", "down", "ctrl-n", help: "next; what goes on below the screen is shown first",
      mostAtOnce: pressesAtOnce
    ) { pane, call in
      pane.moving { pane.listView.selectNext(call.times) }
      let isLast = pane.listView.isAtEnd && pane.currentRow == pane.rowCount - 1
      return isLast ? .exhausted : .done
    },
    Command(
      "previous", "k", "up", "ctrl-p",
      help: "previous; what goes on above the screen is shown first", mostAtOnce: pressesAtOnce
    ) { pane, call in
      pane.moving { pane.listView.selectPrevious(call.times) }
      return pane.listView.isAtTop && pane.currentRow == 0 ? .exhausted : .done
    },
    Command(
      "line-down", "ctrl-e", "wheel-down", help: "one line down; so does the wheel",
      mostAtOnce: linesAtOnce
    ) { pane, call in pane.scroll(byLines: call.times) },
    Command("line-up", "ctrl-y", "wheel-up", help: "one line up", mostAtOnce: linesAtOnce) {
      pane, call in pane.scroll(byLines: -call.times)
    },
    Command(
      "half-page-down", "ctrl-d", help: "half a page down", mostAtOnce: 2 * pagesAtOnce
    ) { pane, call in pane.scroll(by: call.times, of: pane.listView.halfPageLines, call) },
    Command("half-page-up", "ctrl-u", help: "half a page up", mostAtOnce: 2 * pagesAtOnce) {
      pane, call in pane.scroll(by: -call.times, of: pane.listView.halfPageLines, call)
    },
    Command(
      "page-down", "space", "page-down", help: "a page down", mostAtOnce: pagesAtOnce
    ) { pane, call in pane.scroll(by: call.times, of: pane.listView.pageLines, call) },
    Command("page-up", "b", "page-up", "ctrl-b", help: "a page up", mostAtOnce: pagesAtOnce) {
      pane, call in pane.scroll(by: -call.times, of: pane.listView.pageLines, call)
    },
  ]

  private static let jumps: [Command<ListPane>] = [
    Command("top", "g", "home", help: "the top; with a count, that row") { pane, call in
      if let row = call.count { return pane.goTo(row: row) }
      pane.moving {
        pane.select(row: 0)
        pane.listView.scrollToTop()
      }
    },
    Command("end", "G", "end", help: "the end, and follow it; with a count, that row") {
      pane, call in
      if let row = call.count { return pane.goTo(row: row) }
      pane.moving { if pane.takesOver?(.end) != true { pane.go(to: .end) } }
    },
    Command("percent", "%", help: "with a count: so far into the list") { pane, call in
      guard let percent = call.count else { return .passed }
      pane.noteMove()
      pane.listView.scroll(toFraction: Double(min(percent, 100)) / 100)
      return .done
    },
    Command("align-top", "z t", help: "selected row to the top") { pane, _ in pane.align(.top) },
    Command("align-middle", "z z", help: "selected row to the middle") { pane, _ in
      pane.align(.middle)
    },
    Command("align-bottom", "z b", help: "selected row to the bottom") { pane, _ in
      pane.align(.bottom)
    },
    Command(
      "show-new", ".", help: "show the new rows at the top; so does a click on their number"
    ) { pane, _ in pane.showNewRows() },
    Command("activate", "enter", help: "") { pane, _ in
      guard let onActivate = pane.onActivate, pane.rowCount > 0 else { return .passed }
      onActivate(pane.currentRow)
      return .done
    },
  ]

  private func scroll(byLines lines: Int) -> CommandOutcome {
    noteMove()
    listView.scroll(byLines: lines)
    return outcome(ofMoveBy: lines)
  }

  private func scroll(by count: Int, of lines: Int, _ call: CommandCall) -> CommandOutcome {
    noteMove()
    scroll(byLines: count * lines, isAnimated: call.isAlone && abs(count) == 1)
    return outcome(ofMoveBy: count)
  }

  private func outcome(ofMoveBy count: Int) -> CommandOutcome {
    (count > 0 ? listView.isAtEnd : listView.isAtTop) ? .exhausted : .done
  }

  private func goTo(row: Int) {
    moving { if takesOver?(.row(row - 1)) != true { go(to: .row(row - 1)) } }
  }

  private func align(_ alignment: ScrollAlignment) {
    noteMove()
    guard let index = listView.indexPathForSelectedRow else { return }
    listView.scrollToRow(at: index, at: alignment)
  }

  func showNewRows() {
    guard listView.newRowsAbove > 0 else {
      noteMove()
      application?.show(message: "nothing new")
      return
    }
    moving {
      select(row: 0)
      listView.scrollToNewRows()
    }
  }
}
