import DemoContent
import TerminalViews
import TextLayout
import Timeline
import VirtualList

/// Five items three times over, long and very short ones in turn.
@MainActor final class AutolayoutDemo: DemoListContent, ListContent {
  /// What a row shows.
  struct Item {
    var text: StyledText
    /// The address of the icon.
    var icon: String
  }

  /// Setting them shows them from the start.
  var items: [Item] = [] {
    didSet { screen?.listView.reloadData() }
  }

  static let repetitions = 3

  init(pictures: PictureStore, base: String) throws {
    super.init(pictures: pictures)
    let once = try DemoContent.items().map {
      Item(text: StyledText($0.text), icon: "\(base)/pictures/\($0.icon)")
    }
    items = Array(repeating: once, count: Self.repetitions).flatMap { $0 }
  }

  let title = "demo autolayout"
  let rowName = "row"

  var notes: [String] {
    [
      "Each row is an icon and a label, placed by constraints. The icon is a quarter of the row wide and "
        + "square; the label starts at the icon's top and has as many lines as its text needs.",
      "Two constraints could hold the row's bottom: one to the icon, one to the label. Both have priority "
        + "750 and exactly one is active. After the text is set, the rounded bottoms are compared: the icon "
        + "holds only where it lies strictly lower. Make the window narrower and wider and watch short "
        + "rows hang from the icon, long ones from the text.",
      "Were the row's own width required as well as the list's, the two would clash while the window "
        + "changes: it is 750 instead, and gives way.",
      "Each of the five icons is requested once, though it is shown three times.",
    ]
  }

  override func register(in list: ListView) {
    list.estimatedRowHeight = 12
    list.register(
      { [pictures] in AutolayoutCell(pictures: pictures) }, forCellReuseIdentifier: "autolayout")
  }

  func numberOfRows(in listView: ListView) -> Int { items.count }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    let cell = listView.dequeueReusableCell(withIdentifier: "autolayout", for: indexPath)
    (cell as? AutolayoutCell)?.configure(with: items[indexPath.row])
    return cell
  }
}
