@testable import VirtualList

/// Rows of text and pictures for a list model, and the same as a plain array of lines.
///
/// A row is a heading line, its text of `characters` wrapped at the width, and a picture of some
/// lines. Places are (0, character) in the text with the heading as (−1, 0), and (1, line) in the
/// picture.
final class TestRows: ListEnvironment {
  struct Row: Equatable {
    var id: UInt64
    var characters: Int
    var picture = 0
    var isHidden = false
    /// Counts the changes of its content.
    var version = 0
  }

  var rows: [Row]
  var width: Int
  private(set) var measured: [Int] = []

  init(_ rows: [Row], width: Int) {
    self.rows = rows
    self.width = width
  }

  convenience init(count: Int, width: Int, random: inout some RandomNumberGenerator) {
    self.init(
      (0..<count).map { TestRows.row(id: UInt64($0), &random) }, width: width)
  }

  static func row(id: UInt64, _ random: inout some RandomNumberGenerator) -> Row {
    let isLong = Int.random(in: 0..<10, using: &random) == 0
    var row = Row(id: id, characters: Int.random(in: 0...(isLong ? 2000 : 200), using: &random))
    if Int.random(in: 0..<4, using: &random) == 0 {
      row.picture = Int.random(in: 1...12, using: &random)
    }
    row.isHidden = Int.random(in: 0..<15, using: &random) == 0
    return row
  }

  func height(_ row: Row) -> Int {
    row.isHidden ? 0 : 1 + (row.characters + width - 1) / width + row.picture
  }

  func place(_ row: Row, line: Int) -> Place {
    let text = (row.characters + width - 1) / width
    if line == 0 { return Place(part: -1, offset: 0) }
    if line <= text { return Place(part: 0, offset: Int32((line - 1) * width)) }
    return Place(part: 1, offset: Int32(line - 1 - text))
  }

  // MARK: - ListEnvironment

  func rowID(at row: Int) -> RowID { RowID(rows[row].id) }

  func measure(row: Int) -> Int {
    measured.append(row)
    return height(rows[row])
  }

  func place(atLine line: Int, inRow row: Int) -> Place { place(rows[row], line: line) }

  func line(of place: Place, inRow row: Int) -> Int {
    let row = rows[row]
    let text = (row.characters + width - 1) / width
    switch place.part {
    case -1: return 0
    case 0: return 1 + Int(place.offset) / width
    default: return 1 + text + min(Int(place.offset), max(0, row.picture - 1))
    }
  }

  func forgetMeasurements() { measured = [] }

  // MARK: - The naive model

  /// A line of the list: whose, which, and what stands there.
  struct Line: Equatable {
    var id: UInt64
    var line: Int
    var place: Place
  }

  /// Lines of all rows.
  var lineCount: Int {
    var sum = 0
    for row in rows { sum += height(row) }
    return sum
  }

  /// Lines before a row.
  func start(ofRow index: Int) -> Int {
    var sum = 0
    for row in rows[..<index] { sum += height(row) }
    return sum
  }

  /// Some lines of the list, counted through all rows.
  func lines(_ range: Range<Int>) -> [Line] {
    var lines: [Line] = []
    var start = 0
    for row in rows {
      if start >= range.upperBound { break }
      let height = height(row)
      let (low, high) = (max(0, range.lowerBound - start), min(height, range.upperBound - start))
      start += height
      guard low < high else { continue }
      for line in low..<high {
        lines.append(Line(id: row.id, line: line, place: place(row, line: line)))
      }
    }
    return lines
  }

  /// What a model shows, line by line.
  func screen(_ model: ListModel) -> [Line] {
    var lines: [Line] = []
    for shown in model.visible {
      for line in 0..<shown.height where (0..<model.viewportHeight).contains(shown.y + line) {
        let row = rows[shown.row]
        lines.append(Line(id: row.id, line: line, place: place(row, line: line)))
      }
    }
    return lines
  }
}
