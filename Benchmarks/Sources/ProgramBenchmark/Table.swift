/// Lines of columns: the first aligned left, all others right.
struct Table {
  private var rows: [[String]] = []

  init(_ head: [String]) { rows.append(head) }

  mutating func add(_ row: [String]) { rows.append(row) }

  func print() {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    for row in rows {
      let cells = row.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + space : space + text
      }
      Swift.print("  " + cells.joined(separator: "  "))
    }
  }

  /// Three digits that matter, whole from 100 on.
  static func figure(_ value: Double?) -> String {
    guard let value else { return "–" }
    let digits = value < 10 ? 100.0 : value < 100 ? 10.0 : 1.0
    let rounded = (value * digits).rounded() / digits
    return digits == 1 ? "\(Int(rounded))" : "\(rounded)"
  }

  static func ratio(_ value: Double?, to other: Double?) -> String {
    guard let value, let other, other > 0 else { return "–" }
    return figure(value / other)
  }
}
