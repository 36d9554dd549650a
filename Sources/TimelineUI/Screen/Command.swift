import Geometry

/// What a reader can ask of a list screen, independent of the key that asks for it.
public enum Command: Hashable, Sendable {
  case selectNext(Int)
  case selectPrevious(Int)
  /// Lines of the list; the selection stays where it is.
  case scrollLines(Int)
  case halfPages(Int)
  case pages(Int)
  case goToTop
  /// The end, and following it from then on.
  case goToEnd
  /// A row, counted from 1 as it is shown.
  case goToRow(Int)
  /// 0…100, of the list's length.
  case goToPercent(Int)
  case alignSelection(Alignment)
  case mouseDown(Point)
  case mouseDrag(Point)
  case mouseUp(Point)
  /// To the rows that came at the beginning.
  case showNewRows
  case reload
  /// What the selected row hides behind a warning.
  case toggleCover
  case help
  case redraw
  /// Closes what lies over the list; quits where nothing does.
  case back
  /// Closes what lies over the list; forgets what was typed.
  case dismiss
  case suspend
  case interrupt
  /// Opens the layout inspector, or closes it.
  case inspect
  case inspector(InspectorCommand)

  /// Whether it is a move of the reader's through the list, or changes what they look at.
  var isMove: Bool {
    switch self {
    case .selectNext, .selectPrevious, .scrollLines, .halfPages, .pages, .goToTop, .goToEnd,
      .goToRow, .goToPercent, .showNewRows, .alignSelection, .mouseDown, .mouseDrag, .mouseUp:
      true
    // Rows move because the reader wants it.
    case .toggleCover: true
    case .reload, .help, .redraw, .back, .dismiss, .suspend, .interrupt, .inspect,
      .inspector:
      false
    }
  }

  /// Whether several of it in a row may be carried out as one.
  var canBeJoined: Bool {
    switch self {
    case .selectNext, .selectPrevious, .scrollLines, .halfPages, .pages: true
    default: false
    }
  }

  /// This and then `other`, where one command does both: moves by the same measure and the same way, of
  /// which the ends of the list stop one as they stop two.
  func joined(with other: Command) -> Command? {
    func sum(_ a: Int, _ b: Int) -> Int? {
      let (sum, isOver) = a.addingReportingOverflow(b)
      return (a < 0) == (b < 0) && !isOver ? sum : nil
    }
    return switch (self, other) {
    case (.selectNext(let a), .selectNext(let b)): sum(a, b).map(Command.selectNext)
    case (.selectPrevious(let a), .selectPrevious(let b)): sum(a, b).map(Command.selectPrevious)
    case (.scrollLines(let a), .scrollLines(let b)): sum(a, b).map(Command.scrollLines)
    case (.halfPages(let a), .halfPages(let b)): sum(a, b).map(Command.halfPages)
    case (.pages(let a), .pages(let b)): sum(a, b).map(Command.pages)
    default: nil
    }
  }

  /// A part of it that takes no long time, and what is left: for moves of any length. Nil where it is
  /// not such a move, or none to be divided.
  var divided: (first: Command, rest: Command)? {
    func parts(_ count: Int, _ most: Int, _ move: (Int) -> Command) -> (Command, Command)? {
      guard count.magnitude > most else { return nil }
      let first = count < 0 ? -most : most
      return (move(first), move(count - first))
    }
    switch self {
    case .selectNext(let count): return parts(count, Self.pressesAtOnce, Command.selectNext)
    case .selectPrevious(let count):
      return parts(count, Self.pressesAtOnce, Command.selectPrevious)
    case .scrollLines(let lines): return parts(lines, Self.linesAtOnce, Command.scrollLines)
    case .halfPages(let count): return parts(count, 2 * Self.pagesAtOnce, Command.halfPages)
    case .pages(let count): return parts(count, Self.pagesAtOnce, Command.pages)
    default: return nil
    }
  }

  private static let linesAtOnce = 512
  private static let pagesAtOnce = 8
  private static let pressesAtOnce = 256

  /// Where a row is put on the screen.
  public enum Alignment: Hashable, Sendable { case top, middle, bottom }
}
