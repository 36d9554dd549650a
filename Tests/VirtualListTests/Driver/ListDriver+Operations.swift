@testable import VirtualList

extension ListDriver {
  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  func nextOperation() -> Operation {
    if let due = pictures.firstIndex(where: { $0.due <= time }) {
      let picture = pictures[due]
      let row = rows.rows.firstIndex { $0.id == picture.id }
      let isStale = row.map { rows.rows[$0].version != picture.version } ?? true
      return .pictureArrives(row: row, isStale: isStale)
    }
    if model.isDragging, number(0...4) > 0 {
      return number(0...5) == 0 ? .endDrag : .drag(number(-10...110))
    }
    let count = rows.rows.count
    guard count > 0 else { return .append(number(1...20)) }
    let row = number(0...count - 1)
    switch number(0...39) {
    case 0...9: return .scroll(number(0...1) == 0 ? number(-3...3) : number(-30...30))
    case 10...12:
      let alignments: [ScrollAlignment] = [
        .top, .middle, .bottom, .nearest, .nearest,
        .line(number(-5...max(0, model.viewportHeight - 1))),
      ]
      return .select(row: row, alignments[number(0...5)])
    case 13: return .jumpToTop
    case 14: return .jumpToEnd(following: number(0...1) == 0)
    case 15: return .jumpToFraction(Double(number(0...20)) / 20)
    case 16: return .beginDrag(number(0...95))
    case 17: return count < 40 ? .insert(number(1...3), at: number(0...count)) : .delete(0..<8)
    case 18: return count < 40 ? .append(number(1...3)) : .delete(count - 8..<count)
    case 19: return count < 40 ? .prepend(number(1...3)) : .delete(2..<9)
    case 20: return .delete(row..<min(count, row + number(1...4)))
    case 21: return .move(from: row, to: number(0...count - 1))
    case 22: return .reload(row: row)
    case 23...24: return .batch
    case 25: return .wrongBatch
    case 26...29: return .resize(row: row, picture: number(0...8))
    case 30: return .width([10, 25, 40, 80][number(0...3)])
    case 31: return .viewport(number(1...16))
    case 32...34:
      return .askForPicture(row: row, lines: number(0...8), delay: number(0...12))
    case 35...36: return .measureIdle
    case 37: return .cacheOff
    default: return .idle
    }
  }

  func perform(_ operation: Operation, _ step: inout Step) {
    switch operation {
    case .scroll(let lines):
      step.expectedTop = min(max(0, step.before.topLine + lines), limit)
      step.moved = model.scroll(byLines: lines, in: rows)
    case .select(let row, let alignment): select(row, alignment, &step)
    case .jumpToTop:
      step.expectedTop = 0
      model.scrollToTop(in: rows)
    case .jumpToEnd(let following):
      step.expectedTop = limit
      model.scrollToEnd(following: following, in: rows)
    case .jumpToFraction(let fraction):
      let row = Int(Double(rows.rows.count) * fraction)
      step.expectedTop =
        fraction < 1 ? min(limit, rows.start(ofRow: row)) : limit
      model.scroll(toFraction: fraction, in: rows)
    case .beginDrag(let pointer): model.beginDrag(pointer: pointer, track: Self.track, in: rows)
    case .drag(let pointer): model.drag(to: pointer, in: rows)
    case .endDrag:
      step.expectedTop = step.before.topLine
      model.endDrag()
    case .insert(let count, let row): insert(count, at: row, &step)
    case .append(let count): insert(count, at: rows.rows.count, &step)
    case .prepend(let count): insert(count, at: 0, &step)
    case .delete(let range):
      rows.rows.removeSubrange(range)
      apply(&step) { $0.delete(range) }
    case .move(let from, let to):
      rows.rows.insert(rows.rows.remove(at: from), at: to)
      apply(&step, moved: [step.oldRows[from].id]) { $0.move(from: from, to: to) }
    case .reload(let row):
      change(row) { $0.characters = number(0...200) }
      apply(&step) { $0.reload(row) }
    case .batch: batch(&step)
    case .wrongBatch: wrongBatch(&step)
    case .resize(let row, let picture):
      change(row) { $0.picture = picture }
      setHeight(ofRow: row, &step)
    case .width, .viewport: resize(operation, &step)
    case .askForPicture(let row, let lines, let delay):
      pictures.append(
        Picture(
          id: rows.rows[row].id, version: rows.rows[row].version, lines: lines,
          due: time + delay))
      step.expectedTop = step.before.topLine
    case .pictureArrives(let row, let isStale):
      let due = pictures.firstIndex { $0.due <= time }
      let picture = due.map { pictures.remove(at: $0) }
      step.expectedTop = step.before.topLine
      guard let row, let picture, !isStale else { return }
      change(row) { $0.picture = picture.lines }
      setHeight(ofRow: row, &step)
    case .measureIdle:
      step.expectedTop = step.before.topLine
      model.measureIdleRows(budget: 3, in: rows)
    case .cacheOff:
      epoch += 1
      step.expectedTop = kept()
      model.reload(runs: [(kind: 0, count: rows.rows.count)], in: rows)
    case .idle:
      step.expectedTop = step.before.topLine
      model.layout(in: rows)
    }
  }

  private func change(_ row: Int, _ body: (inout TestRows.Row) -> Void) {
    body(&rows.rows[row])
    rows.rows[row].version += 1
  }

  // MARK: - What the array says

