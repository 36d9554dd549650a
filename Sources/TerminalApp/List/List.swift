import Geometry
import TerminalViews
import VirtualList

/// A list of items, shown by cells that are used again: it scrolls at any length, and what is read
/// stays where it is while items change, come and go.
///
///     let list = List(messages, cell: MessageCell.self)
///     list.onActivate = { message in … }
///
/// As an application's content it has the status lines; in another view it is the list alone. Rows
/// that cannot be held in an array are for ``ListPane`` and a data source.
@MainActor public final class List<Item: Identifiable>: View, StatusProviding {
  /// What the status line calls it.
  public var title = ""
  /// What one item is called there.
  public var itemName = "item"
  /// The user has selected another item.
  public var onSelect: ((Item) -> Void)? {
    didSet { pane.onSelect = forRow(onSelect) }
  }
  /// The user has pressed Enter on an item; without it the key is free for others.
  public var onActivate: ((Item) -> Void)? {
    didSet { pane.onActivate = forRow(onActivate) }
  }

  /// What of an item is looked through when the reader searches (`/`, `n`, `N`), whatever form its
  /// letters are written in; nil, the default, where the list is not searched. What was searched
  /// for is marked in the labels of all cells, until Esc ends the search.
  public var searchText: ((Item) -> String)? {
    didSet {
      guard search == nil, searchText != nil else { return }
      search = ListSearch(pane) { [weak self] row in
        guard let self, let item = rows.item(at: row) else { return nil }
        return searchText?(item)
      }
      search?.onNeedle = { [rows, pane] in rows.mark($0, in: pane.listView) }
    }
  }

  private var search: ListSearch?
  /// How often the reader had moved when an item was selected by the program.
  private var movesWhenSet: Int?

  /// The list's keys, wheel and pointer, for what is not named here.
  public let pane: ListPane
  private let rows: ListRows<Item>

  /// - Parameter cell: what each item is shown by.
  public convenience init(_ items: [Item] = [], cell: ItemCell<Item>.Type) {
    self.init(items) { _ in cell }
  }

  /// - Parameter cell: what an item is shown by. Items with different cells are expected to differ
  ///   in height, too.
  public init(_ items: [Item] = [], cell: @escaping (Item) -> ItemCell<Item>.Type) {
    pane = ListPane()
    rows = ListRows(items, cellType: cell)
    super.init(name: "list")
    addSubview(pane)
    pane.listView.dataSource = rows
  }

  override public var frame: Rect {
    didSet { pane.frame = Rect(origin: .zero, size: frame.size) }
  }

  // MARK: Items

  /// What is shown. Setting it keeps the reader's place, the selected item and the cells of those
  /// that stay; items with the same id are told apart by their order.
  ///
  /// - Complexity: O(n) to set, and O(n log n) in those that differ.
  public var items: [Item] {
    get { rows.items }
    set { rows.replace(with: newValue, in: pane.listView) }
  }

  /// Adds items at the end; where the list follows its end, it goes there.
  ///
  /// - Complexity: O(k) for k items.
  public func append(_ items: some Sequence<Item>) {
    rows.append(Array(items), in: pane.listView)
  }

  /// The item that is selected, which is marked and which keys act on; setting one that the list
  /// does not have does nothing.
  ///
  /// One that is set and off the screen is selected until the reader moves: then the nearest that
  /// shows stands in for it.
  ///
  /// - Complexity: O(n) to set.
  public var selectedItem: Item? {
    get {
      let list = pane.listView
      let row =
        movesWhenSet == pane.moveCount
        ? list.lastSelectedRow : list.indexPathForSelectedRow?.row
      return row.flatMap { rows.item(at: $0) }
    }
    set {
      guard let id = newValue?.id else { return }
      pane.onceLaidOut { [weak self, rows] pane in
        guard let row = rows.items.firstIndex(where: { $0.id == id }) else { return }
        pane.select(row: row)
        self?.movesWhenSet = pane.moveCount
      }
    }
  }

  /// To the end, which is followed until the reader moves up.
  public func scrollToEnd() { pane.go(to: .end) }

  private func forRow(_ action: ((Item) -> Void)?) -> ((Int) -> Void)? {
    action.map { [rows] action in
      { row in if let item = rows.item(at: row) { action(item) } }
    }
  }

  // MARK: Status

  /// Which item of how many the reader is at, under the list's title.
  public var status: StatusBar.Content {
    var status = StatusBar.Content()
    status.source = title
    let count = items.count
    status.position =
      count == 0 ? "no \(itemName)s" : "\(itemName) \(pane.currentRow + 1) of \(count)"
    status.hint = pane.keyHint(rowName: itemName)
    status.lastingHint = pane.lastingHint()
    return status
  }
}
