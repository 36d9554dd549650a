import TerminalApp
import TextLayout

/// The place of a row among all, in words for the status line: "post 3 of ~200", or what the content
/// says of it. With a filter only those rows count that fit, which keys and numbers refer to. Rows
/// that are errors have no number: "error · 2 posts".
@MainActor struct RowPosition {
  let words: String

  /// - Parameters:
  ///   - rows: the number of rows, those that are errors included.
  ///   - isFiltered: whether only some rows are shown.
  init(of content: any ListContent, row: Int, rows: Int, isFiltered: Bool) {
    guard rows > 0 else {
      words = content.isComplete ? "no \(content.rowName)s" : ""
      return
    }
    if let own = content.position(ofRow: row) {
      words = own
      return
    }
    let (timeline, name) = (content.posts?.timeline, content.rowName)
    // The number of all rows is an estimate, but posts that fit the filter are certain.
    let (guess, more) = content.isComplete ? ("", "") : isFiltered ? ("", "+") : ("~", "")
    let errors = timeline?.errors
    let count = max(0, rows - (errors?.count ?? 0))
    guard errors?.contains(row: row) != true else {
      let posts = more.isEmpty ? count.counted(name) : "\(count)\(more) \(name)s"
      words = count > 0 ? "error · \(guess)\(posts)" : "error"
      return
    }
    let number = row + 1 - (errors?.count(above: row) ?? 0)
    let exact = timeline?.store.isNumberExact(row) == false ? "~" : ""
    words = "\(name) \(exact)\(number) of \(guess)\(count)\(more)"
  }
}