  /// The line of an anchor, now.
  private func kept(_ anchor: ScrollAnchor? = nil) -> Int {
    if model.isFollowing { return limit }
    guard let anchor = anchor ?? model.displayed,
      let row = rows.rows.firstIndex(where: { $0.id == anchor.rowID.rawValue })
    else { return 0 }
    let last = max(0, rows.height(rows.rows[row]) - 1)
    let line = min(max(0, rows.line(of: anchor.place, inRow: row)), last)
    return min(limit, rows.start(ofRow: row) + line)
  }

  private func select(_ row: Int, _ alignment: ScrollAlignment, _ step: inout Step) {
    let start = rows.start(ofRow: row)
    let height = rows.height(rows.rows[row])
    let (top, lines) = (step.before.topLine, model.viewportHeight)
    var target = start
    switch alignment {
    case .top: break
    case .middle: target = start - max(0, (lines - height) / 2)
    case .bottom: target = start - (lines - height)
    case .line(let line): target = min(start - line, start + max(0, height - 1))
    case .nearest:
      let showsSome = start < top + lines && start + height > top
      if start + height <= top, row < step.before.top.row {
        target = height > lines ? start + height - lines : start
      } else if start >= top + lines {
        target = start - max(0, lines - height)
      } else if showsSome, height <= lines {
        target = min(start, max(top, start + height - lines))
      } else {
        target = top
      }
    }
    step.expectedTop = min(max(0, target), limit)
    do { try model.scroll(toRow: row, at: alignment, in: rows) } catch { step.error = error }
  }

  private func setHeight(ofRow row: Int, _ step: inout Step) {
    step.expectedTop = kept()
    model.setHeights([(row: row, height: rows.height(rows.rows[row]))], in: rows)
  }

  private func resize(_ operation: Operation, _ step: inout Step) {
    let (oldWidth, oldHeight) = (rows.width, model.viewportHeight)
    var height = oldHeight
    switch operation {
    case .width(let width): rows.width = width
    case .viewport(let lines): height = lines
    default: break
    }
    if rows.width != oldWidth { epoch += 1 }
    let anchor = model.anchor
    model.resize(width: rows.width, viewportHeight: height, in: rows)
    // Told with the new height, which the model has now.
    let isSame = rows.width == oldWidth && height == oldHeight
    step.expectedTop = isSame ? step.before.topLine : kept(anchor)
  }

  // MARK: - Updates

  private func insert(_ count: Int, at row: Int, _ step: inout Step) {
    rows.rows.insert(contentsOf: (0..<count).map { _ in newRow() }, at: row)
    apply(&step) { $0.insert(row..<row + count) }
  }

  /// Applies updates whose result `rows` has already; says where the reader's line must be then.
  private func apply(
    _ step: inout Step, moved: Set<UInt64> = [], _ change: (inout BatchUpdates) -> Void
  ) {
    var updates = BatchUpdates()
    change(&updates)
    let anchor = model.displayed
    do {
      try model.apply(updates, newCount: rows.rows.count, in: rows)
    } catch { step.error = error }
    guard !rows.rows.isEmpty, let anchor else {
      step.expectedTop = 0
      return
    }
    let old = step.oldRows
    let ids = rows.rows.map(\.id)
    guard !ids.contains(anchor.rowID.rawValue), !model.isFollowing else {
      step.expectedTop = kept(anchor)
      return
    }
    // The next row after it that stayed, else the last one before it.
    let gone = old.firstIndex { $0.id == anchor.rowID.rawValue } ?? 0
    let stayed = Set(ids).subtracting(moved)
    let heir =
      old[gone...].first { stayed.contains($0.id) } ?? old[..<gone].last { stayed.contains($0.id) }
    let row = heir.flatMap { heir in ids.firstIndex(of: heir.id) } ?? 0
    step.expectedTop = min(limit, rows.start(ofRow: row))
  }

  private func batch(_ step: inout Step) {
    let old = rows.rows
    var updates = BatchUpdates()
    var gone = Set<Int>()
    var sources: [Int] = []
    for row in old.indices {
      switch number(0...30) {
      case 0...1:
        gone.insert(row)
        updates.delete(row..<row + 1)
      case 2:
        gone.insert(row)
        sources.append(row)
      case 3:
        change(row) { $0.characters += 30 }
        updates.reload(row)
      default: break
      }
    }
    let changed = rows.rows
    var new = changed.indices.filter { !gone.contains($0) }.map { changed[$0] }
    let added = old.count > 40 ? 0 : number(0...3)
    var insertions: [Int?] = sources + Array(repeating: nil, count: added)
    insertions.shuffle(using: &random)
    let places = (0..<new.count + insertions.count).shuffled(using: &random)
      .prefix(insertions.count).sorted()
    for (place, source) in zip(places, insertions) {
      if let source {
        updates.move(from: source, to: place)
        new.insert(changed[source], at: place)
      } else {
        updates.insert(place..<place + 1)
        new.insert(newRow(), at: place)
      }
    }
    rows.rows = new
    apply(&step, moved: Set(sources.map { old[$0].id })) { $0 = updates }
  }

  private func wrongBatch(_ step: inout Step) {
    var updates = BatchUpdates()
    let count = rows.rows.count
    switch number(0...3) {
    case 0: updates.insert(0..<2)
    case 1: updates.delete(count - 1..<count + 1)
    case 2:
      updates.delete(0..<1)
      updates.move(from: 0, to: 0)
      updates.insert(0..<1)
    default: updates.reload(count)
    }
    step.expectedTop = step.before.topLine
    do { try model.apply(updates, newCount: count, in: rows) } catch { step.error = error }
  }
}
