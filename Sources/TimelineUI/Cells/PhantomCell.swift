import TerminalViews

/// A row that was guessed to be there and is not: it takes no line until the list has let go of it.
@MainActor final class PhantomCell: ListViewCell {
  static let identifier = "phantom"

  override func heightThatFits(width: Int) -> Int { 0 }
}
