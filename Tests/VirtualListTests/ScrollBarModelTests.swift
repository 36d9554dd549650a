import TestSupport
import Testing

@testable import VirtualList

@Suite struct ScrollBarModelTests {
  /// A list of rows by index alone, opened.
  private func endless(_ count: Int, viewport: Int = 20) -> (EndlessRows, ListModel) {
    let rows = EndlessRows(count: count)
    let model = ListModel(width: 40, viewportHeight: viewport)
    model.reload(runs: [(kind: 0, count: count)], in: rows)
    return (rows, model)
  }

  @Test(arguments: [12, 40, 150, 2000, 100_000])
  func invariant5ScrollingForwardNeverMovesTheThumbBack(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let (rows, model) = endless(count)
    var last = model.thumb(track: 20)
    #expect(last.start == 0)
    for _ in 0..<600 {
      model.scroll(byLines: Int.random(in: 1...40, using: &random), in: rows)
      model.commitEstimates()
      let thumb = model.thumb(track: 20)
      #expect(thumb.start >= last.start, "seed \(count)")
      #expect(thumb.length >= 8)
      #expect((thumb.start == 0) == model.isAtTop)
      #expect((thumb.end == 160) == model.isAtEnd)
      last = thumb
    }
    // And back up again, by jumps too.
    for _ in 0..<300 {
      model.scroll(byLines: -Int.random(in: 1...40, using: &random), in: rows)
      model.commitEstimates()
      let thumb = model.thumb(track: 20)
      #expect(thumb.start <= last.start, "seed \(count)")
      #expect((thumb.start == 0) == model.isAtTop)
      #expect((thumb.end == 160) == model.isAtEnd)
      last = thumb
    }
  }

  /// As pages of a timeline do, which come before the end is reached.
  @Test(arguments: 1...4)
  func rowsThatComeBehindTheLastNeverMoveTheThumbBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (rows, model) = endless(40)
    var last = model.thumb(track: 20)
    for _ in 0..<400 {
      model.scroll(byLines: Int.random(in: 1...12, using: &random), in: rows)
      if let bottom = model.visible.last?.row, rows.count - bottom < 20 {
        var updates = BatchUpdates()
        updates.insert(rows.count..<rows.count + 40)
        rows = EndlessRows(count: rows.count + 40)
        try model.apply(updates, newCount: rows.count, in: rows)
      }
      model.commitEstimates()
      let thumb = model.thumb(track: 20)
      #expect(thumb.start >= last.start, "seed \(seed)")
      #expect((thumb.start == 0) == model.isAtTop && (thumb.end == 160) == model.isAtEnd)
      last = thumb
    }
    #expect(rows.count > 400)
  }

  @Test(arguments: 1...12)
  func invariant6ADragIsMonotoneAndTheThumbStaysAtThePointer(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (rows, model) = endless([60, 900, 50_000].randomElement(using: &random) ?? 900)
    // Enough rows measured for positions by height, in some runs.
    if seed % 2 == 0 { model.scroll(byLines: 2000, in: rows) }
    model.scrollToTop(in: rows)
    let track = 20
    model.beginDrag(pointer: 4, track: track, in: rows)
    let total = model.scrollBarContent.total
    var seen: [Int: ScrollPosition] = [:]
    for _ in 0..<200 {
      let pointer = Int.random(in: -10...170, using: &random)
      model.drag(to: pointer, in: rows)
      model.commitEstimates()
      let thumb = model.thumb(track: track)
      let nearest = min(max(pointer, thumb.start), thumb.end)
      #expect(abs(nearest - pointer) <= 8 || pointer < 0 || pointer > 160, "seed \(seed)")
      if let before = seen[thumb.start] { #expect(before == model.top, "seed \(seed)") }
      seen[thumb.start] = model.top
      let inOrder = seen.keys.sorted().compactMap { seen[$0] }
      #expect(inOrder == inOrder.sorted(), "seed \(seed)")
    }
    #expect(model.drag?.content.total == total)
    model.drag(to: 160, in: rows)
    #expect(model.isAtEnd)
    model.drag(to: 0, in: rows)
    #expect(model.isAtTop)
    model.endDrag()
    #expect(!model.isDragging)
  }

  /// However much was learned of rows elsewhere between two drags.
  @Test(arguments: 1...8)
  func aDragLeadsWhereTheLastOneToThisPlaceLed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (rows, model) = endless(50_000)
    if seed % 2 == 0 { model.scroll(byLines: 2000, in: rows) }
    var landed: [Int: ScrollPosition] = [:]
    var again = 0
    for _ in 0..<120 {
      model.scrollToTop(in: rows)
      for _ in 0..<6 {
        model.measuredHeight(ofRow: Int.random(in: 0..<50_000, using: &random), in: rows)
      }
      for _ in 0..<8 { model.commitEstimates() }
      let pointer = 16 * Int.random(in: 1...8, using: &random)
      model.beginDrag(pointer: 0, track: 20, in: rows)
      model.drag(to: pointer, in: rows)
      let thumb = model.thumb(track: 20)
      model.endDrag()
      let top = model.top
      // What the bar would show of the list without the drag: at most a step beside it.
      let offset = ScrollBarModel.position(model.scrollBarContent) * Double(160 - thumb.length)
      #expect(abs(offset - Double(thumb.start)) <= 1, "seed \(seed)")
      if landed[pointer] == top { again += 1 }
      landed[pointer] = top
    }
    #expect(again >= 90, "seed \(seed): \(again)")
    let former = try #require(landed[64])
    var updates = BatchUpdates()
    updates.insert(0..<1)
    let more = EndlessRows(count: 50_001)
    try model.apply(updates, newCount: 50_001, in: more)
    model.scrollToTop(in: more)
    model.beginDrag(pointer: 0, track: 20, in: more)
    model.drag(to: 64, in: more)
    #expect(model.top != former, "its row is another one now")
  }

  @Test func whereEverythingShowsTheThumbFillsTheTrack() {
    let (_, model) = endless(2)
    #expect(model.thumb(track: 20) == ScrollThumb(start: 0, length: 160))
    #expect(ListModel(width: 10, viewportHeight: 5).thumb(track: 5).length == 40)
    #expect(model.thumb(track: 0).length == 0)
  }

  @Test func fewMeasuredRowsPutTheThumbByIndex() {
    let (rows, model) = endless(1_000_000)
    model.scroll(toFraction: 0.25, in: rows)
    let thumb = model.thumb(track: 50)
    #expect(abs(thumb.start - (400 - thumb.length) / 4) <= 1)
  }

  @Test func aOneCellTrackStillHasAThumb() {
    let (rows, model) = endless(100)
    model.scroll(byLines: 5, in: rows)
    #expect(model.thumb(track: 1) == ScrollThumb(start: 0, length: 8))
  }
}
