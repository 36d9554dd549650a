import TestSupport
import Testing
import VirtualList

@testable import TerminalViews

@MainActor @Suite struct CellStoreTests {
  /// Performs every operation on a store and on its model.
  @MainActor private final class Driver {
    let store = CellStore()
    let naive = NaiveCells()
    private let list = ListView()
    private let owner: CellBinder
    private var random: SeededGenerator
    private var nextID: UInt64 = 1000
    private var width = 40

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      owner = CellBinder(
        list: list, model: ListModel(width: 1, viewportHeight: 0), cells: CellStore())
      store.owner = owner
      for identifier in ["a", "b"] {
        store.register(identifier) { [naive] in
          let cell = LineCell()
          naive.made(cell)
          return cell
        }
      }
      naive.order = (0..<30).map { RowID($0) }
      resize(width: 40, screenHeight: 4)
    }

    private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private func resize(width: Int, screenHeight: Int) {
      self.width = width
      store.resize(width: width, screenHeight: screenHeight)
      naive.resize(width: width, screenHeight: screenHeight)
    }

    /// The operation's name, and the difference it caused, if any.
    func step() -> (name: String, problem: String?) {
      guard !naive.order.isEmpty else {
        move()
        return ("rows come", nil)
      }
      let row = number(0...naive.order.count - 1)
      let range = row..<min(naive.order.count, row + number(0...8))
      switch number(0...23) {
      case 0...6: return ("obtain \(row)", obtain(row))
      case 7...9: return ("prefetch \(row)", prefetch(row))
      case 10...11:
        store.show(range)
        naive.show(range)
        return ("show \(range)", nil)
      case 12:
        store.retain(row)
        naive.retain(row: row)
        return ("retain \(row)", nil)
      case 13:
        store.retainAll(outside: range)
        naive.retainAll(outside: range)
        return ("retain all but \(range)", nil)
      case 14:
        store.release(row)
        naive.release(row: row)
        return ("release \(row)", nil)
      case 15:
        store.releasePrefetched(outside: range)
        naive.releasePrefetched(outside: range)
        return ("release prefetched but \(range)", nil)
      case 16:
        store.trimDeparted()
        naive.trim()
        return ("trim", nil)
      case 17:
        let isPinned = number(0...1) == 0
        store.setPinned(isPinned, row: row)
        naive.setPinned(isPinned, row: row)
        return ("pin \(row): \(isPinned)", nil)
      case 18:
        store.setChanged(row)
        naive.setChanged(row: row)
        return ("change \(row)", nil)
      case 19: return ("measure changes", measureChanges())
      case 20:
        naive.cell(ofRow: row)?.cell.waits = number(0...3) > 0
        if number(0...3) == 0 { naive.cell(ofRow: row)?.cell.setNeedsLayout() }
        return ("cell of \(row)", nil)
      case 21 where number(0...4) == 0:
        resize(width: [20, 40][number(0...1)], screenHeight: number(1...6))
        return ("resize", nil)
      case 22 where number(0...9) == 0:
        store.releaseAll()
        naive.releaseAll()
        return ("release all", nil)
      case 23:
        let cell = dequeue()
        store.discard(cell)
        naive.discard(cell)
        return ("discard", nil)
      default:
        move()
        return ("move", nil)
      }
    }

    /// A cell given out by the store.
    private func dequeue() -> LineCell {
      let identifier = ["a", "b"][number(0...1)]
      let expected = naive.nextIdle(identifier)
      guard let cell = store.dequeue(identifier) as? LineCell else { return LineCell() }
      #expect(expected == nil || cell === expected)
      naive.take(cell)
      cell.waits = number(0...5) > 0
      return cell
    }

    private func layOut(_ cell: LineCell, row: Int) {
      let height = number(0...5)
      cell.layout(width: width, height: height)
      store.setHeight(height, of: cell)
      naive.layOut(row: row, height: height)
      // As in a list, which notices changed heights.
      store.trimDeparted()
      naive.trim()
    }

    private func obtain(_ row: Int) -> String? {
      guard store[row] == nil else { return nil }
      let retained = naive.cell(ofRow: row)?.cell
      let obtained = store.obtain(row) { dequeue() }
      guard let cell = obtained as? LineCell else { return "no cell" }
      cell.isSelected = number(0...9) == 0
      naive.obtain(cell, row: row)
      if cell.slot.width != width || cell.needsLayout { layOut(cell, row: row) }
      return retained == nil || cell === retained ? nil : "another cell than the retained one"
    }

    private func prefetch(_ row: Int) -> String? {
      guard naive.cell(ofRow: row) == nil else { return nil }
      let (cell, height) = (dequeue(), number(0...5))
      cell.layout(width: width, height: height)
      store.prefetch(cell, forRow: row, height: height)
      naive.prefetch(cell, row: row, height: height)
      return nil
    }

    private func measureChanges() -> String? {
      let rows = store.takeChangedRows()
      let expected = naive.takeChanged()
      for row in rows { if let cell = naive.cell(ofRow: row)?.cell { layOut(cell, row: row) } }
      return rows == expected ? nil : "\(rows) instead of \(expected)"
    }

