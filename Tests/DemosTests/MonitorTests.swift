import Geometry
import Terminal
import TerminalViews
import Testing
import TextLayout
import VirtualList

@testable import Demos
@testable import TerminalApp

/// Monitors of the list and of the fetch queue.
@MainActor @Suite struct MonitorTests {
  /// A thousand rows of two or three lines.
  private final class Rows: ListViewDataSource {
    func numberOfRows(in listView: ListView) -> Int { 1_000 }

    func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
      let cell = listView.dequeueReusableCell(TextCell.self, withIdentifier: "row", for: indexPath)
      cell.height = 2 + indexPath.row % 2
      return cell
    }

    func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
      RowID(UInt64(indexPath.row))
    }
  }

  private final class TextCell: ListViewCell {
    var height = 2 { didSet { setNeedsLayout() } }
    override func heightThatFits(width: Int) -> Int { height }
    override func layout(width: Int, height: Int) {
      frame.size = Size(width: width, height: height)
      markLaidOut()
    }
  }

  private let rows = Rows()

  private func open() -> (ListMonitor, ListPane, TerminalApplication) {
    let pane = ListPane()
    var number = 0
    pane.listView.register(
      {
        number += 1
        return TextCell(name: "\(number)")
      }, forCellReuseIdentifier: "row")
    pane.listView.dataSource = rows
    let application = TerminalApplication(
      pane, display: CanvasDisplay(size: Size(width: 80, height: 24)),
      scheduler: MainQueueScheduler(isManual: true))
    application.reducesMotion = true
    let monitor = ListMonitor(of: pane)
    monitor.add(to: application)
    application.begin()
    application.scheduler.run()
    return (monitor, pane, application)
  }

  private func lines(_ monitor: ListMonitor) -> [String] {
    var canvas = Canvas(size: Size(width: 35, height: 30))
    monitor.observe()
    monitor.page(size: canvas.size).draw(in: &canvas, area: canvas.bounds)
    return (0..<30).map { canvas.text(row: $0) }
  }

  @Test func theListsNumbersAreShown() throws {
    let (monitor, pane, application) = open()
    let list = pane.listView
    let statistics = list.statistics
    let first = lines(monitor)
    #expect(first.contains { $0.hasPrefix("A list of 1,000 rows") })
    #expect(first.contains { $0.hasPrefix("Cells \(statistics.createdCells) made, reused") })
    #expect(first.contains { $0.hasPrefix("Measured \(list.knownRows.grouped) of 1,000 rows") })
    #expect(first.contains { $0.hasPrefix("Anchor row 1, line 0") })
    // A block for each cell on the screen.
    let shown = try #require(first.first { $0.hasPrefix("on screen") })
    let numbers = shown.split(separator: " ").compactMap { Int($0) }
    #expect(numbers.count == min(6, statistics.visibleRows))
    pane.go(to: .row(500))
    application.scheduler.run()
    let moved = lines(monitor)
    #expect(moved.contains { $0.hasPrefix("Anchor row 501, line 0") })
    let strip = try #require(moved.first { $0.hasPrefix("▂") || $0.hasPrefix("▃") })
    #expect(strip.contains("·") && strip.last != "▂")
    #expect(list.statistics.createdCells < 40)
  }

  @Test func aFlingWithoutAnimationIsOneMove() {
    let (_, pane, application) = open()
    let call = application.window.sidePanel?.commands.command(named: "fling")
    #expect(call != nil)
    let fling = Fling(of: pane)
    fling.begin(down: true)
    application.scheduler.run()
    let top = pane.listView.topPosition?.row ?? 0
    #expect(top > 200 && top < 340, "\(top)")
    fling.begin(down: false)
    application.scheduler.run()
    #expect(pane.listView.topPosition?.row == 0)
  }

  @Test func aLowPanelKeepsWhatMatters() {
    var page = MonitorPage(.standard)
    page.add([("title", .plain)])
    page.space()
    page.add([("essential", .plain)], .essential)
    page.add([("explained", .plain)], .explanation)
    page.add([("detail", .plain)], .detail)
    func texts(_ height: Int) -> [String] {
      page.lines(fitting: height).map { $0.map(\.text).joined() }
    }
    #expect(texts(5) == ["title", "", "essential", "explained", "detail"])
    #expect(texts(4) == ["title", "essential", "explained", "detail"])
    #expect(texts(3) == ["title", "essential", "explained"])
    #expect(texts(1) == ["essential"])
    #expect(texts(0) == [] && texts(-1) == [])
  }

  @Test func whatHappensAtOnceSharesALine() {
    var log = QueueLog()
    log.add(.picture("3", "came"), at: .milliseconds(400))
    log.add(.picture("4", "cancelled"), at: .milliseconds(400))
    log.add(.picture("5", "cancelled"), at: .milliseconds(400))
    log.add(.picture("6", "cancelled"), at: .milliseconds(800))
    log.add(.other("row 1: 3 → 9 lines"), at: .milliseconds(800))
    #expect(
      log.latest == [
        "0.8 row 1: 3 → 9 lines", "0.8 picture 6 cancelled", "0.4 2 pictures cancelled",
        "0.4 picture 3 came",
      ])
  }
}
