import Geometry
import System
import Terminal
import TerminalViews
import TextLayout

/// The lines at the bottom of the screen: the reader's place, and the keys that matter.
@MainActor public final class StatusBar: View {
  /// The texts of the status lines.
  public struct Content: Hashable, Sendable {
    /// A caption above the status that says where to look and which key to press; empty for most
    /// `StatusProviding` views.
    package var caption = StyledText()
    /// The name of the content.
    public var source = ""
    /// The reader's place: "post 3 of 40".
    public var position = ""
    /// The state of a filter and a search: "match 2 of 5".
    public var finding = ""
    /// The operation in progress; empty if there is none.
    public var activity = ""
    /// A message to the reader.
    public var message = ""
    /// Whether `message` reports a failure.
    public var messageIsError = false
    /// The keys typed so far of an incomplete command.
    public var pending = ""
    /// The keys that matter here, for the second line: parts separated by three or more blanks. If
    /// there is not enough room, the last parts are dropped first.
    public var hint = ""
    /// Parts after `hint` that are dropped only when all of `hint` is: the keys for help and for
    /// leaving.
    public var persistentHint = ""

    /// No text.
    public init() {}

    /// Drops parts until the message fits: the source, the activity, the finding and, unless
    /// `keepsPosition`, the position.
    mutating func makeRoomForMessage(in columns: Int, keepsPosition: Bool) {
      let others =
        [\Self.source, \Self.activity, \Self.finding] + (keepsPosition ? [] : [\Self.position])
      for part in others where columnsNeeded > columns { self[keyPath: part] = "" }
    }

    /// The parts of both hints that fit into `columns`, at least one. If three blanks between them
    /// take too much room, two are used.
    func hints(in columns: Int) -> String {
      var (first, last) = (Self.parts(of: hint), Self.parts(of: persistentHint))
      func fits(_ line: String) -> Bool { TextMetrics.current.width(of: line) <= columns }
      let all = (first + last).joined(separator: "   ")
      if fits(all) { return all }
      var line: String { (first + last).joined(separator: "  ") }
      while !first.isEmpty, first.count + last.count > 1, !fits(line) { first.removeLast() }
      while last.count > 1, !fits(line) { last.removeLast() }
      return line
    }

    /// Splits a hint at three or more blanks.
    private static func parts(of hint: String) -> [String] {
      hint.split(separator: "   ").map { String($0.trimmed { $0 == " " }) }
        .filter { !$0.isEmpty }
    }

    private var columnsNeeded: Int {
      let parts = [source, position, finding, activity, message].filter { !$0.isEmpty }
      return parts.reduce(2) { $0 + TextMetrics.current.width(of: $1) } + 3 * (parts.count - 1)
    }
  }

  var content = Content() {
    didSet { if content != oldValue { setNeedsDisplay() } }
  }

  /// The number of lines for the caption, above the status.
  var captionHeight = 0 {
    didSet { if captionHeight != oldValue { setNeedsDisplay() } }
  }

  /// The most recently drawn hints, cached because they change less often than the position.
  private var drawnHints: (hint: String, persistent: String, columns: Int, text: String)?

  /// The height of the bar, without a caption, on a screen of `height` rows: two, one below 12,
  /// none below 4.
  static func height(forScreenHeight height: Int) -> Int {
    switch height {
    case ..<4: 0
    case ..<12: 1
    default: 2
    }
  }

  /// The rows reserved for a caption: one, two on a narrow screen, and none on a low one. They do
  /// not depend on the caption, so that another caption moves nothing.
  static func captionHeight(on screen: Size) -> Int {
    screen.height < 12 ? 0 : screen.width < 76 ? 2 : 1
  }

  override public func draw(in canvas: inout Canvas, at corner: Point) {
    canvas.fill(Rect(origin: corner, size: frame.size), with: CanvasCell())
    guard frame.height > captionHeight, frame.width > 2 else { return }
    let columns = frame.width - 2
    if captionHeight > 0, !content.caption.isEmpty {
      TextDrawing.draw(
        TextFrame(content.caption, width: columns, maximumLines: captionHeight), in: &canvas,
        at: corner.offset(dx: 1, dy: 0), lines: 0..<captionHeight, theme: theme)
    }
    let origin = corner.offset(dx: 0, dy: captionHeight)
    drawStatus(in: &canvas, at: origin)
    guard frame.height > captionHeight + 1 else { return }
    draw(
      hints(in: columns), in: &canvas, at: origin.offset(dx: 1, dy: 1), columns: columns,
      style: theme.style(for: .secondary))
  }

  private func hints(in columns: Int) -> String {
    if let drawn = drawnHints, drawn.columns == columns, drawn.hint == content.hint,
      drawn.persistent == content.persistentHint
    {
      return drawn.text
    }
    let text = content.hints(in: columns)
    drawnHints = (content.hint, content.persistentHint, columns, text)
    return text
  }

  private func drawStatus(in canvas: inout Canvas, at origin: Point) {
    let right = content.pending
    let rightColumns = TextMetrics.current.width(of: right)
    var columns = frame.width - 2 - (rightColumns > 0 ? rightColumns + 1 : 0)
    if rightColumns > 0, rightColumns < frame.width - 2 {
      draw(
        right, in: &canvas, at: origin.offset(dx: frame.width - 1 - rightColumns, dy: 0),
        columns: rightColumns, style: theme.emphasizedAccent)
    }
    var x = 1
    let position = content.position
    // On a narrow screen the source is dropped first and the position last.
    let needed = [position, content.finding, content.activity, content.message].filter {
      !$0.isEmpty
    }
    .reduce(0) { $0 + TextMetrics.current.width(of: $1) + 3 }
    let parts: [(String, Style, Int)] = [
      (content.source, theme.emphasizedAccent, needed),
      (position, theme.style(for: TextStyle.body), 0),
      (content.finding, theme.style(for: TextStyle.body), 0),
      (content.activity, theme.style(for: .secondary), 0),
      (content.message, theme.style(for: content.messageIsError ? .error : .warning), 0),
    ]
    var isFirst = true
    for (text, style, reserved) in parts where !text.isEmpty {
      let available = columns - reserved
      guard available > 3 else { continue }
      if !isFirst {
        canvas.draw(
          " · ", at: origin.offset(dx: x, dy: 0), style: theme.style(for: .secondary))
        x += 3
        columns -= 3
      }
      let used = draw(
        text, in: &canvas, at: origin.offset(dx: x, dy: 0), columns: available - (isFirst ? 0 : 3),
        style: style)
      x += used
      columns -= used
      isFirst = false
    }
  }

  @discardableResult private func draw(
    _ text: String, in canvas: inout Canvas, at point: Point, columns: Int, style: Style
  ) -> Int {
    guard columns > 0 else { return 0 }
    return canvas.draw(
      TextMetrics.current.truncated(text, toWidth: columns), at: point, style: style,
      maximumWidth: columns)
  }
}