    private func move() {
      var new = naive.order.filter { _ in number(0...19) > 0 }
      for _ in 0..<number(0...2) where new.count > 1 {
        new.insert(new.remove(at: number(0...new.count - 1)), at: number(0...new.count - 1))
      }
      while new.count < 30, number(0...2) > 0 {
        nextID += 1
        new.insert(RowID(nextID), at: number(0...new.count))
      }
      let (old, count) = (naive.order, new.count)
      guard
        let mapping = try? BatchUpdates(from: old, to: new).mapping(from: old.count, to: count)
      else { return }
      store.move(by: mapping)
      naive.move(to: new)
    }
  }

  @Test(arguments: Rounds.seeds(12))
  func randomOperationsAgreeWithANaiveModel(seed: UInt64) {
    let driver = Driver(seed: seed)
    for step in 0..<400 {
      let (name, problem) = driver.step()
      let wrong =
        driver.store.brokenInvariants() + driver.naive.differences(from: driver.store)
        + (problem.map { [$0] } ?? [])
      guard wrong.isEmpty else {
        Issue.record("seed \(seed), step \(step), \(name): \(wrong.joined(separator: "; "))")
        return
      }
    }
  }

  /// Rows that are scrolled past share the cells of a screen, except pinned ones.
  @Test func cellsOfTheFarthestRowsLeaveFirst() {
    let store = store()
    store.setPinned(true, row: 0)
    for row in 0..<12 { obtain(row, height: 3, store) }
    store.retainCells(farFrom: 12, room: 12)
    // The first of them may extend beyond the edge.
    #expect(store.bound.keys.sorted() == [0, 8, 9, 10, 11])
    #expect(store.retained.keys.sorted() == [4, 5, 6, 7], "as many as four screens hold")
    store.retainCells(farFrom: 2, room: 12)
    #expect(store.bound.keys.sorted() == [0, 8, 9, 10, 11])
    store.retainCells(farFrom: 2, room: 6)
    #expect(store.bound.keys.sorted() == [0, 8, 9])
    #expect(store.brokenInvariants() == [])
  }

  @Test func cellsPassThroughTheirStates() throws {
    let store = store()
    obtain(5, height: 2, store)
    let cell = try #require(store[5])
    #expect(store.state(of: cell) == .overscan)
    store.show(3..<7)
    #expect(store.state(of: cell) == .visible)
    store.setPinned(true, row: 5)
    #expect(store.state(of: cell) == .visible)
    store.show(0..<0)
    #expect(store.state(of: cell) == .pinned)
    store.setPinned(false, row: 5)
    #expect(store.state(of: cell) == .overscan)
    store.retain(5)
    #expect(store.state(of: cell) == .departed)
    #expect(store.row(of: cell) == nil && store[5] == nil)
    #expect(store.retained(5) === cell)
    obtain(5, height: 9, store)
    #expect(store[5] === cell && store[5]?.slot.height == 2, "it is laid out already")
    store.release(5)
    #expect(store.state(of: cell) == .idle)
    #expect(store.dequeue("line") === cell)
    #expect(store.state(of: cell) == nil)
    #expect(store.brokenInvariants() == [])
  }

  /// As if the cell of a row is requested while it is being made.
  @Test func aRowKeepsOneCellThoughTwoAreMade() throws {
    let store = store()
    var inner: ListViewCell?
    let outer = store.obtain(5) {
      obtain(5, height: 1, store)
      inner = store[5]
      return store.dequeue("line") ?? LineCell()
    }
    #expect(store[5] === outer)
    #expect(store.state(of: try #require(inner)) == .idle)
    #expect(store.brokenInvariants() == [])
  }

  private func store() -> CellStore {
    let store = CellStore()
    store.register("line") {
      let cell = LineCell()
      cell.waits = true
      return cell
    }
    store.resize(width: 40, screenHeight: 3)
    return store
  }

  private func obtain(_ row: Int, height: Int, _ store: CellStore) {
    let cell = store.obtain(row) { store.dequeue("line") ?? LineCell() }
    guard cell.slot.width == 0 else { return }
    cell.layout(width: 40, height: height)
    store.setHeight(height, of: cell)
  }
}

@MainActor @Suite struct CellPoolTests {
  @Test func idleCellsAreBoundedPerIdentifier() throws {
    let pool = CellPool(capacity: 3)
    pool.register("a") { LineCell() }
    pool.register("b") { LineCell() }
    let cells = try (0..<5).map { _ in try #require(pool.take("a")) }
    for cell in cells { pool.put(cell) }
    #expect(pool.idleCount == 3)
    #expect(pool.createdCount == 5)
    let again = try #require(pool.take("a"))
    #expect(cells.contains { $0 === again })
    #expect(pool.reusedCount == 1)
    let other = try #require(pool.take("b"))
    #expect(!cells.contains { $0 === other })
    #expect(pool.take("c") == nil)
    #expect(pool.reusedCount == 1)
    pool.capacity = 1
    #expect(pool.idleCount == 1)
    #expect(pool.brokenInvariants() == [])
  }

  @Test func aCellIsNeverIdleTwice() throws {
    let pool = CellPool()
    pool.register("a") { LineCell() }
    let cell = try #require(pool.take("a"))
    pool.put(cell)
    pool.put(cell)
    #expect(pool.idleCount == 1)
    #expect(pool.brokenInvariants() == [])
  }

  @Test func registeringAgainReleasesIdleCells() throws {
    let pool = CellPool()
    pool.register("a") { LineCell() }
    let cell = try #require(pool.take("a"))
    pool.put(cell)
    pool.register("a") { LineCell() }
    #expect(pool.idleCount == 0)
    #expect(pool.take("a") !== cell)
  }
}
