import Geometry
import Terminal
import TestSupport
import Testing
import VirtualList

@testable import TerminalViews

/// A cell that draws `id.line` on each of its lines, and `id#line` on the lines of its picture.
@MainActor final class LineCell: ListViewCell {
  struct Content: Equatable {
    var id: UInt64
    var characters: Int
    var picture = 0
    /// Whether it has no lines.
    var isGone = false
  }

  private(set) var content = Content(id: 0, characters: 0)
  private(set) var preparedCount = 0
  /// Called when it is measured.
  var onMeasure: (() -> Void)?
  /// Whether it can wait for its row to return.
  var waits = false
  override var canBeRetained: Bool { waits }
  /// Columns of the selection's mark.
  var markWidth = 0
  override var selectionMarkWidth: Int { markWidth }
  private(set) var drawnCount = 0
  /// Whether it reports that it is current.
  var current: () -> Bool = { true }
  override var isCurrent: Bool { current() }
  /// Whether it requests layout whenever it is drawn: a cell that never comes to rest.
  var isRestless = false

  func configure(_ content: Content) {
    self.content = content
    setNeedsLayout()
  }

  override func prepareForReuse() { preparedCount += 1 }

  private func textLines(_ width: Int) -> Int { (content.characters + width - 1) / width }

  override func heightThatFits(width: Int) -> Int {
    onMeasure?()
    return content.isGone ? 0 : 1 + textLines(width) + content.picture
  }

  override func layout(width: Int, height: Int) {
    frame = Rect(x: 0, y: 0, width: width, height: height)
    markLaidOut()
  }

  override func place(atLine line: Int) -> Place {
    let text = textLines(frame.width)
    if line == 0 { return Place(part: -1, offset: 0) }
    if line <= text { return Place(part: 0, offset: Int32((line - 1) * frame.width)) }
    return Place(part: 1, offset: Int32(line - 1 - text))
  }

  override func line(of place: Place) -> Int {
    switch place.part {
    case -1: 0
    case 0: 1 + Int(place.offset) / frame.width
    default: 1 + textLines(frame.width) + Int(place.offset)
    }
  }

  override func drawSelectionMark(in canvas: inout Canvas, at origin: Point) {
    guard isSelected, markWidth > 0 else { return }
    for line in 0..<frame.height { canvas.draw("▌", at: origin.offset(dx: 0, dy: line)) }
  }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    super.draw(in: &canvas, at: origin)
    drawnCount += 1
    let text = 1 + textLines(frame.width)
    for line in 0..<frame.height {
      let mark = line < text ? "\(content.id).\(line)" : "\(content.id)#\(line - text)"
      canvas.draw(mark, at: origin.offset(dx: markWidth, dy: line))
    }
    if isRestless { content.picture += 1 }
  }
}

/// A list over an array, and its screen.
@MainActor final class ListHarness: ListViewDataSource, ListViewDelegate {
  var rows: [LineCell.Content]
  /// The list's rows as it knows them, and their cells: for inspection only.
  let model = ListModel(width: 1, viewportHeight: 0)
  let store = CellStore()
  let list: ListView
  private(set) var cells: [LineCell] = []
  private(set) var errors: [ListUpdateError] = []
  private(set) var displayed: Set<UInt64> = []
  /// Rows whose selection the delegate was notified of.
  private(set) var selectedByUser: [Int] = []
  /// Whether cells wait for rows that have left to return.
  var keepsCells = false
  /// Columns of the selection's mark.
  var markWidth = 0
  /// Rows measured by their cells, in order.
  var measured: [UInt64] = []
  /// The most cells that had rows at the same time, whenever one was requested.
  private(set) var mostLiveCells = 0
  /// The identifier of the cell that a row needs.
  var identifier: (LineCell.Content) -> String = { _ in "line" }
  /// The bound of a row's height that is provided without its cell, by the actual height.
  var bound: (Int) -> Int? = { _ in nil }

  init(_ rows: [LineCell.Content], width: Int = 41, height: Int = 20) {
    self.rows = rows
    list = ListView(name: "list", model: model, cells: store)
    for identifier in ["line", "other"] {
      list.register(
        { [unowned self] in
          let cell = LineCell()
          cell.onMeasure = { [unowned self, unowned cell] in measured.append(cell.content.id) }
          cells.append(cell)
          return cell
        }, forCellReuseIdentifier: identifier)
    }
    list.dataSource = self
    list.delegate = self
    list.onUpdateError = { [unowned self] in errors.append($0) }
    list.frame = Rect(x: 0, y: 0, width: width, height: height)
  }

