import DemoContent
import Pictures
import TimelineUI

/// Four hundred messages, each longer than the previous one, the last ones many screens tall.
@MainActor final class SlackDemo: DemoListContent<SlackCell> {
  static let count = 400

  private let texts: DemoContent.Texts
  private let addresses: DemoPictures

  init(pictures: PictureStore, options: DemoOptions) throws {
    texts = try DemoContent.texts()
    addresses = options.pictures
    super.init(.slack, rowName: "message", pictures: pictures, makeCell: SlackCell.init(pictures:))
  }

  override var notes: [String] {
    [
      "An icon of 8 by 4 cells, a name of one line, a comment of as many as it needs. No line "
        + "of code switches anything: the row's bottom is at least one row below the icon, at "
        + "least one and at most three rows below the comment, and as high up as that allows.",
      "So a row is never smaller than its icon, and follows its text where that is longer. "
        + "Three rows are what an empty comment leaves below itself: with one, all that is needed "
        + "is met exactly.",
      "See it happen: F12 shows the three inequalities, how many rows each has to spare, and "
        + "which one holds. j, j: from the row that hangs from its icon to one that hangs from its "
        + "text. < and > go to the next width at which the row's height changes.",
      "Row i repeats its text i times. Type 400G and read on: the last rows are many screens "
        + "tall and scroll line by line like all others. Each is taken for five rows (81 points) "
        + "until it is measured, so watch the scroll bar learn.",
    ]
  }

  override func captionText(isPanelOpen: Bool) -> String {
    guard let cell = currentCell else { return "" }
    guard isPanelOpen else {
      return "As high as the icon, or as the text where that is longer. `F12` shows the rules"
    }
    return switch cell.activeBottom {
    case "comment": "The text needs more than the icon and sets the height. `<` `>` change it"
    case "icon": "The icon needs more than the text and sets the height. `<` until the text does"
    default: "The icon and the text need the same height. `<` until the text sets it"
    }
  }

  override var rowCount: Int { Self.count }
  /// 81 points, at 16 points a row.
  override var estimatedRowHeight: Int { 5 }

  /// The comment of a row: the text `row` + 1 times.
  func comment(ofRow row: Int) -> String {
    var text = String(repeating: texts.slack, count: row + 1)
    while text.last == " " { text.removeLast() }
    return text
  }

  override func configure(_ cell: SlackCell, row: Int) {
    let person = texts.people[row % texts.people.count]
    cell.configure(
      name: person.name, comment: comment(ofRow: row), icon: addresses.icon(named: person.icon))
  }
}
