import TestSupport

/// Compares the screen of a demo, from its first row, with the output of `--frames`.
///
/// 1. Cells outside views are blank, except for the selection bar at the left edge and the scroll
///    bar at the right.
/// 2. A text view has text on its first and last lines, and shows the text of its row.
/// 3. A picture view is coloured completely; an icon in at least half of its cells.
struct DemoScreenCheck {
  private static let pictures: Set = ["icon", "picture"]

  private(set) var problems: [String] = []
  private(set) var checkedViews = 0
  private let screen: ScreenSnapshot
  private let listHeight: Int

  init(screen: ScreenSnapshot, listHeight: Int, rows: [DemoRow]) {
    self.screen = screen
    self.listHeight = listHeight
    var covered: Set<[Int]> = []
    var top = 0
    for row in rows where top < listHeight {
      for (name, frame) in row.views where !frame.isEmpty {
        var frame = frame
        frame.y += top
        for y in frame.y..<frame.y + frame.height {
          for x in frame.x..<frame.x + frame.width { covered.insert([x, y]) }
        }
        // A view that extends below the screen cannot be checked.
        if frame.y + frame.height <= listHeight { check(name, of: row, at: frame) }
      }
      top += row.height
    }
    checkBlanks(outside: covered, above: min(top, listHeight))
  }

  private func cells(_ frame: DemoRow.Frame) -> [[ScreenCell]] {
    (frame.y..<frame.y + frame.height).map { y in
      Array(screen.cells[y][frame.x..<min(screen.columns, frame.x + frame.width)])
    }
  }

  private mutating func check(_ name: String, of row: DemoRow, at frame: DemoRow.Frame) {
    checkedViews += 1
    let cells = cells(frame)
    guard Self.pictures.contains(name) else {
      return checkText(cells.map { $0.map(\.text).joined() }, name: name, row: row.row)
    }
    let colored = cells.joined().filter(\.hasPictureColor).count
    let needed = name == "picture" ? frame.width * frame.height : frame.width * frame.height / 2
    if colored < needed {
      problems.append("row \(row.row): \(colored) cells of its \(name) at \(frame) are coloured")
    }
  }

  private mutating func checkText(_ lines: [String], name: String, row: Int) {
    for line in [lines.first, lines.last] where line?.allSatisfy({ $0 == " " }) != false {
      problems.append("row \(row): a line of its \(name) is empty")
    }
    let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    let isRight =
      switch name {
      case "comment":
        text.hasPrefix("The tide turns at")
          && text.split(separator: "tide").count == row + 2
      case "status": text.hasSuffix("\(row + 1)/200")
      case "caption":
        text.split(separator: "x").compactMap { Int($0) }.count == 2
      case "content": row == 0 ? text.hasPrefix("The pier lamps go out one") : true
      case "label": row == 1 ? text.hasPrefix("The harbour") && text.contains("to look") : true
      default: true
      }
    if !isRight { problems.append("row \(row): its \(name) says \"\(text)\"") }
  }

  private mutating func checkBlanks(outside covered: Set<[Int]>, above bottom: Int) {
    for y in 0..<bottom {
      for x in 1..<screen.columns - 1 where !covered.contains([x, y]) {
        let cell = screen.cells[y][x]
        guard cell.text == " ", cell.background == .standard else {
          problems.append("\"\(cell.text)\" at column \(x) of line \(y) belongs to no view")
          return
        }
      }
    }
  }
}

extension ScreenCell {
  /// Whether the cell has an RGB colour, as pictures do; text has colours of the palette.
  var hasPictureColor: Bool {
    for color in [foreground, background] {
      if case .rgb = color { return true }
    }
    return false
  }
}
