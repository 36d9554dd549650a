import Terminal
import TerminalViews
import TestSupport
import Testing

@testable import TimelineUI

/// Pictures that arrive late, in any order, while rows come, go and are used again.
///
/// 1. No line of a row ever shows a colour that is not of one of the row's own pictures.
/// 2. What arrives for rows that do not show changes no cell of the screen but the bar, nor does it
///    move the lines above the first row that it was for.
/// 3. In the end, when everything has arrived, what shows has its pictures.
@MainActor @Suite struct PictureOwnershipTests {
  /// How much was looked at: a test that looks at nothing proves nothing.
  private struct Work {
    var paintedLines = 0
    var quietFrames = 0
    var arrivals = 0
  }

  nonisolated private static let operations = Rounds.times(1_200)

  @Test(arguments: PictureRows.Caches.allCases)
  func noRowShowsThePictureOfAnother(_ caches: PictureRows.Caches) async {
    let share = Self.operations / PictureRows.Caches.allCases.count + 1
    let seed = UInt64(share)
    var random = SeededGenerator(seed: seed)
    let rows = PictureRows(seed: seed, caches: caches, count: 90)
    var work = Work()
    var frame = rows.frame()
    for step in 0..<share {
      let isArrival = Int.random(in: 0...9, using: &random) < 4
      rows.justArrived = []
      rows.justRendering = rows.pictures.rendering
      if isArrival {
        await arrive(rows, &random)
        work.arrivals += 1
      } else {
        change(rows, &random)
      }
      // Now and then cells are made ready, and brought up to date, between frames.
      if step % 3 == 0 { rows.list.prepareSurroundings(budget: step % 7) }
      let next = rows.frame(preparesSurroundings: step % 2 == 0)
      check(rows, next, &work, "\(caches), seed \(seed), step \(step)")
      if isArrival {
        compare(rows, frame, next, &work, "\(caches), seed \(seed), step \(step)")
      }
      frame = next
    }
    // What has failed is asked for again.
    await settle(rows)
    for url in rows.arrived { rows.pictures.loader.tryAgain(url) }
    rows.list.frame.size.width = 49
    rows.list.reloadData()
    await settle(rows)
    expectAllPainted(rows, "\(caches), seed \(seed)")
    #expect(rows.errors.isEmpty)
    #expect(work.paintedLines > share / 4, "\(work)")
    // How many frames are quiet depends on when pictures are drawn, thus on what else runs.
    #expect(work.quietFrames > 0, "\(work)")
  }

  /// What is on its way goes with its cell; what has come stays with it.
  @Test func cellsOfRowsThatLeftWaitWhenNothingIsUnderWay() async throws {
    let rows = PictureRows(seed: 7, caches: .all, count: 90)
    let list = rows.list
    func kept() -> [Int] { list.indexPathsForPreparedRows.map(\.row).filter { $0 < 30 } }
    _ = rows.frame()
    let visible = try #require(list.visibleRows)
    let pictured = visible.filter { !rows.rows[$0].urls.isEmpty }
    #expect(!pictured.isEmpty)
    list.scrollToEnd()
    _ = rows.frame()
    #expect(Set(kept()).isDisjoint(with: pictured))
    list.scrollToTop()
    await settle(rows)
    let shown = try #require(list.visibleRows)
    func bindings() -> [Int?] {
      shown.map { list.cellForRow(at: IndexPath(row: $0))?.bindingGeneration }
    }
    let before = bindings()
    list.scrollToEnd()
    _ = rows.frame()
    #expect(Set(shown).isSubset(of: kept()))
    list.scrollToTop()
    var work = Work()
    check(rows, rows.frame(), &work, "back at the top")
    #expect(work.paintedLines > 0)
    #expect(bindings() == before)
  }

  // MARK: What happens

