import TerminalViews
import TextLayout
import VirtualList

/// Shows items as the rows of a list: gives each item a numeric row ID, and a cell of its type.
@MainActor final class ListRows<Item: Identifiable>: ListViewDataSource {
  /// The identity of an item among items that may have equal ids.
  private struct Identity: Hashable {
    var id: Item.ID
    var occurrence: Int
  }

  private(set) var items: [Item] = []
  /// The text marked in all cells; `nil` without a search.
  private var marks: TextNeedle?
  private var ids: [RowID] = []
  private var rowsByID: [RowID: Int] = [:]
  private var numbers: [Identity: RowID] = [:]
  private var occurrences: [Item.ID: Int] = [:]
  private var lastNumber: UInt64 = 0
  private let cellType: (Item) -> ItemCell<Item>.Type
  /// The estimate class and the reuse identifier of each type of cell so far.
  private var kinds: [ObjectIdentifier: (kind: Int, identifier: String)] = [:]

  init(_ items: [Item], cellType: @escaping (Item) -> ItemCell<Item>.Type) {
    self.cellType = cellType
    add(items)
  }

  func item(at row: Int) -> Item? { items.indices.contains(row) ? items[row] : nil }

  /// Marks `needle` in all existing and future cells.
  func mark(_ needle: TextNeedle?, in list: ListView) {
    guard needle != marks else { return }
    marks = needle
    list.reconfigureRows(at: list.indexPathsForPreparedRows)
  }

  // MARK: Changes

  /// Appends items, with their row IDs.
  private func add(_ new: [Item]) {
    for item in new {
      let occurrence = occurrences[item.id, default: 0]
      occurrences[item.id] = occurrence + 1
      let identity = Identity(id: item.id, occurrence: occurrence)
      let id = numbers[identity] ?? RowID(lastNumber + 1)
      lastNumber = max(lastNumber, id.rawValue)
      numbers[identity] = id
      rowsByID[id] = ids.count
      ids.append(id)
    }
    items += new
  }

  func append(_ new: [Item], in list: ListView) {
    guard !new.isEmpty else { return }
    let count = items.count
    add(new)
    list.insertRows(count..<items.count)
  }

  func replace(with new: [Item], in list: ListView) {
    let (oldItems, oldIDs) = (items, ids)
    (items, ids, rowsByID, occurrences) = ([], [], [:], [:])
    add(new)
    // Drops the row IDs of items that are gone.
    if numbers.count > items.count { numbers = numbers.filter { rowsByID[$0.value] != nil } }
    // Only cells that exist are updated; other rows are measured when they are shown.
    let changed = list.indexPathsForPreparedRows.map(\.row).compactMap { old -> Int? in
      guard oldIDs.indices.contains(old), let row = rowsByID[oldIDs[old]] else { return nil }
      return Self.areEqual(oldItems[old], items[row]) ? nil : row
    }
    do throws(ListUpdateError) {
      try list.applySnapshot(ids, replacing: oldIDs)
    } catch {
      list.reloadData()
    }
    if !changed.isEmpty { list.reconfigureRows(at: changed.map { IndexPath(row: $0) }) }
  }

  /// Whether two items are equal; `false` if they cannot be compared.
  private static func areEqual(_ a: Item, _ b: Item) -> Bool {
    func isEqual<Value: Equatable>(_ a: Value, to b: Any) -> Bool { (b as? Value) == a }
    guard let a = a as? any Equatable else { return false }
    return isEqual(a, to: b)
  }

  // MARK: ListViewDataSource

  func numberOfRows(in listView: ListView) -> Int { items.count }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    ids[indexPath.row]
  }

  func listView(_ listView: ListView, indexPathFor id: RowID) -> IndexPath? {
    rowsByID[id].map { IndexPath(row: $0) }
  }

  func listView(_ listView: ListView, kindForRowAt indexPath: IndexPath) -> Int? {
    kind(of: cellType(items[indexPath.row]), in: listView).kind
  }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    let item = items[indexPath.row]
    let kind = kind(of: cellType(item), in: listView)
    let cell = listView.dequeueReusableCell(
      ItemCell<Item>.self, withIdentifier: kind.identifier, for: indexPath)
    cell.show(item)
    cell.mark(marks)
    return cell
  }

  private func kind(
    of type: ItemCell<Item>.Type, in listView: ListView
  ) -> (kind: Int, identifier: String) {
    if let kind = kinds[ObjectIdentifier(type)] { return kind }
    // If there are more types than estimate classes, the last types share a class.
    let kind = (kind: min(kinds.count, Self.lastKind), identifier: "\(type) \(kinds.count)")
    kinds[ObjectIdentifier(type)] = kind
    listView.register({ type.init() }, forCellReuseIdentifier: kind.identifier)
    return kind
  }

  private static var lastKind: Int { 15 }
}
