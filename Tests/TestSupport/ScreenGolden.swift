import FoundationEssentials
import Testing

/// Compares a screen with the one kept in `Goldens/NAME.txt` beside the test's source file.
///
/// A difference fails the test and shows both screens with marks at the cells that differ. With
/// `TIDELINE_RECORD=1` in the environment the file is written instead, and the test fails once to
/// report that. Only the text is compared: test colours by individual cells. Line numbers of Swift
/// files may differ, so that a comment in a cell's source changes no screen.
public func expectScreen(
  _ screen: ScreenSnapshot, matches name: String, sourceLocation: SourceLocation = #_sourceLocation,
  file: String = #filePath
) throws {
  let folder = file[..<(file.lastIndex(of: "/") ?? file.endIndex)] + "/Goldens"
  let golden = ScreenGolden(path: "\(folder)/\(name).txt")
  if ProcessInfo.processInfo.environment["TIDELINE_RECORD"] == "1" {
    try FileManager.default.createDirectory(
      atPath: String(folder), withIntermediateDirectories: true)
    try Data((screen.text + "\n").utf8).write(to: URL(filePath: golden.path))
    Issue.record("recorded \(golden.path); run again to compare", sourceLocation: sourceLocation)
    return
  }
  if let report = golden.report(on: screen) {
    Issue.record("\(report)", sourceLocation: sourceLocation)
  }
}

extension ScreenSnapshot {
  /// The screen of a program without a terminal.
  ///
  /// - Parameter lines: the text of all rows.
  public static func showing(_ lines: [String], columns: Int) -> ScreenSnapshot {
    let paper = VirtualScreen(columns: max(columns, 1), rows: max(lines.count, 1))
    for (row, line) in lines.enumerated() { paper.feed("\u{1b}[\(row + 1);1H\(line)".utf8) }
    return paper.snapshot()
  }
}

/// A kept screen, and its comparison with another.
struct ScreenGolden {
  let path: String

  /// The problem of `screen`; `nil` if it has the kept text.
  func report(on screen: ScreenSnapshot) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else {
      return """
        there is no \(path); record it with TIDELINE_RECORD=1. The screen is:
        \(screen.text)
        """
    }
    return difference(of: screen, from: String(decoding: data, as: UTF8.self))
  }

  /// Both screens with marks below the cells that differ; `nil` if the text is the same.
  func difference(of screen: ScreenSnapshot, from expected: String) -> String? {
    // Drawn by the same emulator, so that both have their wide characters in the same columns.
    let paper = VirtualScreen(columns: max(screen.columns, 1), rows: max(screen.rows, 1))
    var lines = expected.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    for (row, line) in lines.prefix(screen.rows).enumerated() {
      paper.feed("\u{1b}[\(row + 1);1H\(line)".utf8)
    }
    let wanted = paper.snapshot()
    var report: [String] = []
    if lines.count > screen.rows {
      report.append("\(path) has \(lines.count) rows, the screen \(screen.rows)")
    }
    var differs = lines.count > screen.rows
    var pictures: [String] = []
    for row in 0..<screen.rows {
      let marks = marks(screen.cells[row], wanted.cells[row])
      guard !marks.isEmpty else {
        pictures.append("\(number(row))  \(screen.line(row))")
        continue
      }
      differs = true
      pictures.append("\(number(row))- \(wanted.line(row))")
      pictures.append("\(number(row))+ \(screen.line(row))")
      pictures.append("     \(marks)")
    }
    guard differs else { return nil }
    report.append("the screen differs from \(path)")
    report.append("(- expected, + found, ^ cells that differ):")
    return (report + pictures).joined(separator: "\n")
  }

  private func number(_ row: Int) -> String {
    let digits = String(row)
    return String(repeating: " ", count: max(0, 3 - digits.count)) + digits
  }

  /// `^` below every cell whose text differs; empty if there is none.
  private func marks(_ found: [ScreenCell], _ wanted: [ScreenCell]) -> String {
    var marks = ""
    for (a, b) in zip(withoutLineNumbers(found), withoutLineNumbers(wanted)) {
      marks += a == b ? " " : "^"
    }
    while marks.last == " " { marks.removeLast() }
    return marks
  }

  /// The text of each cell, `#` for the digits after `.swift:`.
  private func withoutLineNumbers(_ cells: [ScreenCell]) -> [String] {
    var texts = cells.map(\.text)
    for end in texts.indices where texts[..<end].suffix(7).joined() == ".swift:" {
      for column in texts[end...].prefix(while: { $0.first?.isWholeNumber == true }).indices {
        texts[column] = "#"
      }
    }
    return texts
  }
}
