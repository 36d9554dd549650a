import TerminalViews
import TextLayout

/// What the lines at the bottom say.
extension ListScreen {
  func updateStatus() {
    var status = StatusBar.Content()
    let title = content.title
    if title != self.title.raw { self.title = (title, Sanitizer.line(title)) }
    status.source = self.title.line
    status.position = position
    status.activity = content.activity
    if !message.isEmpty {
      status.message = message
    } else if let notice = inspector.notice {
      status.message = notice
    } else if let message = content.message {
      status.message = Sanitizer.line(message.text)
      status.messageIsError = message.isError
    }
    status.pending = keyMap.pending
    status.hint = hint
    statusBar.content = status
  }

  private var hint: String {
    if isHelpOpen { return "? or q closes this page" }
    if inspector.isShown { return InspectorCommand.hint }
    let rowHint = content.hint(forRow: currentRow)
    return rowHint.isEmpty ? keyHint : "\(rowHint)   \(keyHint)"
  }

  /// Where the reader is: the selected row, or the first that shows where that one is out of sight.
  var currentRow: Int {
    let visible = listView.visibleRows ?? 0..<0
    let selected = listView.indexPathForSelectedRow?.row
    return selected.flatMap { visible.contains($0) ? $0 : nil } ?? visible.lowerBound
  }

  private var position: String {
    guard rowCount > 0 else { return content.isComplete ? "no \(content.rowName)s" : "" }
    let row = currentRow
    let number = "\(content.isNumberExact(ofRow: row) ? "" : "~")\(row + 1)"
    return "\(content.rowName) \(number) of \(content.isComplete ? "" : "~")\(rowCount)"
  }
}