  /// An answer, or only time for what is on its way.
  private func arrive(_ rows: PictureRows, _ random: inout SeededGenerator) async {
    if let url = rows.transport.waiting.randomElement(using: &random) {
      rows.transport.answer(url, fails: Int.random(in: 0...9, using: &random) == 0)
    }
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      await Task.yield()
      // What begins and ends within the step is under way only here.
      rows.justRendering.formUnion(rows.pictures.rendering)
    }
  }

  private func change(_ rows: PictureRows, _ random: inout SeededGenerator) {
    let list = rows.list
    let row = Int.random(in: 0..<rows.rows.count, using: &random)
    let near = list.visibleRows?.randomElement(using: &random) ?? row
    if Bool.random(using: &random) { rows.pictures.deferRequests() }
    switch Int.random(in: 0...29, using: &random) {
    case 0...12: list.scroll(byLines: Int.random(in: -30...30, using: &random))
    case 13: list.scroll(byPages: Bool.random(using: &random) ? 1 : -1)
    case 14: list.scrollToRow(at: IndexPath(row: row), at: .middle)
    case 15: if row % 2 == 0 { list.scrollToEnd() } else { list.scrollToTop() }
    case 16...18:
      rows.change(row: near)
      list.reloadRows(at: [IndexPath(row: near)])
    case 19...20:
      rows.change(row: near)
      list.reconfigureRows(at: [IndexPath(row: near)])
    case 21 where rows.rows.count < 120: rows.insert(at: near)
    case 22 where rows.rows.count > 60: rows.remove(at: near)
    case 23: rows.move(from: row, to: near)
    case 24: list.frame.size.width = [49, 33, 49, 61][row % 4]
    case 25: list.reloadData()
    case 26: rows.pictures.loader.removeCachedImages()
    case 27: list.setPinned(row % 2 == 0, forRowAt: IndexPath(row: near))
    default:
      rows.pictures.deferRequests()
      list.measureIdleRows(budget: 2)
      rows.pictures.resumeRequests()
    }
  }

  /// Lets everything arrive.
  private func settle(_ rows: PictureRows) async {
    var quiet = 0
    while quiet < 50 {
      for url in rows.transport.waiting { rows.transport.answer(url, fails: false) }
      _ = rows.frame()
      await Task.yield()
      let isIdle = rows.pictures.loader.activity.isIdle && rows.pictures.rendering.isEmpty
      quiet = isIdle ? quiet + 1 : 0
    }
  }

  // MARK: What must hold

  private func check(
    _ rows: PictureRows, _ frame: PictureRows.Frame, _ work: inout Work, _ place: String
  ) {
    for (row, id, urls) in frame.visible {
      let own = colors(of: urls)
      #expect(
        row.y < 0 || frame.text(onLine: row.y).contains("row \(id)")
          || frame.text(onLine: row.y).contains("author"),
        "line \(row.y) of row \(row.row), id \(id), \(place): \(frame.lines.indices.map { frame.text(onLine: $0) })"
      )
      for y in frame.lines(of: row) {
        let colors = frame.colors(onLine: y)
        if !colors.isEmpty { work.paintedLines += 1 }
        #expect(colors.isSubset(of: own), "line \(y) of row \(row.row), id \(id), \(place)")
      }
    }
  }

  /// Lines above the first row that anything may have arrived for are what and where they were.
  private func compare(
    _ rows: PictureRows, _ old: PictureRows.Frame, _ new: PictureRows.Frame, _ work: inout Work,
    _ place: String
  ) {
    let touched = old.visible.firstIndex { shown in
      let painted = old.lines(of: shown.row).reduce(into: Set<Int32>()) {
        $0.formUnion(old.colors(onLine: $1))
      }
      // What shows its picture is done with it, unless in another size, and what nothing came for
      // still waits.
      return shown.urls.contains {
        rows.justRendering.contains($0) || rows.justArrived.contains($0)
          || rows.arrived.contains($0) && painted.isDisjoint(with: colors(of: [$0]))
      }
    }
    if touched == nil { work.quietFrames += 1 }
    // While the end is held, what grows pushes up what is above it.
    guard touched == nil || !rows.list.isFollowing && !rows.list.isAtEnd else { return }
    let end = touched.map { max(0, old.visible[$0].row.y) } ?? old.lines.count
    let changed = (0..<end).first { new.lines[$0] != old.lines[$0] }
    #expect(
      changed == nil,
      """
      line \(changed ?? 0) of \(end): \(old.rows) became \(new.rows), \(place)
      \(zip(old.lines[changed ?? 0], new.lines[changed ?? 0]).filter { $0 != $1 }.prefix(8))
      """)
  }

  /// The colours in which the pictures at `urls` are drawn.
  private func colors(of urls: [String]) -> Set<Int32> {
    Set(
      urls.map { url in
        let color = UInt32(ColoredPicture.numbers(of: url)[0])
        return Color.rgb(UInt8(color >> 16 & 0xFF), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF))
          .rawValue
      })
  }

  private func expectAllPainted(_ rows: PictureRows, _ place: String) {
    let frame = rows.frame()
    for (row, id, urls) in frame.visible where row.y >= 0 && row.maxY <= frame.lines.count {
      let shown = frame.lines(of: row).reduce(into: Set<Int32>()) {
        $0.formUnion(frame.colors(onLine: $1))
      }
      #expect(shown == colors(of: urls), "row \(row.row), id \(id), \(place)")
    }
  }
}
