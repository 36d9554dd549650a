import DemoContent
import Pictures
import TerminalViews
import TextLayout
import TimelineUI

/// Five items, repeated three times, with long and very short texts in turn.
@MainActor final class AutolayoutDemo: DemoListContent<AutolayoutCell> {
  /// The content of a row.
  struct Item {
    var text: StyledText
    /// The address of the icon.
    var icon: String
  }

  /// The rows; setting them reloads the list.
  var items: [Item] = [] {
    didSet { list?.reloadData() }
  }

  static let repetitions = 3
  /// Items with long texts, by the language of the user who can read them.
  private static let languages = ["ja": 3, "ar": 4]
  /// The row at the top initially: one whose text the user can read.
  let firstRow: Int

  init(pictures: PictureStore, options: DemoOptions) throws {
    firstRow = Self.languages[options.language] ?? 1
    super.init(
      .autolayout, rowName: "row", pictures: pictures, makeCell: { AutolayoutCell(pictures: $0) })
    let once = try DemoContent.texts().autolayout.map {
      Item(text: StyledText($0.text), icon: options.pictures.icon(named: $0.icon))
    }
    items = Array(repeating: once, count: Self.repetitions).flatMap { $0 }
  }

  override var notes: [String] {
    [
      "Each row is an icon and a label, placed by constraints. The icon is a quarter of the "
        + "row wide and square; the label starts at the icon's top and has as many lines as its "
        + "text needs.",
      "Two constraints could hold the row's bottom: one to the icon, one to the label. Both "
        + "have priority 750 and exactly one is active. After the text is set, the rounded "
        + "bottoms are compared: the icon holds only where it lies strictly lower.",
      "See it happen: F12 tells at which width the row at the top switches. > and < cross that "
        + "width: which constraint went, which came, and what became of the row is said, and the "
        + "row's last line takes the colour of the view that holds it.",
      "Each of the five icons is requested once, though it is shown three times.",
      "The row's own width is the screen's, at priority 750, while the list gives it a column "
        + "less, for the scroll bar: it gives way. Were it required, the two would clash, and "
        + "this would be in the log:",
      AutolayoutCell.reportOfRequiredWidth(pictures: pictures),
    ]
  }

  override func attach(to list: ListView, onEffect: @escaping (ListEffect) -> Void) {
    super.attach(to: list, onEffect: onEffect)
    onEffect(.show(row: firstRow))
  }

  override func captionText(isPanelOpen: Bool) -> String {
    guard let cell = currentCell else { return "" }
    let isIcon = cell.activeBottom == "icon"
    guard isPanelOpen else {
      return "Icon or text: the lower one ends the row. "
        + "Here it is the \(isIcon ? "icon" : "text"). `F12` shows how"
    }
    guard let width = cell.switchWidth else {
      return "This row ends below its \(isIcon ? "icon" : "text") at any width. `j` the next row"
    }
    return isIcon
      ? "Wide enough: now the icon reaches lower and ends the row. `<` goes back"
      : "The text reaches lower than the icon and ends the row. `>` until \(width) columns"
  }

  override var rowCount: Int { items.count }
  override var estimatedRowHeight: Int { 12 }

  override func configure(_ cell: AutolayoutCell, row: Int) { cell.configure(with: items[row]) }
}
