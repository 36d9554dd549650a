import TerminalViews
import Timeline
import VirtualList

/// What all demos' contents have in common: all rows are known, and pictures are what may be under way.
@MainActor class DemoListContent {
  let pictures: PictureStore
  private(set) weak var screen: ListScreen?

  init(pictures: PictureStore) {
    self.pictures = pictures
  }

  var isComplete: Bool { true }

  var activity: String { PictureActivity.text(of: pictures.loader.activity) }

  var message: (text: String, isError: Bool)? { nil }

  func attach(to screen: ListScreen) {
    self.screen = screen
    pictures.loader.onActivityChange = { [weak screen] _ in screen?.setNeedsFrame() }
    register(in: screen.listView)
  }

  /// Where a demo registers its cells and says what it estimates.
  func register(in list: ListView) {}

  func visibilityChanged(of cell: ListViewCell, isVisible: Bool) {
    (cell as? any PictureCell)?.slot.priority = isVisible ? .visible : .near
  }

  func didShow(rows: Range<Int>) {}

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    RowID(UInt64(indexPath.row))
  }
}

/// A cell with one picture.
@MainActor protocol PictureCell: ListViewCell {
  var slot: PictureSlot { get }
}
