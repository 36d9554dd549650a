import TerminalViews
import TimelineStore
import VirtualList

/// Restores the reader's place of another run, and reports the place in this one.
///
/// 1. A reader who begins to read elsewhere is left there (`readerMayHaveMoved`).
/// 2. If the post at the top edge is gone, the one that was selected is looked for, then its
///    neighbours.
/// 3. A reader who has not moved stays at the top while the place is looked for, whatever arrives
///    above, and while the first posts of merged sources or of an empty library arrive.
/// 4. If the next start shows taller rows, which may push the selected post off the screen, the place
///    is at that post instead of at the top edge.
@MainActor final class PlaceKeeper {
  /// The inputs of a place, to detect changes.
  private struct ScrollState: Equatable {
    var top: Place
    var topRow: Int
    var selected: Int?
  }

  private let store: TimelineStore
  /// The place in another run, until it is restored.
  private var place: RememberedPlace?
  /// Whether the post that was at the top edge no longer exists.
  private var isTopPostGone = false
  /// The scroll state that ``onRest`` was last called for.
  private var lastReportedState: ScrollState?
  /// Called when the reader rests at a new place.
  var onRest: ((RememberedPlace) -> Void)?

  /// When the first rows of merged sources or of an empty library arrived, in seconds.
  private var firstRows: Double?
  /// The seconds during which rows that arrive above an unmoved reader are shown. `3`
  private static let firstSeconds = 3.0

  private static let lostMessage = "the post that you read last is not here any more"

  /// - Parameter place: the place in another run; `nil` for the top.
  init(_ place: RememberedPlace?, in store: TimelineStore) {
    self.place = place
    self.store = store
  }

  /// Starts to look for the place.
  func start() {
    if let place { store.look(for: place) }
  }

  /// Gives the place up if the reader has moved.
  func readerMayHaveMoved(in list: ListView) {
    guard place != nil, hasMoved(list) else { return }
    place = nil
    store.cancelPlaceSearch()
  }

  /// Performs an update of rows, and keeps a reader who has not moved at the top (rule 3).
  func keepingTop(in list: ListView, now: Double, _ update: () -> Void) {
    let isMerging = store.directory != nil && !store.isComplete
    // A filter may start in the middle.
    let wasEmpty = list.numberOfRows == 0 && store.marks != nil && store.filter == nil
    if isMerging || wasEmpty { firstRows = firstRows ?? now }
    let areFirst = firstRows.map { now - $0 < Self.firstSeconds } ?? false
    // Otherwise the rows that push the top down would be taken for a move of the reader.
    let mayStay = place != nil || areFirst && (isMerging || store.directory == nil)
    let staysOnTop = mayStay && !hasMoved(list)
    update()
    guard staysOnTop, store.count > 0, hasMoved(list) else { return }
    list.scrollToTop()
    list.selectRow(at: IndexPath(row: 0))
  }

  private func hasMoved(_ list: ListView) -> Bool {
    (list.indexPathForSelectedRow?.row ?? 0) > 0 || list.topPosition.map { $0 != (0, 0) } ?? false
  }

  /// The post at the top edge is gone: looks for the next candidate.
  func placeLost() -> [ListEffect] {
    isTopPostGone = true
    place = place?.next
    guard let place else { return [.tell(Self.lostMessage)] }
    store.look(for: place)
    return []
  }

  /// The post was found.
  ///
  /// - Parameters:
  ///   - row: its row in the source.
  ///   - newRows: the number of rows above it that are new.
  func placeFound(atRow row: Int, newRows: Int, in list: ListView) -> [ListEffect] {
    guard let place else { return [] }
    self.place = nil
    let message = isTopPostGone ? [ListEffect.tell(Self.lostMessage)] : []
    guard !hasMoved(list) else { return message }
    // The filter starts with the rows around the post, wherever it started before.
    if let filter = store.filter {
      store.show(fitting: filter, around: row..<row + 64)
      list.reloadData()
    }
    let selected = store.selectedRow(of: place, at: row)
    guard let shown = store.row(ofSource: row) else {
      // The post does not fit the filter; its nearest neighbour that fits is shown.
      let beside = store.nearestRow(toSource: selected ?? row)
      return message + (beside.map { [.show(row: $0)] } ?? [])
    }
    let restored = RestoredPlace(
      place: place.place, words: place.words, row: shown,
      newRows: store.filter == nil ? newRows : 0,
      selectedRow: selected.flatMap(store.nearestRow(toSource:)),
      // Posts were inserted between the two.
      bringsIntoView: selected.map { $0 - row != place.selection } ?? false)
    return message + [.restore(restored)]
  }

  /// The reader's place, to restore it in another run; `nil` if there is nothing to remember.
  ///
  /// - Parameter rowsWillBeTaller: whether the next start shows taller rows.
  func currentPlace(in list: ListView, rowsWillBeTaller: Bool) -> RememberedPlace? {
    guard !store.isSearchingForPlace, let top = list.topPlace else { return nil }
    let selected = list.indexPathForSelectedRow?.row
    if rowsWillBeTaller, let selected, selected != top.row,
      let place = store.place(
        ofRow: selected, Place(part: 0, offset: 0), words: "", selectedRow: selected)
    {
      return place
    }
    return store.place(ofRow: top.row, top.place, words: list.topWords, selectedRow: selected)
  }

  /// Reports the place if it is a new one.
  func didComeToRest(in list: ListView, rowsWillBeTaller: Bool) {
    guard let onRest, let top = list.topPlace else { return }
    let state = ScrollState(
      top: top.place, topRow: top.row, selected: list.indexPathForSelectedRow?.row)
    guard state != lastReportedState,
      let place = currentPlace(in: list, rowsWillBeTaller: rowsWillBeTaller)
    else { return }
    lastReportedState = state
    onRest(place)
  }
}
