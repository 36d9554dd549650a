import DemoContent
import Feeds
import Pictures
import TerminalViews
import TimelineUI

/// Two hundred short messages, all measured before the first frame.
@MainActor final class TweetsDemo: DemoListContent<TweetCell> {
  struct Item {
    var name: String
    var status: String
    var time: String
    /// The address of the icon.
    var icon: String
  }

  static let count = 200

  private(set) var items: [Item] = []
  /// The cell that measures all rows. It is never shown and requests no picture.
  private let measuringCell: TweetCell
  private let comparison: MeasuringComparison

  init(pictures: PictureStore, options: DemoOptions) throws {
    measuringCell = TweetCell(pictures: pictures)
    comparison = MeasuringComparison(pictures: pictures, time: options.time)
    super.init(.tweets, rowName: "tweet", pictures: pictures, makeCell: TweetCell.init(pictures:))
    let texts = try DemoContent.texts()
    var random = SeededRandom(seed: options.seed)
    var age = 0.0
    for row in 0..<Self.count {
      let person = texts.people[Int.random(in: 0..<texts.people.count, using: &random)]
      let status = texts.tweets[Int.random(in: 0..<texts.tweets.count, using: &random)]
      age += Double.random(in: 60...3000, using: &random)
      items.append(
        Item(
          name: person.name, status: "\(status) \(row + 1)/\(Self.count)",
          time: RelativeTime.string(from: -age, now: 0),
          icon: options.pictures.icon(named: person.icon)))
    }
  }

  override var notes: [String] {
    [
      "No constraint at all: icon, name, status and time are placed by one function, "
        + "sizeThatFits(_:layout:). Asked without layout it measures, with layout it places too; "
        + "both paths go through it, so that a row is never measured one way and drawn another.",
      "The estimated row height is 0, which turns estimates off: one cell measures all two "
        + "hundred rows before the first frame, and again when the width changes. So the scroll "
        + "bar is exact from the first frame on: drag it, and it stays under the pointer.",
      "See it happen: F12 tells what sizeThatFits measured, and no constraint, since there is "
        + "none. 9< makes the rows narrower: all of them are measured again, and the scroll bar is "
        + "exact at once.",
      "The line above the status compares: after the first frame, and after each change of width, "
        + "the same rows are measured once more by this function and once by a cell with "
        + "constraints that gives the same heights, ten rows at a time. What it took is what this "
        + "program just measured.",
      "Rows are shown by cells of one identifier. However far you scroll, there are only as "
        + "many as the screen and half a screen on either side of it need.",
    ]
  }

  override func captionText(isPanelOpen: Bool) -> String {
    guard let cost = comparison.result(atWidth: list?.rowWidth) else {
      let key = isAtEnd ? "`g`" : "`G`"
      return "All \(items.count) rows are measured before the first frame. "
        + "\(key): the bar was right"
    }
    let next = isPanelOpen ? "`<` again" : isAtEnd ? "`g` the top" : "`G` the end"
    return "All \(items.count) heights: \(cost.byFunction) by one function, "
      + "\(cost.byConstraints) by constraints. \(next)"
  }

  private var isAtEnd: Bool { list?.indexPathForSelectedRow?.row == items.count - 1 }

  override func didShow(rows: Range<Int>) {
    guard let list else { return }
    comparison.begin(items, atWidth: list.rowWidth) { [weak self] in self?.captionChanged() }
  }

  override var rowCount: Int { items.count }
  override var estimatedRowHeight: Int { 0 }

  override func configure(_ cell: TweetCell, row: Int) { cell.configure(with: items[row]) }

  override func height(ofRow row: Int, width: Int) -> Int? {
    measuringCell.setTexts(of: items[row])
    return measuringCell.heightThatFits(width: width)
  }
}
