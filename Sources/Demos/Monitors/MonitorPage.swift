import Geometry
import Terminal
import TerminalViews
import TextLayout

/// The text of a monitor: lines of a few styles each. A panel that is too low for all lines leaves
/// out the least important ones.
@MainActor struct MonitorPage {
  /// Text of one style.
  typealias Part = (text: String, style: Style)

  /// The importance of a line, the first case being left out first.
  enum Importance: Comparable {
    case space, detail, explanation, content, essential
  }

  private let theme: Theme
  private var lines: [(parts: [Part], importance: Importance)] = []

  init(_ theme: Theme) { self.theme = theme }

  mutating func add(_ parts: [Part], _ importance: Importance = .content) {
    lines.append((parts, importance))
  }

  /// Adds a heading, and the text behind it, if any.
  mutating func add(
    _ heading: String, _ text: String = "", _ importance: Importance = .content
  ) {
    let heading = text.isEmpty ? heading : heading + " "
    let body = theme.style(for: TextStyle.body)
    add([(heading, theme.style(for: .heading)), (text, body)], importance)
  }

  /// Adds a line that stands back.
  mutating func addNote(_ text: String, _ importance: Importance) {
    add([(text, theme.style(for: .secondary))], importance)
  }

  mutating func space() { lines.append(([], .space)) }

  /// The lines that fit into `height` rows.
  func lines(fitting height: Int) -> [[Part]] {
    var lines = lines
    while lines.count > max(0, height), let least = lines.map(\.importance).min(),
      let index = lines.lastIndex(where: { $0.importance == least })
    {
      lines.remove(at: index)
    }
    return lines.map(\.parts)
  }

  /// `text` followed by blanks up to `columns` characters.
  static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - text.count))
  }

  /// `text` in the middle of `columns` characters.
  static func centered(_ text: String, in columns: Int) -> String {
    let left = max(0, columns - text.count + 1) / 2
    return padded(String(repeating: " ", count: left) + text, to: columns)
  }

  func draw(in canvas: inout Canvas, area: Rect) {
    for (row, parts) in lines(fitting: area.height).enumerated() {
      var x = 0
      for (text, style) in parts where x < area.width {
        x += canvas.draw(
          TextMetrics.current.truncated(text, toWidth: area.width - x),
          at: Point(x: area.minX + x, y: area.minY + row), style: style,
          maximumWidth: area.width - x)
      }
    }
  }
}
