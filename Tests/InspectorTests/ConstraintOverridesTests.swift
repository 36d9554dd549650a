import ConstraintLayout
import Geometry
import TerminalViews
import Testing
import VirtualList

@testable import Inspector

/// A list of cells that make a constraint for each row.
@MainActor private final class Rows: ListViewDataSource {
  final class Cell: ListViewCell {
    private let box = View(name: "box")
    private(set) var height: LayoutConstraint?

    init() {
      super.init(name: "cell")
      addSubview(box)
      box.edgesToSuperview()
    }

    func configure(rows: Int) { height = box.height(Double(rows)) }

    override func prepareForReuse() {
      height?.isActive = false
      height = nil
    }
  }

  let list = ListView(name: "list")

  init() {
    list.register({ Cell() }, forCellReuseIdentifier: "cell")
    list.frame = Rect(x: 0, y: 0, width: 31, height: 12)
    list.dataSource = self
    list.layoutList()
  }

  func numberOfRows(in listView: ListView) -> Int { 30 }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    RowID(UInt64(indexPath.row))
  }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    let cell = list.dequeueReusableCell(Cell.self, withIdentifier: "cell", for: indexPath)
    cell.configure(rows: height(ofRow: indexPath.row))
    return cell
  }

  func height(ofRow row: Int) -> Int { 2 + row % 3 }

  func cell(_ row: Int) -> Cell? { list.cellForRow(at: IndexPath(row: row)) as? Cell }
}

@MainActor @Suite struct ConstraintOverridesTests {
  private let rows = Rows()
  private let overrides = ConstraintOverrides()

  @Test func switchesEndWhenAnotherCellIsInspected() throws {
    let cell = try #require(rows.cell(0))
    let height = try #require(cell.height)
    overrides.toggle(height, of: cell)
    overrides.undo(unless: cell)
    #expect(!height.isActive && overrides.all.count == 1)
    overrides.undo(unless: rows.cell(1))
    #expect(height.isActive && overrides.all.isEmpty)
  }

  /// A reused cell has the constraints of its new row alone.
  @Test func switchesEndBeforeTheCellIsReused() throws {
    let cell = try #require(rows.cell(0))
    let height = try #require(cell.height)
    overrides.toggle(height, of: cell)
    rows.list.scrollToRow(at: IndexPath(row: 29), at: .top)
    rows.list.layoutList()
    #expect(overrides.all.isEmpty)
    overrides.undo(unless: rows.cell(29))
    #expect(!height.isActive)
    rows.list.layoutList()
    for shown in rows.list.visibleFrames {
      #expect(shown.height == rows.height(ofRow: shown.row), "row \(shown.row)")
    }
  }
}
