import Library
import TerminalApp
import TerminalViews
import TimelineStore
import VirtualList

/// Marks the posts of a timeline, as the reader asks for it and as posts are read. Rules:
///
/// 1. A post becomes read when it is opened, or when the selection leaves it downwards after its
///    last line was on the screen (`MarkReadRule`). Scrolling and moves of the program mark
///    nothing.
/// 2. A post that the reader has marked as unread is not marked by passing it.
/// 3. Marked posts stay in the list, on their lines.
/// 4. A mark shows at once, and a message names it when it is written: then it survives a crash.
/// 5. A timeline that keeps no marks has none of this; `keepsMarks` is then false.
@MainActor final class PostMarker {
  /// The selected post as of the last frame.
  private struct Selection {
    var id: RowID
    var filter: PostQuery?
    /// Whether its last line has been on the screen since it was selected.
    var endWasShown: Bool
  }

  let store: TimelineStore
  private let choice: MarkReadChoice
  private let line: NewPostsLine
  private weak var list: ListView?
  private var onEffect: (ListEffect) -> Void = { _ in }
  private var selection: Selection?
  /// Whether input has arrived since the last frame: without any, the reader has not moved.
  private var hasInput = false
  /// The posts that the reader has marked as unread.
  private var keptUnread: Set<RowID> = []
  /// The posts at the top when the visit was recorded.
  private var visited: (count: Int, first: RowID)?
  private var isObserved = false
  private var isUndoing = false
  /// The number of reports that were asked for.
  private var reportCount = 0

  init(of store: TimelineStore, clock: PostClock, choice: MarkReadChoice) {
    (self.store, self.choice) = (store, choice)
    line = NewPostsLine(of: store, clock: clock)
  }

  /// Call this once the list shows the timeline's rows.
  func attach(to list: ListView, onEffect: @escaping (ListEffect) -> Void) {
    (self.list, self.onEffect) = (list, onEffect)
    rowsChanged()
  }

  // MARK: Marks on the screen

  /// Whether posts have marks.
  var keepsMarks: Bool { store.marks != nil }

  /// The marks in a row's cell; `nil` if the timeline keeps none.
  func shownMarks(ofRow row: Int) -> ShownMarks? {
    guard let marks = store.marks, (0..<store.count).contains(row) else { return nil }
    let own = marks.marks(ofRow: row)
    // Without a line either all posts are new or the first one is not.
    let below = line.row
    let isAboveLine = below.map { row < $0 } ?? marks.marks(ofRow: 0).contains(.new)
    return ShownMarks(
      marks: own, lineAbove: below == row ? line.text : nil,
      isNewBelowLine: own.contains(.new) && !isAboveLine)
  }

  /// Whether the line between new and older posts is above this row.
  func isBelowLine(row: Int) -> Bool { line.row == row }

  /// Call this when rows of the list were inserted, deleted or replaced.
  func rowsChanged() {
    stateChanged()
    if isObserved { marksChanged() }
  }

  /// Call this when the source was opened or the filter has changed, before the list reloads.
  func stateChanged() {
    line.invalidate()
    guard !isObserved, let marks = store.marks else { return }
    isObserved = true
    marks.observe { [weak self] in self?.marksChanged() }
  }

  /// Configures the cells again whose marks have changed.
  private func marksChanged() {
    line.invalidate()
    // Rows that the list does not know yet are followed by a call of `rowsChanged`.
    if let list, list.numberOfRows == store.count {
      let changed = list.indexPathsForPreparedRows.filter { path in
        guard let cell = list.postRowCell(ofRow: path.row) else { return false }
        return cell.marks != shownMarks(ofRow: path.row)
      }
      if !changed.isEmpty { list.reconfigureRows(at: changed) }
    }
    onEffect(.changed)
  }

  // MARK: Marking as it is read

  /// The reader has opened a row's post.
  func noteOpened(row: Int) {
    guard choice.rule != .never, (0..<store.count).contains(row) else { return }
    keptUnread.remove(store.rowID(at: row))
    store.marks?.mark(row: row, as: .read)
  }

  /// The selection has left these rows downwards, one after the other.
  func noteStepsDown(from rows: Range<Int>) {
    guard choice.rule == .passed, let marks = store.marks else { return }
    let passed = rows.clamped(to: 0..<store.count).filter {
      marks.marks(ofRow: $0).contains(.unread) && !keptUnread.contains(store.rowID(at: $0))
    }
    marks.mark(rows: passed, as: .read)
  }

