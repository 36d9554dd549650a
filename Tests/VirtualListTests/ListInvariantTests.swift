import FoundationEssentials
import TestSupport
import Testing

@testable import VirtualList

/// The twenty invariants, each under the one random driver. Those that need cells, pictures or a
/// screen are held on one too, in the tests of the list view.
///
/// `TIDELINE_SEED` is the one seed to run, if it is set.
@Suite struct ListInvariantTests {
  typealias Step = ListDriver.Step

  enum Verdict {
    case doesNotApply, holds
    case broken(String)

    static func of(_ condition: Bool, _ complaint: @autoclosure () -> String) -> Verdict {
      condition ? .holds : .broken(complaint())
    }
  }

  /// Runs the driver and judges every step; a law that never applied is a mistake too.
  private func hold(_ salt: UInt64, _ judge: (Step, ListDriver) -> Verdict) {
    let length = 250
    var applied = 0
    var seeds = Rounds.seeds(10).map { $0 + salt << 32 }
    let only = ProcessInfo.processInfo.environment["TIDELINE_SEED"].flatMap { UInt64($0) }
    if let only { seeds = [only] }
    for seed in seeds {
      let driver = ListDriver(drawing: SeededGenerator(seed: seed))
      var last = driver.moment()
      for index in 0..<length {
        let step = driver.step(after: last)
        last = step.after
        switch judge(step, driver) {
        case .doesNotApply: continue
        case .holds: applied += 1
        case .broken(let complaint):
          Issue.record("seed \(seed), step \(index), \(step.operation): \(complaint)")
          return
        }
      }
    }
    #expect(applied > 0, "the invariant was never put to the test")
  }

  /// The screen is the slice of all lines that begins where the array says.
  private func shows(_ step: Step, _ driver: ListDriver) -> Verdict {
    if let expected = step.expectedTop, step.after.topLine != expected {
      return .broken("line \(step.after.topLine) is at the top edge, not \(expected)")
    }
    let top = step.after.topLine
    let lines = driver.rows.lines(top..<top + driver.model.viewportHeight)
    return .of(step.after.screen == lines, "the screen is not a slice of the lines")
  }

  /// The one row that a step resized, with where it was on the screen.
  private func resizedRow(_ step: Step, _ driver: ListDriver) -> Int? {
    switch step.operation {
    case .resize(let row, _): row
    case .pictureArrives(let row, false): row
    default: nil
    }
  }

  private func isAbove(_ row: Int, _ step: Step) -> Bool {
    step.before.screen.isEmpty ? false : row < step.before.top.row
  }

  @Test func invariant01ChangesAboveTheAnchorMoveNothing() {
    hold(1) { step, driver in
      if step.before.isFollowing || step.before.screen.isEmpty { return .doesNotApply }
      let isAbove: Bool
      switch step.operation {
      case .insert(_, let row): isAbove = row <= step.before.top.row
      case .prepend: isAbove = true
      case .delete(let range): isAbove = range.upperBound <= step.before.top.row
      case .measureIdle: isAbove = true
      default: isAbove = resizedRow(step, driver).map { self.isAbove($0, step) } ?? false
      }
      guard isAbove else { return .doesNotApply }
      // A list shorter than the screen shows what comes before it too, where there is room.
      let before = step.before.screen
      if before.count < driver.model.viewportHeight {
        return .of(step.after.screen.suffix(before.count) == before[...], "the screen moved")
      }
      return .of(step.after.screen == before, "the screen moved")
    }
  }

  @Test func invariant02ThePlaceAtTheTopEdgeStaysWhenItsRowIsResized() {
    hold(2) { step, driver in
      guard let row = resizedRow(step, driver), row == step.before.top.row else {
        return .doesNotApply
      }
      return shows(step, driver)
    }
  }

