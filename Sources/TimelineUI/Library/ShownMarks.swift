import Geometry
import Terminal
import TerminalViews
import TextLayout
import TimelineStore

/// The marks in a post's cell.
struct ShownMarks: Hashable {
  /// Those of the post.
  var marks: PostMarks
  /// The text of the line above the post that separates it from the new ones; `nil` without a line.
  var lineAbove: String?
  /// Whether the post is new but stands among older ones, below that line.
  var isNewBelowLine = false

  var isUnread: Bool { marks.contains(.unread) }

  /// The mark of an unread post.
  static let unreadMark = "•"

  /// Adds the words behind the time: `" · saved"`.
  func addWords(to time: inout StyledText) {
    for (word, isSaid) in [("new", isNewBelowLine), ("saved", marks.contains(.saved))] where isSaid
    {
      time.append(time.isEmpty ? word : " · \(word)", style: .secondary)
    }
  }

  /// The rows of the line above the post, with the blank one below it.
  var lineRows: Int { lineAbove == nil ? 0 : 2 }

  /// Draws the line above the post: `"── new since Tue 14:05 ─────"`.
  ///
  /// - Parameter columns: the width of the cell.
  func drawLine(in canvas: inout Canvas, at origin: Point, columns: Int, theme: Theme) {
    guard let lineAbove, columns > 4 else { return }
    let columns = columns - 3
    canvas.draw(
      String(repeating: "─", count: columns), at: origin.offset(dx: 2, dy: 0),
      style: theme.lineStyle, maximumWidth: columns)
    guard columns > 12 else { return }
    canvas.draw(
      " \(lineAbove) ", at: origin.offset(dx: 4, dy: 0),
      style: theme.style(for: TextStyle.secondary),
      maximumWidth: columns - 4)
  }
}
