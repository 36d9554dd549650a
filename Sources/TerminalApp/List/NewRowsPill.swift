import Geometry
import Terminal
import TerminalViews
import TextLayout

/// "3 new · .": rows that came at the top while the reader is further down, and the key that shows
/// them. It takes one line's end at the list's upper right corner, and only while there is
/// something new: the terminal's own scrolling works best with nothing above it.
@MainActor final class NewRowsPill: View, Responder {
  let commands = CommandTable()
  /// It was clicked.
  var onPress: (() -> Void)?

  /// Rows that the reader has not come to; 0 hides it.
  var count = 0 {
    didSet { if count != oldValue { setNeedsDisplay() } }
  }

  /// The key that shows them; empty where none does.
  var key = "" {
    didSet { if key != oldValue { setNeedsDisplay() } }
  }

  private var text: String { " \(count) new " + (key.isEmpty ? "" : "· \(key) ") }

  /// Takes its place in a list, left of the scroll bar; none where the list is too narrow.
  func arrange(in list: Rect) {
    isHidden = count == 0 || list.isEmpty
    guard !isHidden else { return }
    let width = TextMetrics.current.width(of: text)
    isHidden = list.width < 2 * width
    frame = Rect(x: list.maxX - 2 - width, y: list.minY, width: width, height: 1)
  }

  func mouse(_ event: MouseEvent) -> Bool {
    guard event.kind == .press(.left) else { return false }
    onPress?()
    return true
  }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    var style = theme.pointedOut
    style.attributes.insert(.reverse)
    canvas.draw(text, at: origin, style: style, maximumWidth: frame.width)
  }
}