  /// Input has arrived, whose effect the next frame shows.
  func inputArrived() {
    guard let marks = store.marks else { return }
    hasInput = true
    marks.takeInOtherChanges()
  }

  /// A frame shows the list, and nothing lies over it.
  func framePresented(of list: ListView) {
    guard keepsMarks, let row = list.lastSelectedRow, row < store.count else { return }
    let id = store.rowID(at: row)
    if selection?.id != id {
      // Another filter moves the selection, too.
      if hasInput, selection?.filter == store.filter { selectionLeft(for: row) }
      selection = Selection(id: id, endWasShown: false)
    }
    selection?.filter = store.filter
    hasInput = false
    guard selection?.endWasShown == false,
      let frame = list.visibleFrames.first(where: { $0.row == row })
    else { return }
    // The blank lines at the end of a row may be below the edge.
    let end = frame.y + max(1, frame.height - list.rowSpacing)
    selection?.endWasShown = end > 0 && end <= list.frame.height
  }

  private func selectionLeft(for row: Int) {
    guard let old = selection, old.endWasShown, let oldRow = store.row(of: old.id), oldRow < row
    else { return }
    noteStepsDown(from: oldRow..<oldRow + 1)
  }

  /// Remembers the visit if the reader is at the top of the whole timeline.
  func didComeToRest(in list: ListView) {
    guard store.filter == nil, store.count > 0, list.isAtTop, let marks = store.marks else {
      return
    }
    let now = (count: store.count, first: store.rowID(at: 0))
    if let visited, visited == now { return }
    visited = now
    marks.recordVisit()
  }

  // MARK: Marking on request

  /// Marks a post as read, or as unread if it is read.
  ///
  /// - Returns: the mark that it has now; `nil` if the timeline keeps no marks or has no such row.
  func toggleRead(row: Int) -> Mark? {
    guard let marks = store.marks, (0..<store.count).contains(row) else { return nil }
    let mark: Mark = marks.marks(ofRow: row).contains(.unread) ? .read : .unread
    let id = store.rowID(at: row)
    if mark == .unread { keptUnread.insert(id) } else { keptUnread.remove(id) }
    marks.mark(row: row, as: mark)
    return mark
  }

  /// Saves a post, or no longer.
  ///
  /// - Returns: the mark that it has now; `nil` if the timeline keeps no marks or has no such row.
  func toggleSaved(row: Int) -> Mark? {
    guard let marks = store.marks, (0..<store.count).contains(row) else { return nil }
    let mark: Mark = marks.marks(ofRow: row).contains(.saved) ? .unsaved : .saved
    marks.mark(row: row, as: mark)
    return mark
  }

  /// Marks all posts of the list as read.
  ///
  /// - Returns: the number of those that were unread.
  func markAllRead() -> Int {
    guard let marks = store.marks else { return 0 }
    keptUnread = []
    return marks.markAll(as: .read)
  }

  /// Reports a marking when it is written, unless another one is reported in its place.
  ///
  /// - Parameter report: called with a suffix for the message.
  func whenWritten(_ report: @escaping @MainActor (_ suffix: String) -> Void) {
    guard let marks = store.marks else { return }
    reportCount += 1
    let number = reportCount
    Task { [weak self] in
      do throws(LibraryError) {
        try await marks.finishMarking()
      } catch {
        // The message of the source says how many marks wait, and why.
        return
      }
      if self?.reportCount == number { report(marks.areKept ? "" : " · not kept when you quit") }
    }
  }

  /// Takes the last marking back, and reports the result.
  func undoMarking() {
    guard let marks = store.marks, !isUndoing else { return }
    isUndoing = true
    Task { [weak self] in
      let text: String
      do throws(LibraryError) {
        text =
          (try await marks.undoMarking()).map(Self.words(forTakingBack:)) ?? "nothing to take back"
      } catch {
        text = "not taken back: \(error)"
      }
      self?.isUndoing = false
      self?.onEffect(.tell(text))
      self?.onEffect(.changed)
    }
  }

  /// `"12 posts unread again"`.
  private static func words(forTakingBack marking: Marking) -> String {
    let posts = marking.items.count.counted("post")
    switch marking.mark {
    case .read: return "\(posts) unread again"
    case .unread: return "\(posts) read again"
    case .saved: return "\(posts) not saved any more"
    case .unsaved: return "\(posts) saved again"
    }
  }
}
