import TerminalApp
import TerminalViews
import TimelineStore
import VirtualList

/// The filter of a timeline's screen: chooses the posts that are shown, and keeps the reader's
/// place. Rules:
///
/// 1. A post that is on the screen and fits stays on its line. When other posts are found above it,
///    it is put there again (`keep`), until the reader moves.
/// 2. A reader who has not moved returns to the exact line where the filter began.
@MainActor final class TimelineFilter {
  private let store: TimelineStore
  private unowned let pane: ListPane
  private let marks: SearchMarks
  /// The rows that are no posts, and not counted.
  private let errors: ErrorRows
  private var history: [String] = []
  /// The place before the filter, while nothing has moved since.
  private var entry: (place: ReaderPlace, rows: VisibleSourceRows, moves: Int)?
  /// The filter when the prompt was opened.
  private var filterBefore: PostQuery?
  private var placeBefore: (place: ReaderPlace, isEntry: Bool)?
  /// The problem with the text in the prompt.
  private var error: PostQueryError?

  init(_ store: TimelineStore, on pane: ListPane, marks: SearchMarks, errors: ErrorRows) {
    (self.store, self.errors) = (store, errors)
    self.pane = pane
    self.marks = marks
    marks.filtered = store.filter?.needles ?? []
  }

  // MARK: The prompt

  /// Opens the prompt for a filter.
  func openPrompt() {
    guard let window = pane.application?.window else { return }
    filterBefore = store.filter
    placeBefore = (ReaderPlace(of: pane), isUnmoved)
    let prompt = LinePrompt(
      "filter:", text: store.filter?.text ?? "", history: history)
    prompt.onChange = { [weak self] in self?.typed($0) }
    prompt.onSubmit = { [weak self] text, history in
      self?.history = history
      self?.submitted(text)
    }
    prompt.onCancel = { [weak self] in self?.cancelled() }
    prompt.hintText = { [weak self] in self?.hint ?? "" }
    error = nil
    prompt.open(in: window)
  }

  private var hint: String {
    if let error { return error.description }
    guard store.filter == nil else { return "\(count)   Enter keeps it   Esc goes back" }
    return
      "words  \"a phrase\"  author:  tag:  has:picture  has:link  before:2024-05  after:  -not  or"
  }

  private func typed(_ text: String) {
    error = nil
    guard !text.allSatisfy(\.isWhitespace) else { return show(nil) }
    do throws(PostQueryError) {
      show(try PostQuery(text))
    } catch {
      // The last valid filter stays active.
      self.error = error
    }
  }

  private func submitted(_ text: String) {
    let isEmpty = text.allSatisfy(\.isWhitespace)
    if let error, !isEmpty {
      cancelled()
      pane.application?.tell(error.description, .refusal)
      return
    }
    (filterBefore, placeBefore) = (nil, nil)
    if isEmpty { clear() }
  }

  private func cancelled() {
    let before = placeBefore
    let filter = filterBefore
    (filterBefore, placeBefore) = (nil, nil)
    guard store.filter != filter else { return }
    store.show(fitting: filter, around: entry?.rows.range ?? 0..<64)
    marks.filtered = filter?.needles ?? []
    pane.listView.reloadData()
    moving { before?.place.restore(in: pane) }
    if filter == nil { entry = nil }
  }

  // MARK: Filtering

  /// Shows only the posts that fit a query.
  ///
  /// - Throws: `PostQueryError`; the rows are then unchanged.
  func filter(_ text: String) throws(PostQueryError) {
    show(try PostQuery(text))
    history.append(text)
  }

  /// Shows all posts again; the reader's post stays on its line.
  ///
  /// - Returns: `false` if all were shown.
  @discardableResult func clear() -> Bool {
    guard store.filter != nil else { return false }
    show(nil)
    return true
  }

  private func show(_ query: PostQuery?) {
    guard query != store.filter else { return }
    if query != nil, !isUnmoved {
      entry = (
        ReaderPlace(of: pane), VisibleSourceRows(in: pane, of: store), pane.moveCount
      )
    }
    let rows = isUnmoved ? entry?.rows : nil
    let now = rows ?? VisibleSourceRows(in: pane, of: store)
    store.show(fitting: query, around: now.range)
    marks.filtered = query?.needles ?? []
    let list = pane.listView
    list.reloadData()
    if query == nil, isUnmoved, let entry {
      moving { entry.place.restore(in: pane) }
      self.entry = nil
    } else {
      moving { now.keep(in: pane, of: store) }
      if query == nil { entry = nil }
    }
    pane.application?.setNeedsFrame()
  }

  /// Call this after rows have changed: keeps the reader's post on its line.
  func rowsChanged() {
    guard store.filter != nil else { return }
    // Posts found above do not count as new rows.
    pane.listView.forgetNewRows()
    guard isUnmoved, let entry else { return }
    moving { entry.rows.keep(in: pane, of: store) }
  }

  private var isUnmoved: Bool { entry.map { $0.moves == pane.moveCount } ?? false }

  private func moving(_ action: () -> Void) {
    let wasUnmoved = isUnmoved
    action()
    if wasUnmoved { entry?.moves = pane.moveCount }
  }

  // MARK: Status

  /// Whether only some posts are shown.
  var isOn: Bool { store.filter != nil }

  /// The filter and the number of all posts: `"filter tag:harbour, 200 in all"`; empty without a
  /// filter.
  var status: String {
    guard let filter = store.filter else { return "" }
    let omission = TimelineMatches.omission(of: store.unreadableCount)
    return "filter \(filter.text), \(allCount) in all" + (omission.isEmpty ? "" : ", \(omission)")
  }

  /// The number of posts that fit the query in the prompt.
  private var count: String {
    guard let filter = store.filter else { return "" }
    let count = store.count - errors.count
    let omission = TimelineMatches.omission(of: store.unreadableCount)
    let suffix = omission.isEmpty ? "" : ", \(omission)"
    return "\(count)\(store.isComplete ? "" : "+") of \(allCount) fit \(filter.text)\(suffix)"
  }

  /// The number of all posts.
  private var allCount: Int { max(0, store.sourceCount - errors.sourceCount) }
}
