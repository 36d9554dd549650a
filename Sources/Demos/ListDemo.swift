import DemoContent
import Pictures
import TerminalViews
import TextLayout
import TimelineUI

/// Ten million rows of texts of different lengths, to watch the list.
@MainActor final class ListDemo: DemoListContent<FlingCell> {
  static let count = 10_000_000

  private let texts: [String]
  private let seed: UInt64

  init(pictures: PictureStore, options: DemoOptions) throws {
    texts = try DemoContent.texts().tweets
    seed = options.seed
    let numbers = CellNumbers()
    super.init(
      .list, rowName: "row", pictures: pictures,
      makeCell: { FlingCell(number: numbers.next(), pictures: $0) })
  }

  /// Numbers the cells in the order in which the list makes them.
  @MainActor private final class CellNumbers {
    private var last: UInt64 = 0

    func next() -> UInt64 {
      last += 1
      return last
    }
  }

  override var notes: [String] {
    [
      "Ten million rows, and no more cells than the screen needs: one that leaves at the top comes "
        + "back at the bottom with another row. Each cell has a number and a colour of its own, "
        + "so that you can see it come back.",
      "A row's height is known only after its cell was laid out. All other rows are guessed at the "
        + "mean of those measured, which is all that the scroll bar needs: no row is measured for "
        + "it. When the program is at rest it measures a few rows here and there, and the guess "
        + "gets better.",
      "The list remembers where you are as a row and a letter in it, not as a number of lines from "
        + "the top: better guesses above move nothing on the screen.",
      "f flings the list, d flings it back, 50% and G jump: watch how few rows are measured on the "
        + "way.",
    ]
  }

  override var rowCount: Int { Self.count }

  override func hint(forRow row: Int) -> String { "F12 opens the panel" }

  override func captionText(isPanelOpen: Bool) -> String {
    guard let statistics = list?.statistics else { return "" }
    let uses = statistics.createdCells + statistics.reusedCells
    guard isPanelOpen else {
      return "Ten million rows in \(statistics.createdCells) cells. `F12` shows what the list does"
    }
    return statistics.reusedCells < 10
      ? "Ten million rows in \(statistics.createdCells) cells. `f` flings: watch the colours come back"
      : "\(statistics.createdCells) cells have stood for \(uses.grouped) rows. `f` again, `50%` to the middle"
  }

  /// One to four sentences, by the row's number.
  func text(ofRow row: Int) -> String {
    var random = SeededRandom(seed: seed &+ UInt64(row) &* 0x9E37_79B9)
    let count = Int.random(in: 1...4, using: &random)
    return (0..<count).compactMap { _ in texts.randomElement(using: &random) }
      .joined(separator: " ")
  }

  override func configure(_ cell: FlingCell, row: Int) {
    cell.configure(row: row, text: text(ofRow: row))
  }
}
