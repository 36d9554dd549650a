import TestSupport
import Testing

@testable import VirtualList

/// Random operations on a list model, each held against the same on a plain array of lines.
@Suite struct ListModelRandomTests {
  @Test(arguments: 1...40)
  func everyOperationAgreesWithAnArrayOfLines(seed: UInt64) {
    var run = Run(seed: seed)
    for step in 0..<150 {
      let (done, wrong) = run.step()
      if let wrong {
        Issue.record("seed \(seed), step \(step), \(done): \(wrong)")
        return
      }
    }
  }

  /// One run: the model, the rows, and the index of the line at the top edge in the array.
  struct Run {
    var random: SeededGenerator
    let rows: TestRows
    let model: ListModel
    var nextID: UInt64 = 1000

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...60, using: &random)
      rows = TestRows(count: count, width: 40, random: &random)
      model = ListModel(width: 40, viewportHeight: 20)
      model.reload(runs: [(kind: 0, count: count)], in: rows)
    }

    var topLine: Int? {
      rows.lines.firstIndex { line in
        guard let top = model.displayed else { return false }
        return line.id == top.rowID.rawValue && line.line == top.line
      }
    }

    mutating func step() -> (String, String?) {
      let before = rows.screen(model)
      let top = topLine ?? 0
      let done: String
      var wrong: String?
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3:
        let by = Int.random(in: -30...30, using: &random)
        done = "scroll by \(by)"
        let moved = model.scroll(byLines: by, in: rows)
        let limit = max(0, rows.lines.count - model.viewportHeight)
        // A view that was pulled down never sticks: the target is held by the same limits.
        let expected = min(max(0, top + by), limit)
        if (topLine ?? 0) != expected { wrong = "top line \(topLine ?? -1), not \(expected)" }
        if moved != expected - top { wrong = "moved \(moved), not \(expected - top)" }
      case 4 where !rows.rows.isEmpty:
        done = "scroll to a row"
        wrong = jump()
      case 5 where !rows.rows.isEmpty:
        done = "resize rows"
        wrong = resizeRows(before)
      case 6...8:
        done = "batch"
        wrong = batch(before)
      case 9:
        done = "width"
        wrong = changeWidth(before)
      case 10:
        let height = Int.random(in: 1...40, using: &random)
        done = "viewport of \(height) lines"
        model.resize(width: rows.width, viewportHeight: height, in: rows)
      default:
        done = "end"
        let following = Bool.random(using: &random)
        model.scrollToEnd(following: following, in: rows)
        if !model.isAtEnd { wrong = "not at the end" }
      }
      return (done, wrong ?? differences())
    }

    /// What holds after any operation.
    func differences() -> String? {
      if let broken = model.tree.brokenInvariants().first { return broken }
      let lines = rows.lines
      let top = topLine ?? 0
      let expected = Array(lines[top..<min(lines.count, top + model.viewportHeight)])
      if rows.screen(model) != expected { return "the screen is not a slice of the lines" }
      if expected.count < min(lines.count, model.viewportHeight) { return "blank lines" }
      // Rows that nobody has measured are taken for content.
      let isKnown = (0..<model.top.row).allSatisfy { model.tree.measuredHeight(ofRow: $0) != nil }
      if model.isAtTop != (top == 0 && isKnown), !lines.isEmpty {
        return "isAtTop is \(model.isAtTop)"
      }
      if model.isFollowing, top + model.viewportHeight < lines.count { return "does not follow" }
      for (row, content) in rows.rows.enumerated() {
        if let height = model.tree.measuredHeight(ofRow: row), height != rows.height(content) {
          return "row \(row) is remembered with \(height) lines"
        }
      }
      return nil
    }

    private mutating func jump() -> String? {
      let row = Int.random(in: 0..<rows.rows.count, using: &random)
      do { try model.scroll(toRow: row, at: .top, in: rows) } catch { return "\(error)" }
      guard let first = rows.lines.firstIndex(where: { $0.id == rows.rows[row].id }) else {
        return nil
      }
      let limit = max(0, rows.lines.count - model.viewportHeight)
      return topLine == min(first, limit) ? nil : "row \(row) is not at the top"
    }

    /// Invariants 1, 2, 3 and 11: only what is below the resized row on the screen moves.
    private mutating func resizeRows(_ before: [TestRows.Line]) -> String? {
      let row = Int.random(in: 0..<rows.rows.count, using: &random)
      guard model.tree.measuredHeight(ofRow: row) != nil, !rows.rows[row].isHidden else {
        return nil
      }
      let wasFollowing = model.isFollowing
      let grows = Bool.random(using: &random)
      rows.rows[row].picture =
        grows ? rows.rows[row].picture + 5 : max(0, rows.rows[row].picture - 5)
      model.setHeights([(row: row, height: rows.height(rows.rows[row]))], in: rows)
      guard grows, !wasFollowing, let first = before.first else { return nil }
      let after = rows.screen(model)
      if after.first?.id != first.id || after.first?.place != first.place {
        return "the top edge moved"
      }
      let id = rows.rows[row].id
      let kept = before.prefix { $0.id != id }
      return after.starts(with: kept) ? nil : "lines above the grown row moved"
    }

    private mutating func changeWidth(_ before: [TestRows.Line]) -> String? {
      let old = rows.width
      let first = model.anchor
      rows.width = [10, 25, 40, 80].randomElement(using: &random) ?? 40
      rows.forgetMeasurements()
      model.resize(width: rows.width, viewportHeight: model.viewportHeight, in: rows)
      if let wrong = differences() { return wrong }
      if model.anchor?.place != first?.place { return "the anchor's place changed" }
      if Set(rows.measured).count != rows.measured.count { return "a row was measured twice" }
      // Half the time, back again: the same frame.
      guard Bool.random(using: &random) else { return nil }
      rows.width = old
      model.resize(width: old, viewportHeight: model.viewportHeight, in: rows)
      let after = rows.screen(model)
      return after == before
        ? nil
        : "back at width \(old), the screen begins with \(after.prefix(1)), not \(before.prefix(1))"
    }

    /// Invariant 12, 16 and 17.
    private mutating func batch(_ before: [TestRows.Line]) -> String? {
      let old = rows.rows
      var updates = BatchUpdates()
      var gone = Set<Int>()
      for row in old.indices where Int.random(in: 0..<12, using: &random) == 0 {
        gone.insert(row)
        updates.delete(row..<row + 1)
      }
      var sources: [Int] = []
      for row in old.indices where !gone.contains(row) {
        switch Int.random(in: 0..<25, using: &random) {
        case 0:
          sources.append(row)
          gone.insert(row)
        case 1:
          rows.rows[row].characters += 30
          updates.reload(row)
        default: break
        }
      }
      let changed = rows.rows
      var new = changed.indices.filter { !gone.contains($0) }.map { changed[$0] }
      var insertions: [(at: Int, from: Int?)] = []
      for source in sources { insertions.append((0, source)) }
      for _ in 0..<Int.random(in: 0...4, using: &random) { insertions.append((0, nil)) }
      // Destinations in ascending order, each an index in the final list.
      let final = new.count + insertions.count
      let places = Array(0..<final).shuffled(using: &random).prefix(insertions.count).sorted()
      insertions.shuffle(using: &random)
      for (place, insertion) in zip(places, insertions) {
        if let source = insertion.from {
          updates.move(from: source, to: place)
          new.insert(changed[source], at: place)
        } else {
          updates.insert(place..<place + 1)
          new.insert(TestRows.row(id: nextID, &random), at: place)
          nextID += 1
        }
      }
      rows.rows = new
      let wasFollowing = model.isFollowing
      do {
        try model.apply(updates, newCount: new.count, in: rows)
      } catch { return "\(error)" }
      guard !wasFollowing, !model.isAtEnd, let first = before.first else { return nil }
      // Whoever was at the top still is, else the next of the old rows that stayed where it was.
      let stayed = Set(new.map(\.id))
      guard let oldRow = old.firstIndex(where: { $0.id == first.id }) else { return nil }
      var expected = first.id
      if !stayed.contains(first.id) {
        let heirs = old.indices.filter { $0 > oldRow && !gone.contains($0) }
        guard let heir = heirs.first, rows.height(changed[heir]) > 0 else { return nil }
        expected = old[heir].id
      }
      let shown = rows.screen(model).first
      return shown?.id == expected ? nil : "row \(expected) is not at the top edge"
    }
  }
}
