import TestSupport
import Testing

@testable import VirtualList

/// The invariants of the list, each by itself, as far as they can be told without a screen.
@Suite struct ListModelTests {
  private func model(
    _ rows: TestRows, viewport: Int = 20, kind: Int = 0
  ) -> ListModel {
    let model = ListModel(width: rows.width, viewportHeight: viewport)
    model.reload(runs: [(kind: kind, count: rows.rows.count)], in: rows)
    return model
  }

  private func plain(_ count: Int, characters: Int = 80) -> TestRows {
    TestRows((0..<count).map { .init(id: UInt64($0), characters: characters) }, width: 40)
  }

  @Test func invariant2ThePlaceAtTheTopEdgeStaysWhenItsRowGrows() {
    let rows = plain(50, characters: 400)
    let model = model(rows)
    model.scroll(byLines: 5, in: rows)
    let before = rows.screen(model)
    rows.rows[0].characters = 800
    model.setHeights([(row: 0, height: rows.height(rows.rows[0]))], in: rows)
    #expect(rows.screen(model).first == before.first)
    // Shrunk so far that the place is gone, the row's end is next to it.
    rows.rows[0].characters = 40
    model.setHeights([(row: 0, height: 2)], in: rows)
    #expect(model.top == ScrollPosition(row: 0, line: 1))
  }

  @Test(arguments: [1, 7, 19, 20, 300])
  func invariant4ScrollingThereAndBackRestoresTheFrame(lines: Int) {
    var random = SeededGenerator(seed: UInt64(lines))
    let rows = TestRows(count: 400, width: 40, random: &random)
    let model = model(rows)
    model.scroll(byLines: 100, in: rows)
    let before = rows.screen(model)
    #expect(model.scroll(byLines: lines, in: rows) == lines)
    #expect(model.scroll(byLines: -lines, in: rows) == -lines)
    #expect(rows.screen(model) == before)
  }

  @Test func invariant7JumpsAmongTenMillionRowsMeasureAScreenful() throws {
    let rows = EndlessRows(count: 10_000_000)
    let model = ListModel(width: 40, viewportHeight: 20)
    model.reload(runs: [(kind: 0, count: rows.count)], in: rows)
    let jumps: [(String, () throws -> Void)] = [
      ("end", { model.scrollToEnd(following: true, in: rows) }),
      ("row", { try model.scroll(toRow: 6_543_210, at: .middle, in: rows) }),
      ("middle", { model.scroll(toFraction: 0.5, in: rows) }),
      (
        "drag",
        {
          model.beginDrag(pointer: 4, track: 20, in: rows)
          model.drag(to: 100, in: rows)
          model.endDrag()
        }
      ),
    ]
    for (name, jump) in jumps {
      let before = model.measurementCount
      try jump()
      _ = model.preparedRows(overscan: 10, in: rows)
      // A row of two lines or more at least every second line, and one that is cut at either edge.
      #expect(model.measurementCount - before <= 20 + 2 * 10 + 2, "\(name)")
      #expect(model.visible.last.map { $0.maxY >= 20 } == true, "\(name)")
    }
    model.scroll(toFraction: 0.5, in: rows)
    #expect(model.top.row == 5_000_000)
    model.scroll(toFraction: 1, in: rows)
    #expect(model.isAtEnd)
    #expect(model.visible.last?.row == 9_999_999)
  }

  @Test func invariant8TheScrollBarMeasuresNothing() {
    let rows = EndlessRows(count: 100_000)
    let model = ListModel(width: 40, viewportHeight: 20)
    model.reload(runs: [(kind: 0, count: rows.count)], in: rows)
    model.scroll(toFraction: 0.3, in: rows)
    let before = model.measurementCount
    for track in 1...50 { _ = model.thumb(track: track) }
    #expect(model.measurementCount == before)
  }

