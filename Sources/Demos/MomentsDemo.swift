import DemoContent
import Pictures
import TimelineUI

/// Moments with and without pictures, portrait and landscape, some of which fail at first.
@MainActor final class MomentsDemo: DemoListContent<MomentCell>, MomentCellDelegate {
  struct Item {
    var title: String
    var content: String
    /// The address of the picture, if there is one.
    var picture: String?
  }

  static let count = 60
  /// The row in which a conflict is provoked on request; it has a picture.
  static let provokedRow = 0

  private let provokesConflict: Bool
  private(set) var items: [Item] = []

  init(pictures: PictureStore, options: DemoOptions) throws {
    provokesConflict = options.provokesConflict
    super.init(
      .moments, rowName: "moment", pictures: pictures, makeCell: MomentCell.init(pictures:))
    let texts = try DemoContent.texts().moments
    let bundled = try DemoContent.pictureNames().filter { !$0.hasPrefix("avatar-") }
    var random = SeededRandom(seed: options.seed)
    for row in 0..<Self.count {
      let text = texts[row % texts.count]
      let picture = Self.picture(
        ofRow: row, bundled: bundled, at: options.pictures, random: &random)
      items.append(Item(title: text.title, content: text.content, picture: picture))
    }
  }

  /// In turn: generated for the row, none, a bundled one that recurs, one whose first request
  /// fails.
  private static func picture(
    ofRow row: Int, bundled: [String], at pictures: DemoPictures, random: inout SeededRandom
  ) -> String? {
    let long = Int.random(in: 210...280, using: &random)
    let short = Int.random(in: 140...190, using: &random)
    let (width, height) = row % 8 < 4 ? (long, short) : (short, long)
    switch row % 4 {
    case 0: return pictures.made(width: width, height: height, seed: row)
    case 1: return nil
    case 2:
      return pictures.bundled(named: bundled[Int.random(in: 0..<bundled.count, using: &random)])
    default: return pictures.made(width: width, height: height, seed: row, isFlaky: true)
    }
  }

  override var notes: [String] {
    [
      "A title of one line, a text of at most four, and sometimes a picture, 24 columns wide, "
        + "as high as its proportions ask for. A row without a picture is its text: the picture's "
        + "height is 0.",
      "A picture that was seen before is set at once. For any other the constant of the "
        + "height's constraint changes when its size arrives; the cell tells its delegate, which "
        + "has the list measure again, between beginUpdates and endUpdates, without reloading and "
        + "without knowing the row. Rows below move down; what stands at the top edge stays.",
      "See it happen: F12, then Space to rows whose pictures are still on their way. As each "
        + "arrives, its constant goes from 0 to its height, and the line that says so stays. With "
        + "--hold every picture waits until i lets it in.",
      "One picture in four fails when it is first asked for. It is tried again a second or so "
        + "later, and arrives.",
      "The row's bottom edge has priority 999. With --provoke-conflict that of the first row "
        + "is required, and the list imposes the height that row had before its picture came: the "
        + "picture's height and Encapsulated-Layout-Height cannot both hold. The clash goes to "
        + "the log (--log-file) and the inspector, the picture's height is broken, and all else "
        + "is kept.",
    ]
  }

  override func captionText(isPanelOpen: Bool) -> String {
    guard let cell = currentCell else { return "" }
    if pictures.loader.gate.isPaused {
      if cell.awaitsSize {
        return "This row's picture is not there yet and takes no room. `i` lets it in"
      }
      return cell.picture.pixelSize != nil && cell.picture.image == nil
        ? "Its size came: the row has grown, and rows below moved. `i`: the next arrival"
        : "This row is whole; nothing above it has moved. `j` the next row"
    }
    let waiting = visibleCells.count { $0.awaitsSize }
    if waiting > 0 {
      return "\(waiting.counted("picture")) still to come: each makes its row grow. "
        + "Wait, or `Space`"
    }
    return isPanelOpen
      ? "Each picture has set one number, the height, when it came. `Space` for more"
      : "All pictures came, and their rows grew. `Space` for more, `F12` for the reason"
  }

  override var rowCount: Int { items.count }

  override func configure(_ cell: MomentCell, row: Int) {
    cell.delegate = self
    cell.configure(
      with: items[row], provokesConflict: provokesConflict && row == Self.provokedRow)
  }
}
