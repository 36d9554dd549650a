import ConstraintLayout
import Geometry
import TerminalViews
import Testing
import VirtualList

@testable import Inspector

/// A list of cells whose height is set by one of two constraints.
@MainActor private final class Switching: ListViewDataSource {
  final class Cell: ListViewCell {
    let box = View(name: "box")
    let low: LayoutConstraint
    let high: LayoutConstraint

    init() {
      low = box.heightAnchor.constraint(equalToConstant: 2).labeled("low")
      high = box.heightAnchor.constraint(equalToConstant: 5).labeled("high")
      super.init(name: "cell")
      addSubview(box)
      box.edgesToSuperview()
      low.isActive = true
    }

    override var keyConstraints: [LayoutConstraint] { [low, high] }
  }

  let list = ListView(name: "list")
  var log = ChangeLog()

  init(height: Int) {
    list.register({ Cell() }, forCellReuseIdentifier: "cell")
    list.frame = Rect(x: 0, y: 0, width: 31, height: height)
    list.dataSource = self
    list.onResize = { [unowned self] in log.note($0) }
    frame()
  }

  func numberOfRows(in listView: ListView) -> Int { 30 }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    RowID(UInt64(indexPath.row))
  }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    list.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
  }

  func frame() {
    list.layoutList()
    log.observe(list, inspected: 0)
  }

  func change(row: Int, _ body: (Cell) -> Void) {
    guard let cell = list.cellForRow(at: IndexPath(row: row)) as? Cell else { return }
    body(cell)
    list.noteHeightChanged(of: cell)
    frame()
  }
}

@MainActor @Suite struct ChangeLogTests {
  @Test func aSwitchNamesBothConstraints() {
    let switching = Switching(height: 12)
    #expect(switching.log.last == "")
    switching.change(row: 1) {
      $0.low.isActive = false
      $0.high.isActive = true
    }
    let sentence = "low went, high came: row 2 grew from 2 to 5"
    #expect(switching.log.last == sentence)
    switching.frame()
    #expect(switching.log.last == sentence)
  }

  @Test func constantsAreShownOldAndNew() {
    let switching = Switching(height: 12)
    switching.change(row: 2) { $0.low.constant = 11 }
    #expect(switching.log.last == "low: constant 2 → 11: row 3 grew from 2 to 11")
    switching.change(row: 2) { $0.low.constant = 1 }
    #expect(switching.log.last == "low: constant 11 → 1: row 3 shrank from 11 to 1")
  }

  @Test func aNewWidthIsShownOnce() {
    let switching = Switching(height: 12)
    switching.list.frame.size.width = 21
    switching.frame()
    #expect(switching.log.last == "30 → 20 columns: no row in sight changed")
    switching.change(row: 0) { $0.low.constant = 3 }
    #expect(switching.log.last == "low: constant 2 → 3: row 1 grew from 2 to 3")
  }

  @Test func growthAboveIsCounted() {
    let switching = Switching(height: 12)
    switching.list.scroll(byLines: 4)
    switching.log.noteMove()
    switching.frame()
    #expect(switching.log.growth(drift: 0) == "")
    switching.change(row: 1) { $0.low.constant = 9 }
    #expect(
      switching.log.growth(drift: 0)
        == "rows above grew by 7 lines, what you read moved by 0 lines")
    switching.change(row: 1) { $0.low.constant = 8 }
    #expect(
      switching.log.growth(drift: 0)
        == "rows above grew by 7 lines and shrank by 1 line, what you read moved by 0 lines")
    // Rows below the top edge do not count.
    switching.change(row: 3) { $0.low.constant = 9 }
    #expect(switching.log.growth(drift: 0).contains("by 7 lines and shrank by 1 line"))
  }
}