  @Test func invariant03GrowthOnTheScreenPushesOnlyDownward() {
    hold(3) { step, driver in
      guard let row = resizedRow(step, driver), !step.before.isFollowing,
        let shown = step.before.screen.first, shown.id != driver.rows.rows[row].id,
        row > step.before.top.row, row < step.before.top.row + 20
      else { return .doesNotApply }
      let id = driver.rows.rows[row].id
      let grew = driver.rows.height(driver.rows.rows[row]) >= driver.rows.height(step.oldRows[row])
      guard grew else { return .doesNotApply }
      let kept = step.before.screen.prefix { $0.id != id }
      return .of(step.after.screen.starts(with: kept), "lines above the grown row moved")
    }
  }

  @Test func invariant04ScrollingByLinesIsExactAndComesBack() {
    hold(4) { step, driver in
      guard case .scroll = step.operation, let expected = step.expectedTop else {
        return .doesNotApply
      }
      if case .broken(let complaint) = shows(step, driver) { return .broken(complaint) }
      let moved = expected - step.before.topLine
      guard step.moved == moved else {
        return .broken("it says it moved \(step.moved ?? 0), not \(moved)")
      }
      driver.model.scroll(byLines: -moved, in: driver.rows)
      let back = driver.rows.screen(driver.model)
      driver.model.scroll(byLines: moved, in: driver.rows)
      return .of(
        back == step.before.screen && driver.rows.screen(driver.model) == step.after.screen,
        "there and back is another screen")
    }
  }

  @Test func invariant05TheThumbNeverMovesBackAndTouchesTheEndsOnlyThere() {
    hold(5) { step, _ in
      let (before, after) = (step.before, step.after)
      guard !after.isDragging else { return .doesNotApply }
      let end = ListDriver.track * ScrollBarModel.unit
      if (after.thumb.start == 0) != after.isAtTop { return .broken("\(after.thumb) at the top") }
      if (after.thumb.end == end) != after.isAtEnd { return .broken("\(after.thumb) at the end") }
      switch step.operation {
      case .scroll, .select, .jumpToTop, .jumpToEnd, .jumpToFraction, .measureIdle, .idle:
        guard !before.isDragging else { return .holds }
        if after.top >= before.top, after.thumb.start < before.thumb.start {
          // The bottom is left only by learning that there was more to come.
          return .of(
            before.isAtEnd && !after.isAtEnd, "\(before.thumb) went back to \(after.thumb)")
        }
        if after.top <= before.top, after.thumb.start > before.thumb.start {
          let learnedOfAnEnd =
            (before.isAtTop && !after.isAtTop) || (!before.isAtEnd && after.isAtEnd)
          return .of(learnedOfAnEnd, "\(before.thumb) went on to \(after.thumb)")
        }
        return .holds
      default: return .holds
      }
    }
  }

  @Test func invariant06ADragIsMonotoneItsTotalFrozenAndTheThumbAtThePointer() {
    hold(6) { step, driver in
      guard case .drag(let pointer) = step.operation, step.before.isDragging,
        let drag = driver.model.drag
      else { return .doesNotApply }
      if drag.content.total != driver.frozenTotal { return .broken("the total changed") }
      let thumb = step.after.thumb
      let inside = min(max(0, pointer), ListDriver.track * ScrollBarModel.unit)
      let nearest = min(max(inside, thumb.start), thumb.end)
      if abs(nearest - inside) > 8 { return .broken("\(thumb) is not at \(pointer)") }
      let tops = driver.landings.sorted { ($0.thumb, $0.top) < ($1.thumb, $1.top) }.map(\.top)
      return .of(tops == tops.sorted(), "\(driver.landings)")
    }
  }

  @Test func invariant07JumpsLandExactlyAndMeasureAScreenful() {
    hold(7) { step, driver in
      switch step.operation {
      case .select, .jumpToTop, .jumpToEnd, .jumpToFraction: break
      default: return .doesNotApply
      }
      if case .broken(let complaint) = shows(step, driver) { return .broken(complaint) }
      // Rows without height take no line, so they are counted by the rows passed.
      let bound = step.prepared.count + 1
      return .of(step.measured.count <= bound, "\(step.measured.count) rows measured")
    }
  }

