import Geometry
import Inspector
import Terminal
import TerminalApp
import TerminalViews
import TextLayout
import VirtualList

/// Shows how a list works while it scrolls: its cells and what each is kept for, which rows are
/// measured, and the anchor, the only scroll state. All of it is read from the list in each frame.
@MainActor final class ListMonitor: MonitorPanel {
  /// The state of a row, drawn as one column of a strip.
  private enum RowState { case visible, measured, estimated, none }

  /// Work between two frames in which the top edge moved.
  private struct Work: Hashable {
    var measured = 0
    var reused = 0
  }

  private let fling: Fling
  private var before: ListView.Statistics?
  private var top: (row: Int, line: Int)?
  private var lastMove = Work()

  override init(of pane: ListPane) {
    fling = Fling(of: pane)
    super.init(of: pane)
  }

  private static let commands: [Command<ListMonitor>] = [
    Command("fling", "f", help: "fling the list down; again: faster") { monitor, _ in
      monitor.fling.begin(down: true)
    },
    Command("fling-up", "d", help: "fling the list up") { monitor, _ in
      monitor.fling.begin(down: false)
    },
  ]

  override func makeCommands() -> CommandTable {
    CommandTable(of: self, Self.commands, below: .inspector)
  }

  override var hint: String? {
    "f flings   d flings back   50% middle   g G ends   ? help   q quit"
  }

  override func didClose() { fling.end() }

  override func observe() {
    let now = pane.listView.statistics
    let position = pane.listView.topPosition
    if let before, let old = top, let position, old != position {
      lastMove = Work(
        measured: now.measuredRows - before.measuredRows,
        reused: now.reusedCells - before.reusedCells)
    }
    (before, top) = (now, position)
  }

  // MARK: Drawing

  override func page(size: Size) -> MonitorPage {
    let list = pane.listView
    var page = MonitorPage(theme)
    page.add("A list of \(list.numberOfRows.grouped) rows")
    page.space()
    addCells(of: list, to: &page, width: size.width)
    page.space()
    addHeights(of: list, to: &page, width: size.width)
    page.space()
    addAnchor(of: list, to: &page)
    return page
  }

  private func addCells(of list: ListView, to page: inout MonitorPage, width: Int) {
    let (body, quiet) = (theme.style(for: TextStyle.body), theme.style(for: .secondary))
    let (made, reused) = (list.statistics.createdCells, list.statistics.reusedCells)
    page.add("Cells", "\(made) made, reused \(reused.grouped) times", .essential)
    let cells = list.cellStatuses
    let kinds: [(ListView.CellStatus.Purpose, String)] = [
      (.visible, "on screen"), (.ready, "ready"), (.idle, "waiting"),
    ]
    for (purpose, name) in kinds {
      let names = cells.filter { $0.purpose == purpose }.map(\.cell.name)
      let inLine = max(1, (width - 10) / 4)
      var isFirst = true
      repeat {
        let start = isFirst ? 0 : inLine
        var parts: [MonitorPage.Part] = [
          (MonitorPage.padded(isFirst ? name : "", to: 10), quiet)
        ]
        for name in names.dropFirst(start).prefix(inLine) {
          parts.append((MonitorPage.centered(name, in: 3), theme.block(UInt64(name) ?? 0)))
          parts.append((" ", body))
        }
        if names.isEmpty { parts.append(("–", quiet)) }
        if names.count > 2 * inLine, !isFirst { parts[parts.count - 2] = (" … ", quiet) }
        page.add(parts, purpose == .visible && isFirst ? .essential : isFirst ? .content : .detail)
        guard isFirst, names.count > inLine else { break }
        isFirst = false
      } while true
    }
  }

  private func addHeights(of list: ListView, to page: inout MonitorPage, width: Int) {
    let (body, quiet) = (theme.style(for: TextStyle.body), theme.style(for: .secondary))
    let (mark, code) = (theme.markStyle, theme.style(for: .code))
    page.add("Measured", "\(list.knownRows.grouped) of \(list.numberOfRows.grouped) rows")
    page.add(
      nearby(list, width: width).map { state in
        switch state {
        case .visible: ("█", mark)
        case .measured: ("▒", code)
        case .estimated: ("░", quiet)
        case .none: (" ", body)
        }
      }, .essential)
    page.add(
      [
        ("█", mark), (" on screen ", quiet), ("▒", code), (" measured ", quiet),
        ("░ guessed", quiet),
      ], .explanation)
    let mean = Double(list.statistics.totalHeight) / Double(max(1, list.numberOfRows))
    let guess = InspectorNumber.words(mean, "line")
    page.addNote("others are guessed at \(guess)", .detail)
    page.space()
    page.add("Whole list", "about \(list.statistics.totalHeight.grouped) lines")
    let strip = measuredShares(list, columns: width)
    page.add(strip.map { ($0, $0 == "·" ? quiet : code) }, .essential)
    let blanks = String(repeating: " ", count: thumbColumn(list, columns: width))
    page.add([(blanks, body), ("▲", mark)])
    page.addNote("higher: more rows measured there", .detail)
  }

  /// One state for each of the rows around the top edge.
  ///
  /// - Complexity: O(width · log n).
  private func nearby(_ list: ListView, width: Int) -> [RowState] {
    let visible = list.visibleRows ?? 0..<0
    let first = visible.lowerBound - max(0, width - visible.count) / 2
    return (first..<first + width).map { row in
      guard (0..<list.numberOfRows).contains(row) else { return .none }
      if visible.contains(row) { return .visible }
      return list.knownRows(in: row..<row + 1) > 0 ? .measured : .estimated
    }
  }

  /// A character for each part of the list, the higher the more of its rows are measured, on a
  /// scale of powers of four.
  ///
  /// - Complexity: O(columns · log n).
  private func measuredShares(_ list: ListView, columns: Int) -> [String] {
    let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return (0..<columns).map { column in
      let share = list.numberOfRows / columns
      let end = column + 1 == columns ? list.numberOfRows : share * (column + 1)
      let known = list.knownRows(in: share * column..<end)
      guard known > 0 else { return "·" }
      let power = (Int.bitWidth - known.leadingZeroBitCount - 1) / 2
      return blocks[min(power, blocks.count - 1)]
    }
  }

  private func thumbColumn(_ list: ListView, columns: Int) -> Int {
    let thumb = list.statistics.thumb
    let room = list.frame.height * 8 - thumb.length
    return room > 0 ? min(columns - 1, thumb.start * (columns - 1) / room) : 0
  }

  private func addAnchor(of list: ListView, to page: inout MonitorPage) {
    guard let top = list.topPosition, let place = list.topPlace?.place else { return }
    let inside = place.part > 0 ? "letter \(place.offset)" : "line \(top.line)"
    page.add("Anchor", "row \((top.row + 1).grouped), \(inside)", .essential)
    page.addNote("all that scrolling remembers", .explanation)
    let thumb = list.statistics.thumb
    let room = max(1, list.frame.height * 8 - thumb.length)
    let share = InspectorNumber.text((Double(thumb.start) * 1000 / Double(room)).rounded() / 10)
    page.add("Thumb", "\(share) % down, by the guesses")
    page.add("Last move", "\(lastMove.measured) measured, \(lastMove.reused) reused")
  }
}
