import TerminalViews

/// A row that shows a post: whole (``PostCell``), or as a headline (``HeadlineCell``).
@MainActor class PostRowCell: ListViewCell {
  final let context: PostCell.Context

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
  final var isRevealed: Bool?

  /// When the relative times of the post change; `nil` if the post is folded.
  final var times: PostTimes?

  init(name: String, context: PostCell.Context) {
    self.context = context
    super.init(name: name)
  }

  override final var isCurrent: Bool { times?.areCurrent(by: context.clock) ?? true }

  override final var selectionMarkWidth: Int { SelectionBar.width }

  /// The lines of the cell that contain a mark of the search, from the top.
  var matchLines: [Int] { [] }

  /// When the first relative time that shows changes; infinity if none ever does, `nil` if there
  /// are none.
  var nextChange: Double? { times?.nextChange }
}

extension ListView {
  /// The cell of a prepared row that shows a post.
  func postRowCell(ofRow row: Int) -> PostRowCell? {
    cellForRow(at: IndexPath(row: row)) as? PostRowCell
  }
}