  convenience init(count: Int, seed: UInt64? = nil, height: Int = 20) {
    var random = SeededGenerator(seed: seed ?? 0)
    self.init(
      (0..<count).map { id in
        LineCell.Content(
          id: UInt64(id),
          characters: seed == nil ? 80 : Int.random(in: 0...600, using: &random))
      }, height: height)
  }

  func numberOfRows(in listView: ListView) -> Int { rows.count }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    mostLiveCells = max(mostLiveCells, listView.statistics.liveCells + 1)
    let cell = listView.dequeueReusableCell(
      LineCell.self, withIdentifier: identifier(rows[indexPath.row]), for: indexPath)
    cell.waits = keepsCells
    cell.markWidth = markWidth
    cell.configure(rows[indexPath.row])
    return cell
  }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    RowID(rows[indexPath.row].id)
  }

  func listView(_ listView: ListView, heightBoundForRowAt indexPath: IndexPath) -> Int? {
    let content = rows[indexPath.row]
    if content.isGone { return nil }
    let width = listView.rowWidth
    return bound(1 + (content.characters + width - 1) / width + content.picture)
  }

  func listView(
    _ listView: ListView, willDisplay cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {
    displayed.insert(rows[indexPath.row].id)
  }

  func listView(
    _ listView: ListView, didEndDisplaying cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {
    if let cell = cell as? LineCell { displayed.remove(cell.content.id) }
  }

  func listView(_ listView: ListView, didSelectRowAt indexPath: IndexPath) {
    selectedByUser.append(indexPath.row)
  }

  /// The next frame's canvas.
  func canvas() -> Canvas {
    list.layoutList()
    #expect(store.brokenInvariants() == [])
    let shown = store.bound.filter { $0.value.slot.state == .visible }.keys
    #expect(Set(shown) == Set(list.visibleRows ?? 0..<0))
    var canvas = Canvas(size: list.frame.size)
    list.render(into: &canvas, origin: .zero)
    return canvas
  }

  /// The next frame without the scroll bar, line by line.
  func screen() -> [String] {
    let canvas = canvas()
    return (0..<canvas.size.height).map { y in
      var text: [UInt32] = []
      var end = 0
      for x in 0..<canvas.size.width - 1 {
        text.append(canvas[x, y].scalars.0)
        if text[x] != 0x20 { end = x + 1 }
      }
      return String(decoding: text[..<end], as: UTF32.self)
    }
  }

  /// The lines of a screen that begins at a line of a row.
  func lines(from top: ScrollPosition) -> [String] {
    let width = list.frame.width - 1
    var lines: [String] = []
    for row in rows[top.row...] where lines.count < list.frame.height + top.line {
      let text = 1 + (row.characters + width - 1) / width
      lines += (0..<text).map { "\(row.id).\($0)" }
      lines += (0..<row.picture).map { "\(row.id)#\($0)" }
    }
    let shown = Array(lines.dropFirst(top.line).prefix(list.frame.height))
    return shown + Array(repeating: "", count: list.frame.height - shown.count)
  }

  /// The row of each of these lines.
  func rowsOfLines(from top: ScrollPosition) -> [Int] {
    let width = list.frame.width - 1
    var owners: [Int] = []
    for (index, row) in rows.enumerated().dropFirst(top.row) {
      let lines = 1 + (row.characters + width - 1) / width + row.picture
      owners += Array(repeating: index, count: lines)
    }
    return Array(owners.dropFirst(top.line).prefix(list.frame.height))
  }

  /// Lets the picture of a row arrive: its live cell, if it has one, grows.
  func grow(row: Int, to picture: Int) {
    rows[row].picture = picture
    (list.cellForRow(at: IndexPath(row: row)) as? LineCell)?.configure(rows[row])
  }
}

extension CellStore {
  /// The cells that callers see as those of rows.
  var bound: [Int: ListViewCell] { cells { self[$0] } }

  /// The cells retained for rows.
  var retained: [Int: ListViewCell] { cells { retained($0) } }

  private func cells(_ cell: (Int) -> ListViewCell?) -> [Int: ListViewCell] {
    var cells: [Int: ListViewCell] = [:]
    for row in preparedRows { cells[row] = cell(row) }
    return cells
  }
}
