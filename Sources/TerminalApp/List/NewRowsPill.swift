import Geometry
import Terminal
import TerminalViews
import TextLayout

/// "3 new · .": the number of rows that were added above the reader, and the key that shows them.
/// It covers the end of one line at the list's upper right corner, and only while there are new
/// rows: the terminal scrolls best with nothing above the list.
@MainActor final class NewRowsPill: View, Responder {
  let commands = CommandTable()
  /// Called on a click.
  var onPress: (() -> Void)?

  /// The number of rows that the reader has not reached; 0 hides the view.
  var count = 0 {
    didSet { if count != oldValue { setNeedsDisplay() } }
  }

  /// The key that shows the rows; empty if there is none.
  var key = "" {
    didSet { if key != oldValue { setNeedsDisplay() } }
  }

  private var text: String { " \(count) new " + (key.isEmpty ? "" : "· \(key) ") }

  /// Places the view in a list, left of the scroll bar; hides it if the list is too narrow.
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
    var style = theme.emphasizedAccent
    style.attributes.insert(.reverse)
    canvas.draw(text, at: origin, style: style, maximumWidth: frame.width)
  }
}
