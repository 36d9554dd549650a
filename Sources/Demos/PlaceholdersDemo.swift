import Pictures
import Pixels
import TerminalViews
import TimelineUI

/// A hundred pictures of random sizes, which the rows do not declare.
@MainActor final class PlaceholdersDemo: DemoListContent<PlaceholderCell> {
  struct Item {
    var url: String
    /// The size, as text.
    var caption: String
  }

  static let count = 100
  private let items: [Item]
  /// Sizes of the pictures that have arrived, by row.
  private var sizes: [Int: PixelSize] = [:]

  init(pictures: PictureStore, options: DemoOptions) {
    var random = SeededRandom(seed: options.seed)
    items = (0..<Self.count).map { row in
      let width = Int.random(in: 300...399, using: &random)
      let height = Int.random(in: 200...299, using: &random)
      return Item(
        url: options.pictures.made(width: width, height: height, seed: row),
        caption: "\(width)x\(height)")
    }
    super.init(
      .placeholders, rowName: "picture", pictures: pictures,
      makeCell: PlaceholderCell.init(pictures:))
  }

  override var notes: [String] {
    [
      "A hundred pictures between 300x200 and 399x299 pixels, each named by its size. The "
        + "list does not know these sizes: fifteen rows are reserved for each, and a row takes its "
        + "true height, ten to twenty, when the first bytes of its picture arrive.",
      "Scroll while they arrive. Rows above the screen change their height as well, and what "
        + "you read stays where it is: the list remembers the row and what stands at the top "
        + "edge, not an offset.",
      "See it happen: F12, Space, Space, then watch the line that counts what rows above the "
        + "screen did and what you saw of it. With --hold all pictures wait: i lets in one "
        + "arrival, p all.",
      "The reserved height keeps the requests down to what is visible; a picture that leaves "
        + "the screen before its turn is never fetched. Twenty pictures are kept, five go at "
        + "once. With --no-image-cache each is fetched again, and still nothing jumps.",
    ]
  }

  override func captionText(isPanelOpen: Bool) -> String {
    let waiting = visibleCells.count { $0.awaitsSize }
    if pictures.loader.gate.isPaused, waiting > 0 {
      return "Grey boxes hold the place. `i` lets a picture in: its row changes, the top stays"
    }
    if waiting > 0 {
      return "Grey boxes hold the place of \(waiting.counted("picture")): rows change as they come"
    }
    return isPanelOpen
      ? "Rows changed, above the screen, too, and the top line stayed. `Space` for more"
      : "All came, rows changed, and the top line stayed. `Space` for more, `F12` why"
  }

  override var rowCount: Int { items.count }
  /// 300 points, at 16 points a row.
  override var estimatedRowHeight: Int { 300 / 16 }

  override func configure(_ cell: PlaceholderCell, row: Int) {
    cell.onSize = { [weak self] cell, size in self?.note(size, of: cell) }
    cell.configure(with: items[row], size: sizes[row])
  }

  /// Only this row is measured again. Its index is looked up now, as the cell may have moved since
  /// the request began.
  private func note(_ size: PixelSize, of cell: PlaceholderCell) {
    guard let list, let path = list.indexPath(for: cell) else { return }
    sizes[path.row] = size
    list.noteHeightChanged(of: cell)
  }
}
