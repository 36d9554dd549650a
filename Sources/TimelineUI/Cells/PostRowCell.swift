import TerminalViews

/// A row that shows a post: whole (``PostCell``), or as a headline (``HeadlineCell``).
@MainActor class PostRowCell: ListViewCell {
  /// The marks of the post; `nil` if its timeline keeps none.
  final var marks: ShownMarks? {
    didSet {
      guard marks != oldValue else { return }
      setNeedsDisplay()
      let isSameShape = marks?.lineRows == oldValue?.lineRows
      if !isSameShape { setNeedsLayout() }
    }
  }

  /// Whether hidden content is shown; `nil` if the post hides nothing.
  var isRevealed: Bool? { nil }

  /// The lines of the cell that contain a mark of the search, from the top.
  var matchLines: [Int] { [] }

  /// When the first relative time within these lines changes; `nil` if none does.
  func nextChange(inLines lines: Range<Int>) -> Double? { nil }
}

extension ListView {
  /// The cell of a prepared row that shows a post.
  func postRowCell(ofRow row: Int) -> PostRowCell? {
    cellForRow(at: IndexPath(row: row)) as? PostRowCell
  }

  /// The cell of a prepared row that shows a whole post, with its pictures.
  func postCell(ofRow row: Int) -> PostCell? {
    cellForRow(at: IndexPath(row: row)) as? PostCell
  }
}
