import TerminalApp
import TextLayout

/// The position of a row in words for the status line: "post 3 of ~200", or the content's own
/// words. With a filter, only the rows that match it count, as for keys and commands with a number.
/// Rows that are errors have no number: "error · 2 posts".
@MainActor struct RowPosition {
  let words: String

  /// - Parameters:
  ///   - rows: the number of rows, including those that are errors.
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
    // The number of all rows is an estimate; with a filter, it is the number of matches so far.
    let (guess, more) = content.isComplete ? ("", "") : isFiltered ? ("", "+") : ("~", "")
    let errors = timeline?.errors
    let count = max(0, rows - (errors?.count ?? 0))
    guard errors?.contains(row: row) != true else {
      let posts = more.isEmpty ? count.counted(name) : "\(count)\(more) \(name)s"
      words = count > 0 ? "error · \(guess)\(posts)" : "error"
      return
    }
    let number = row + 1 - (errors?.count(above: row) ?? 0)
    let tilde = timeline?.store.isNumberExact(row) == false ? "~" : ""
    words = "\(name) \(tilde)\(number) of \(guess)\(count)\(more)"
  }
}
