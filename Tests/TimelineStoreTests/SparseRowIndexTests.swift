import System
import TestSupport
import Testing

@testable import TimelineStore

/// Rows that are located before they are counted, compared with an array of all rows.
@Suite struct SparseRowIndexTests {
  /// Labels of the list's rows: the byte at which a row begins, or `nil` while it is estimated.
  private func labels(_ map: SparseRowIndex, _ starts: [Int]) -> [Int?] {
    (0..<map.count).map { row in
      switch map.place(of: row) {
      case .counted: starts[row]
      case .known(let range): range.lowerBound
      case .guessed, .outside: nil
      }
    }
  }

  @Test func locatingKeepsTheCountAndCountingKeepsRows() throws {
    for seed in Rounds.seeds(50) {
      var generator = SeededGenerator(seed: seed)
      let total = Int.random(in: 2...400, using: &generator)
      var starts = [0]
      for _ in 1..<total {
        starts.append(starts[starts.count - 1] + Int.random(in: 1...90, using: &generator))
      }
      let size = starts[total - 1] + 10
      let end = { (rows: Int) in rows < total ? starts[rows] : size }
      var counted = Int.random(in: 0...min(5, total), using: &generator)
      var map = SparseRowIndex(
        counted: counted, end: end(counted), looked: end(counted), size: size,
        isComplete: counted == total)
      while counted < total {
        if Bool.random(using: &generator), map.count > 0 {
          look(at: Int.random(in: 0..<map.count, using: &generator), in: &map, starts, &generator)
        } else {
          counted = min(total, counted + Int.random(in: 0...total / 3 + 1, using: &generator))
          let before = labels(map, starts)
          let change = map.reconcile(
            counted: counted, end: end(counted), looked: end(counted), all: counted == total
          ) { (starts.firstIndex(of: $0) ?? -1, true) }
          try check(before, labels(map, starts), change, "seed \(seed)")
        }
        let known = labels(map, starts).compactMap { $0 }
        #expect(known == known.sorted() && Set(known).count == known.count, "seed \(seed)")
      }
      #expect(labels(map, starts) == starts.map { $0 }, "seed \(seed)")
      #expect(map.isCounted)
    }
  }

  private func look(
    at row: Int, in map: inout SparseRowIndex, _ starts: [Int], _ generator: inout SeededGenerator
  ) {
    guard case .guessed(let part, let rank) = map.place(of: row) else { return }
    let gap = map.parts[part].gap
    let inside = starts.filter { gap.bytes.contains($0) }
    guard !inside.isEmpty else { return }
    let count = map.count
    let some = Int.random(in: 1...inside.count, using: &generator)
    let next = { (index: Int) in index < inside.count ? inside[index] : gap.bytes.upperBound }
    switch Int.random(in: 0..<3, using: &generator) {
    case 0:
      map.extendDown(part: part, offsets: Array(inside.prefix(some)), end: next(some))
    case 1:
      let rows = Array(inside.suffix(some))
      map.extendUp(part: part, offsets: rows, start: rows[0])
    default:
      let first = Int.random(in: 0..<inside.count, using: &generator)
      let rows = Array(inside[first...].prefix(some))
      map.split(part: part, at: rank, offsets: rows, end: next(first + rows.count))
    }
    #expect(map.count == count)
  }

  /// Applies the change to the old rows, and compares those that were known.
  private func check(
    _ before: [Int?], _ after: [Int?],
    _ change: (deletions: [Range<Int>], insertions: [Range<Int>]),
    _ note: String
  ) throws {
    var rows = before
    for range in change.deletions.sorted(by: { $0.lowerBound > $1.lowerBound }) {
      #expect(before[range].allSatisfy { $0 == nil }, "\(note): known rows deleted")
      rows.removeSubrange(range)
    }
    for range in change.insertions.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      try #require(range.lowerBound <= rows.count, "\(note)")
      rows.insert(contentsOf: repeatElement(nil, count: range.count), at: range.lowerBound)
    }
    try #require(rows.count == after.count, "\(note)")
    for (old, new) in zip(rows, after) where old != nil {
      #expect(old == new, "\(note): a row that was looked at moved")
    }
  }

  /// Rows located inside the text of a row are not rows: none of them remains.
  @Test func falseRowsAreReplaced() throws {
    for seed in Rounds.seeds(50) {
      var generator = SeededGenerator(seed: seed)
      let total = Int.random(in: 3...200, using: &generator)
      let starts = (0..<total).map { $0 * 50 }
      let size = total * 50
      let end = { (rows: Int) in rows < total ? starts[rows] : size }
      let rowAt = { (offset: Int) in
        (row: starts.partitionPoint { $0 < offset }, isExact: offset % 50 == 0 && offset < size)
      }
      var counted = 1
      var map = SparseRowIndex(counted: 1, end: 50, looked: 50, size: size, isComplete: false)
      while counted < total {
        if Bool.random(using: &generator), map.count > 0,
          case .guessed(let part, let rank) = map.place(
            of: Int.random(in: 0..<map.count, using: &generator))
        {
          let gap = map.parts[part].gap
          let isTrue = Bool.random(using: &generator)
          let inside = gap.bytes.filter { $0 % (isTrue ? 50 : 35) == 0 }
          guard let first = inside.indices.randomElement(using: &generator) else { continue }
          let rows = Array(inside[first...].prefix(Int.random(in: 1...9, using: &generator)))
          let next =
            first + rows.count < inside.count ? inside[first + rows.count] : gap.bytes.upperBound
          map.split(part: part, at: rank, offsets: rows, end: next)
        } else {
          counted = min(total, counted + Int.random(in: 0...total / 3 + 1, using: &generator))
          var before = labels(map, starts)
          let change = map.reconcile(
            counted: counted, end: end(counted), looked: end(counted), all: counted == total,
            rowAt: rowAt)
          for range in change.deletions.sorted(by: { $0.lowerBound > $1.lowerBound }) {
            before.removeSubrange(range)
          }
          for range in change.insertions.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            try #require(range.lowerBound <= before.count, "seed \(seed)")
            before.insert(
              contentsOf: repeatElement(nil, count: range.count), at: range.lowerBound)
          }
          let after = labels(map, starts)
          try #require(before.count == after.count, "seed \(seed)")
          for (old, new) in zip(before, after) where old != nil {
            #expect(old == new, "seed \(seed): a row that stays moved")
          }
        }
      }
      #expect(labels(map, starts) == starts.map { $0 }, "seed \(seed)")
      #expect(map.isCounted)
    }
  }

  @Test func tenMillionRowsAreOneGap() {
    let map = SparseRowIndex(
      counted: 160, end: 64 << 10, looked: 64 << 10, size: 4 << 30, isComplete: false)
    #expect(map.parts.count == 1)
    #expect((10_000_000...11_000_000).contains(map.count))
  }
}
