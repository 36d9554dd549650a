import TerminalViews

/// A row that was estimated but does not exist: it takes no lines until the list has removed it.
@MainActor final class MissingRowCell: ListViewCell {
  static let identifier = "phantom"

  override func heightThatFits(width: Int) -> Int { 0 }
}
