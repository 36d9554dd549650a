import Pixels
import TerminalViews
import Timeline
import VirtualList

/// A hundred pictures of random size, none of which is declared.
@MainActor final class PlaceholdersDemo: DemoListContent, ListContent {
  struct Item {
    var url: String
    /// The size, as text.
    var caption: String
  }

  static let count = 100
  private let items: [Item]
  /// Sizes of pictures that have arrived, by row.
  private var sizes: [Int: PixelSize] = [:]

  init(pictures: PictureStore, base: String, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    items = (0..<Self.count).map { row in
      let size =
        "\(Int.random(in: 300...399, using: &random))x"
        + "\(Int.random(in: 200...299, using: &random))"
      return Item(url: "\(base)/generated/\(size)/\(row).jpeg", caption: size)
    }
    super.init(pictures: pictures)
  }

  let title = "demo placeholders"
  let rowName = "picture"

  var notes: [String] {
    [
      "A hundred pictures between 300x200 and 399x299 pixels, each named by its size. Nobody tells the "
        + "list these sizes: fifteen rows are reserved for each, and a row takes its true height, ten to "
        + "twenty, when the first bytes of its picture arrive.",
      "Scroll while they arrive. Rows above the screen change their height as well, and what you read "
        + "stays where it is: the list remembers the row and what stands at the top edge, not an offset.",
      "The reserved height keeps the requests down to what is visible; a picture that leaves the screen "
        + "before its turn is never fetched. Twenty pictures are kept, five go at once. With "
        + "--no-image-cache each is fetched anew, and still nothing jumps.",
    ]
  }

  override func register(in list: ListView) {
    list.estimatedRowHeight = 300 / 16
    list.register(
      { [weak self, pictures] in
        let cell = PlaceholderCell(pictures: pictures)
        cell.onArrival = { cell, size in self?.arrived(size, in: cell) }
        return cell
      }, forCellReuseIdentifier: "picture")
  }

  /// The row is asked for now: the cell may have moved since the request began.
  private func arrived(_ size: PixelSize, in cell: PlaceholderCell) {
    guard let list = screen?.listView, let row = list.indexPath(for: cell)?.row else { return }
    sizes[row] = size
  }

  func numberOfRows(in listView: ListView) -> Int { items.count }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    let cell = listView.dequeueReusableCell(withIdentifier: "picture", for: indexPath)
    (cell as? PlaceholderCell)?.configure(
      with: items[indexPath.row], size: sizes[indexPath.row])
    return cell
  }
}
