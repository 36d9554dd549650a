import Geometry
import TerminalViews
import VirtualList

/// A list of items, shown by reusable cells. It scrolls at any length, and the visible text stays
/// in place while items change, come and go.
///
///     let list = List(messages, cell: MessageCell.self)
///     list.onActivate = { message in … }
///
/// As an application's content it also provides the status lines; inside another view it does not.
/// For rows that cannot be held in an array, use ``ListPane`` and a data source.
@MainActor public final class List<Item: Identifiable>: View, StatusProviding {
  /// The list's name in the status line.
  public var title = ""
  /// The name of one item in the status line.
  public var itemName = "item"
  /// Called when the user has selected another item.
  public var onSelect: ((Item) -> Void)? {
    didSet { pane.onSelect = forRow(onSelect) }
  }
  /// Called when the user presses Enter on an item; if `nil`, the key is free for other views.
  public var onActivate: ((Item) -> Void)? {
    didSet { pane.onActivate = forRow(onActivate) }
  }

  /// The text of an item that a search looks through (`/`, `n`, `N`), comparing letters regardless
  /// of their form; without one, the default, nothing is found. Matches are marked in the labels of
  /// all cells, also while the text is typed, until Esc ends the search.
  public var searchText: ((Item) -> String)? {
    didSet {
      guard search == nil, searchText != nil else { return }
      let finder = RowTextFinder(pane) { [weak self] row in
        guard let self, let item = rows.item(at: row) else { return nil }
        return searchText?(item)
      } mark: { [rows, unowned pane] in
        rows.mark($0, in: pane.listView)
      }
      let search = ListSearch(on: pane, in: finder)
      pane.commands.add(
        ListSearch.commands(help: "search") { $0 }, of: search, below: .find)
      self.search = search
    }
  }

  /// Whether a search is active, so that its keys apply.
  package var isSearching: Bool { search?.isActive ?? false }

  private var search: ListSearch?
  /// The pane's `moveCount` when the program last selected an item.
  private var moveCountAtSelection: Int?

  /// The pane that handles keys, wheel and pointer, for everything that `List` does not offer.
  public let pane: ListPane
  private let rows: ListRows<Item>

  /// - Parameter cell: the type of cell for all items.
  public convenience init(_ items: [Item] = [], cell: ItemCell<Item>.Type) {
    self.init(items) { _ in cell }
  }

  /// - Parameter cell: returns the type of cell for an item. Items with different types are
  ///   expected to differ in height.
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

  /// The items shown. Setting them keeps the reader's place, the selected item and the cells of
  /// items that remain; items with equal ids are distinguished by their order.
  ///
  /// - Complexity: O(n) to set, and O(n log n) in the items that differ.
  public var items: [Item] {
    get { rows.items }
    set { rows.replace(with: newValue, in: pane.listView) }
  }

  /// Appends items; the list scrolls to the end if it follows the end.
  ///
  /// - Complexity: O(k) for k items.
  public func append(_ items: some Sequence<Item>) {
    rows.append(Array(items), in: pane.listView)
  }

  /// The selected item, which is marked and which keys act on. Setting an item that is not in the
  /// list has no effect.
  ///
  /// An item that is set while off the screen stays selected until the reader moves: then the
  /// nearest visible item is selected instead.
  ///
  /// - Complexity: O(n) to set.
  public var selectedItem: Item? {
    get {
      let list = pane.listView
      let row =
        moveCountAtSelection == pane.moveCount
        ? list.lastSelectedRow : list.indexPathForSelectedRow?.row
      return row.flatMap { rows.item(at: $0) }
    }
    set {
      guard let id = newValue?.id else { return }
      pane.whenLaidOut { [weak self, rows] pane in
        guard let row = rows.items.firstIndex(where: { $0.id == id }) else { return }
        pane.select(row: row)
        self?.moveCountAtSelection = pane.moveCount
      }
    }
  }

  /// Scrolls to the end and follows it until the reader moves up.
  public func scrollToEnd() { pane.go(to: .end) }

  private func forRow(_ action: ((Item) -> Void)?) -> ((Int) -> Void)? {
    action.map { [rows] action in
      { row in if let item = rows.item(at: row) { action(item) } }
    }
  }

  // MARK: Status

  /// The list's title, the number of the current item out of all, and the hints.
  public var status: StatusBar.Content {
    var status = StatusBar.Content()
    status.source = title
    let count = items.count
    status.position =
      count == 0 ? "no \(itemName)s" : "\(itemName) \(pane.currentRow + 1) of \(count)"
    status.hint = pane.keyHint(rowName: itemName)
    status.persistentHint = pane.persistentHint()
    return status
  }
}