  @Test func invariant12WrongUpdatesAreRefusedAndChangeNothing() {
    let rows = plain(10)
    let model = model(rows)
    func error(_ newCount: Int, _ change: (inout BatchUpdates) -> Void) -> ListUpdateError? {
      var updates = BatchUpdates()
      change(&updates)
      do { try model.apply(updates, newCount: newCount, in: rows) } catch { return error }
      return nil
    }
    #expect(error(10) { $0.delete(3..<4) } == .wrongCount(expected: 9, actual: 10))
    #expect(error(8) { $0.delete(3..<5) } == nil)
    #expect(error(7) { $0.delete(8..<9) } == .rowOutOfRange(row: 8, count: 8))
    #expect(error(9) { $0.insert(9..<10) } == .rowOutOfRange(row: 9, count: 9))
    #expect(error(7) { $0.insert(-1..<(-2 + 1)) } == .wrongCount(expected: 8, actual: 7))
    #expect(
      error(6) {
        $0.delete(2..<4)
        $0.delete(3..<4)
      } == .wrongCount(expected: 5, actual: 6)
        || error(6) {
          $0.delete(2..<4)
          $0.move(from: 3, to: 0)
        } == .conflictingUpdates(row: 3))
    #expect(
      error(7) {
        $0.delete(2..<3)
        $0.reload(2)
      } == .conflictingUpdates(row: 2))
    rows.rows[1].id = rows.rows[0].id
    #expect(
      error(10) { $0.insert(0..<2) }
        == .duplicateID(RowID(0), first: 0, second: 1))
    #expect(model.count == 8)
  }

  @Test func invariant12RowsWithoutHeightTerminate() {
    let rows = TestRows(
      (0..<500).map { .init(id: $0, characters: 10, isHidden: true) }, width: 40)
    let model = model(rows)
    #expect(model.visible.isEmpty)
    model.scroll(byLines: 10, in: rows)
    model.scroll(byLines: -10, in: rows)
    model.scrollToEnd(following: true, in: rows)
    #expect(model.visible.isEmpty)
    #expect(model.isAtTop && model.isAtEnd)
  }

  @Test func invariant15FollowingIsAMode() throws {
    let rows = plain(50)
    let model = model(rows)
    #expect(!model.isFollowing, "opening never follows")
    model.scrollToEnd(following: true, in: rows)
    func append() throws {
      rows.rows.append(.init(id: UInt64(1000 + rows.rows.count), characters: 80))
      var updates = BatchUpdates()
      updates.insert(model.count..<model.count + 1)
      try model.apply(updates, newCount: rows.rows.count, in: rows)
    }
    try append()
    #expect(model.visible.last?.row == 50, "an appended row pushes up")
    rows.rows[50].picture = 7
    model.setHeights([(row: 50, height: rows.height(rows.rows[50]))], in: rows)
    #expect(model.visible.last?.maxY == 20, "so does growth")
    model.scroll(byLines: -1, in: rows)
    #expect(!model.isFollowing, "moving up leaves it")
    let before = rows.screen(model)
    try append()
    #expect(rows.screen(model) == before, "then appends change nothing")
    model.scroll(byLines: 1000, in: rows)
    #expect(model.isAtEnd && !model.isFollowing, "scrolling to the end does not enter it")
  }

  @Test(arguments: [0, 1, 25])
  func invariant16PrependingKeepsThePlace(scrolled: Int) throws {
    let rows = plain(50)
    let model = model(rows)
    model.scroll(byLines: scrolled, in: rows)
    let before = rows.screen(model)
    rows.rows.insert(
      contentsOf: [.init(id: 900, characters: 9), .init(id: 901, characters: 9)], at: 0)
    var updates = BatchUpdates()
    updates.insert(0..<2)
    try model.apply(updates, newCount: 52, in: rows)
    #expect(rows.screen(model) == before)
    #expect(model.newRowsAbove == 2)
    model.scrollToTop(in: rows)
    #expect(model.newRowsAbove == 0)
  }

  @Test func invariant17TheNextSurvivorTakesTheLineOfADeletedAnchor() throws {
    let rows = plain(50)
    let model = model(rows)
    try model.scroll(toRow: 10, at: .top, in: rows)
    model.scroll(byLines: 1, in: rows)
    rows.rows.removeSubrange(8..<13)
    var updates = BatchUpdates()
    updates.delete(8..<13)
    try model.apply(updates, newCount: 45, in: rows)
    #expect(model.displayed?.rowID == RowID(13))
    #expect(model.top == ScrollPosition(row: 8, line: 0))
  }

  @Test func invariant13WidthAndBackRestoresTheFrameAtTheEndToo() {
    var random = SeededGenerator(seed: 5)
    let rows = TestRows(count: 300, width: 40, random: &random)
    let model = model(rows)
    model.scrollToEnd(following: false, in: rows)
    let before = rows.screen(model)
    for width in [200, 13, 40] {
      rows.width = width
      rows.forgetMeasurements()
      model.resize(width: width, viewportHeight: 20, in: rows)
      #expect(rows.measured.count <= 60, "measures what shows, not the list")
    }
    #expect(rows.screen(model) == before)
  }

  @Test func invariant18AnIdleFrameIsAFixedPoint() {
    var random = SeededGenerator(seed: 6)
    let rows = TestRows(count: 300, width: 40, random: &random)
    let model = model(rows)
    model.scroll(byLines: 77, in: rows)
    model.commitEstimates()
    let thumb = model.thumb(track: 20)
    let (screen, total) = (rows.screen(model), model.tree.totalFixed)
    rows.forgetMeasurements()
    for _ in 0..<5 {
      model.layout(in: rows)
      model.commitEstimates()
      #expect(model.thumb(track: 20) == thumb)
      #expect(rows.screen(model) == screen)
      #expect(model.tree.totalFixed == total)
    }
    #expect(rows.measured.isEmpty)
  }

  @Test func invariant19ARowIsMeasuredOncePerWidthAndContent() {
    var random = SeededGenerator(seed: 7)
    let rows = TestRows(count: 200, width: 40, random: &random)
    let model = model(rows)
    for step in [50, -30, 80, -100, 400, -10] { model.scroll(byLines: step, in: rows) }
    model.scrollToEnd(following: true, in: rows)
    model.scrollToTop(in: rows)
    #expect(Set(rows.measured).count == rows.measured.count)
  }

  @Test func invariant20ARowTallerThanTheScreenScrollsByLines() {
    let rows = plain(3, characters: 4000)
    let model = model(rows)
    for line in 1...90 {
      #expect(model.scroll(byLines: 1, in: rows) == 1)
      #expect(model.top == ScrollPosition(row: 0, line: line))
      #expect(model.visible.count == (line + 20 > 101 ? 2 : 1))
    }
  }

  @Test func alignmentsPutARowWhereTheySay() throws {
    let rows = plain(100)  // three lines each
    let model = model(rows)
    try model.scroll(toRow: 50, at: .middle, in: rows)
    #expect(model.visible.first { $0.row == 50 }?.y == 8)
    try model.scroll(toRow: 50, at: .bottom, in: rows)
    #expect(model.visible.first { $0.row == 50 }?.maxY == 20)
    try model.scroll(toRow: 50, at: .top, in: rows)
    #expect(model.top == ScrollPosition(row: 50, line: 0))
    let before = model.top
    try model.scroll(toRow: 52, at: .nearest, in: rows)
    #expect(model.top == before, "what shows is not moved")
    #expect(throws: ListUpdateError.rowOutOfRange(row: 100, count: 100)) {
      try model.scroll(toRow: 100, in: rows)
    }
  }

  @Test func reloadingFindsTheReadersRowByIdentity() {
    let rows = plain(100)
    let model = model(rows)
    model.scroll(byLines: 31, in: rows)
    let before = rows.screen(model)
    rows.rows.insert(contentsOf: (500..<520).map { .init(id: $0, characters: 1) }, at: 0)
    model.reload(runs: [(kind: 0, count: 120)], in: rows)
    #expect(rows.screen(model) == before)
  }
}

/// Rows without end whose heights follow from their index.
struct EndlessRows: ListEnvironment {
  var count: Int
  func rowID(at row: Int) -> RowID { RowID(UInt64(row)) }
  func measure(row: Int) -> Int { 1 + row &* 2_654_435_761 % 7 }
  func place(atLine line: Int, inRow row: Int) -> Place { Place(part: 0, offset: Int32(line)) }
  func line(of place: Place, inRow row: Int) -> Int { Int(place.offset) }
}
