import DemoContent
import Pictures
import TerminalViews
import TextLayout
import TimelineUI

/// Rows with pictures that arrive slowly, two of three rows with the same one, to watch the fetch
/// queue.
@MainActor final class QueueDemo: DemoListContent<MomentCell>, MomentCellDelegate {
  static let count = 300

  private let addresses: DemoPictures
  private let clock: DemoClock?
  private let sizes: [(width: Int, height: Int)]

  init(pictures: PictureStore, options: DemoOptions) {
    addresses = options.pictures
    clock = options.clock
    var random = SeededRandom(seed: options.seed)
    sizes = (0..<Self.count).map { _ in
      (
        Int.random(in: 300...420, using: &random), Int.random(in: 140...330, using: &random)
      )
    }
    super.init(.queue, rowName: "row", pictures: pictures, makeCell: MomentCell.init(pictures:))
  }

  /// The picture of a row, counted from 1: of three rows the last two have the same.
  static func picture(ofRow row: Int) -> Int { row - (row + 1) / 3 + 1 }

  override var notes: [String] {
    [
      "Every row asks for its picture when it gets a cell, and the queue decides which is fetched "
        + "when: four at a time from one server, what is on the screen before what is near it. "
        + "The panel shows the queue of this program as it is.",
      "Time stands still at first, so that it can be looked at. n lets a moment pass, p lets time "
        + "run. Each bar is a picture that arrives in pieces; with the first its size is known, "
        + "and its row grows. What stands at the top edge stays there.",
      "Two of three rows have the same picture: it is fetched once (×2).",
      "Space: rows leave the screen before their pictures came. Those pictures are cancelled, and "
        + "what is on the screen now goes first.",
      "The pictures are made by the program, each slow in its own way, the same with every start "
        + "(--seed). Nothing is sent over a network.",
    ]
  }

  override var rowCount: Int { Self.count }

  override func hint(forRow row: Int) -> String { "F12 opens the queue" }

  override func attach(
    to list: ListView, onEffect: @escaping (ListEffect) -> Void
  ) {
    super.attach(to: list, onEffect: onEffect)
    clock?.onChange = { onEffect(.changed) }
  }

  override func captionText(isPanelOpen: Bool) -> String {
    guard isPanelOpen else { return "`F12` shows which pictures are on their way, and which wait" }
    let activity = pictures.loader.activity
    let isPaused = clock?.isPaused == true
    guard !activity.isIdle else {
      return "Every picture here has come, and each row has grown. `Space` asks for more"
    }
    if !isPaused {
      return "Time runs: watch rows grow as pictures come. `Space` leaves some behind"
    }
    let statistics = pictures.loader.statistics
    if statistics.done == 0, statistics.cancelled == 0 {
      return "Time stands still, and these pictures are wanted. `n` lets a moment pass"
    }
    guard statistics.cancelled > 0 else {
      return "\(statistics.done.counted("picture")) came. "
        + "`n` on; `Space`: what leaves the screen is cancelled"
    }
    return "Rows that left need no picture: \(statistics.cancelled) cancelled. "
      + "`n` on, `p` lets time run"
  }

  override func configure(_ cell: MomentCell, row: Int) {
    cell.delegate = self
    let picture = Self.picture(ofRow: row)
    let size = sizes[(picture - 1) % sizes.count]
    cell.configure(
      with: MomentsDemo.Item(
        title: "Row \(row + 1)", content: "shows picture \(picture)",
        picture: addresses.made(width: size.width, height: size.height, seed: picture)),
      provokesConflict: false)
  }
}