  @Test func invariant08DrawingTheScrollBarMeasuresNothing() {
    hold(8) { _, driver in
      let count = driver.model.measurementCount
      driver.rows.forgetMeasurements()
      for track in [1, ListDriver.track, 50] { _ = driver.model.thumb(track: track) }
      _ = driver.model.thumb(track: ListDriver.track)
      return .of(
        driver.model.measurementCount == count && driver.rows.measured.isEmpty,
        "\(driver.rows.measured) measured")
    }
  }

  @Test func invariant09RowsWithCellsAreTheVisibleOnesAndTheOverscan() {
    hold(9) { step, driver in
      let visible = driver.model.visible
      guard let first = visible.first, let last = visible.last else { return .doesNotApply }
      let shown = first.row..<last.row + 1
      guard step.prepared.lowerBound <= shown.lowerBound,
        step.prepared.upperBound >= shown.upperBound
      else { return .broken("\(step.prepared) does not hold \(shown)") }
      let bound = shown.count + 2 * ListDriver.overscan
      return .of(step.prepared.count <= bound, "\(step.prepared) for \(shown)")
    }
  }

  @Test func invariant10AStalePictureChangesNothing() {
    hold(10) { step, _ in
      guard case .pictureArrives(_, true) = step.operation else { return .doesNotApply }
      return .of(
        step.after.screen == step.before.screen && step.measured.isEmpty, "the screen changed")
    }
  }

  @Test func invariant11APictureOffTheScreenChangesHeightsOnly() {
    hold(11) { step, driver in
      guard let row = resizedRow(step, driver), !step.before.isFollowing,
        let first = driver.model.visible.first, let last = driver.model.visible.last,
        row < step.before.top.row || row > last.row, first.row == step.before.top.row,
        !step.before.screen.contains(where: { $0.id == driver.rows.rows[row].id })
      else { return .doesNotApply }
      let height = driver.rows.height(driver.rows.rows[row])
      return .of(
        step.after.screen == step.before.screen
          && driver.model.tree.measuredHeight(ofRow: row) == height, "the screen changed")
    }
  }

  @Test func invariant12UpdatesAgreeWithTheArrayAndWrongOnesAreErrors() {
    hold(12) { step, driver in
      if case .wrongBatch = step.operation {
        return .of(
          step.error != nil && step.after.screen == step.before.screen
            && driver.model.count == step.oldRows.count, "\(String(describing: step.error))")
      }
      if let error = step.error { return .broken("\(error)") }
      if let broken = driver.model.brokenInvariants().first { return .broken(broken) }
      guard driver.model.count == driver.rows.rows.count else { return .broken("another count") }
      for (row, content) in driver.rows.rows.enumerated() {
        guard let height = driver.model.tree.measuredHeight(ofRow: row) else { continue }
        if height != driver.rows.height(content) { return .broken("row \(row): \(height) lines") }
      }
      return shows(step, driver)
    }
  }

  @Test func invariant13AnotherWidthKeepsThePlaceAndBackRestoresTheFrame() {
    hold(13) { step, driver in
      guard case .width = step.operation else { return .doesNotApply }
      if case .broken(let complaint) = shows(step, driver) { return .broken(complaint) }
      let bound = step.prepared.count + driver.model.visible.count + 1
      guard step.measured.count <= bound else {
        return .broken("\(step.measured.count) rows measured")
      }
      let (model, rows) = (driver.model, driver.rows)
      let width = rows.width
      for other in [width == 10 ? 33 : 10, width] {
        rows.width = other
        driver.epoch += 1
        model.resize(width: other, viewportHeight: model.viewportHeight, in: rows)
      }
      rows.forgetMeasurements()
      return .of(rows.screen(model) == step.after.screen, "back is another screen")
    }
  }

  @Test func invariant14StaleHeightsAreEstimatesNeverZero() {
    hold(14) { step, driver in
      guard case .width = step.operation else { return .doesNotApply }
      for (row, content) in driver.rows.rows.enumerated() where !content.isHidden {
        if driver.model.tree.estimatedHeight(ofRow: row) < 1 { return .broken("row \(row)") }
      }
      return .holds
    }
  }

  @Test func invariant15FollowingIsAMode() {
    hold(15) { step, driver in
      let (before, after) = (step.before, step.after)
      switch step.operation {
      case .jumpToEnd(let following):
        return .of(after.isFollowing == following, "isFollowing is \(after.isFollowing)")
      case .scroll(let lines) where before.isFollowing:
        let movesUp = lines < 0 && after.topLine < before.topLine
        return .of(after.isFollowing == !movesUp, "isFollowing is \(after.isFollowing)")
      case .append where !before.isFollowing:
        guard before.screen.count == driver.model.viewportHeight else { return .doesNotApply }
        return .of(after.screen == before.screen, "appending moved the screen")
      default:
        guard after.isFollowing else { return .doesNotApply }
        guard before.isFollowing else { return .broken("it began by itself") }
        return .of(
          after.topLine == driver.limit && shows(step, driver).isHolding,
          "the last line is not at the bottom edge")
      }
    }
  }

  @Test func invariant16PrependingKeepsThePlaceAndCountsTheNewRows() {
    hold(16) { step, driver in
      guard case .prepend(let count) = step.operation, !step.before.screen.isEmpty,
        !step.before.isFollowing, step.before.screen.count == driver.model.viewportHeight
      else { return .doesNotApply }
      guard step.after.screen == step.before.screen else { return .broken("the screen moved") }
      let (before, after) = (step.before.newRowsAbove, step.after.newRowsAbove)
      return .of(after == before + count, "\(after) new rows after \(count) more than \(before)")
    }
  }

  @Test func invariant17TheNextSurvivorTakesTheLineOfADeletedAnchor() {
    hold(17) { step, driver in
      guard let anchor = step.wanted, !step.before.isFollowing,
        step.oldRows.count > 0, step.error == nil,
        !driver.rows.rows.contains(where: { $0.id == anchor.rowID.rawValue })
      else { return .doesNotApply }
      return shows(step, driver)
    }
  }

  @Test func invariant18AnIdleFrameIsAFixedPoint() {
    hold(18) { step, driver in
      let (model, rows) = (driver.model, driver.rows)
      rows.forgetMeasurements()
      for _ in 0..<2 {
        model.layout(in: rows)
        guard driver.frame() == step.prepared else { return .broken("other rows have cells") }
      }
      let now = driver.moment()
      return .of(
        rows.measured.isEmpty && now.screen == step.after.screen && now.thumb == step.after.thumb
          && now.total == step.after.total && now.isFollowing == step.after.isFollowing,
        "an idle frame is another: \(rows.measured) measured")
    }
  }

  @Test func invariant19ARowIsMeasuredOncePerWidthAndContent() {
    hold(19) { step, driver in
      guard !step.measured.isEmpty else { return .doesNotApply }
      return .of(driver.measuredTwice == nil, "row \(driver.measuredTwice ?? 0) again")
    }
  }

  @Test func invariant20ARowTallerThanTheScreenScrollsByLines() {
    hold(20) { step, driver in
      guard driver.model.visible.count == 1, let row = driver.model.visible.first,
        row.y < 0 || row.maxY > driver.model.viewportHeight, !driver.model.isAtEnd
      else { return .doesNotApply }
      let moved = driver.model.scroll(byLines: 1, in: driver.rows)
      let line = driver.topLine
      driver.model.scroll(byLines: -1, in: driver.rows)
      return .of(
        moved == 1 && line == step.after.topLine + 1 && driver.topLine == step.after.topLine,
        "one line down moved \(moved)")
    }
  }
}

extension ListInvariantTests.Verdict {
  var isHolding: Bool { if case .holds = self { true } else { false } }
}
