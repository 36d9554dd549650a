import Dispatch
import Library
import System

/// The marks of all items of a library, and the writer of their changes.
///
/// 1. A mark changes here at once. It is written on a thread of its own, in order, so that the
///    screen does not wait, and is kept until it is written. If a write fails, its change and those
///    after it wait for the next change, `retry` or `finish`; no timer runs.
/// 2. An undo is dropped when a write before it or its own fails: it is not done later, unasked.
/// 3. In a library that is only read, marks change here alone, and are gone with the program
///    (`areKept`).
/// 4. Changes that come from the library (those of a refresh, of other programs, of an undo)
///    replace the marks held here.
@MainActor final class LibraryMarks {
  private let library: FeedLibrary
  /// The marks of all items; which of them are new depends on the timeline.
  private(set) var held = MarkSnapshot()
  /// Counts the changes: what was read before one is outdated.
  private(set) var revision = 0
  /// The changes that are not written yet, oldest first.
  private var waiting: [Change] = []
  private var writing: Task<Void, Never>?
  /// Whether the waiting changes are to be tried once more: many keys during a lock make one
  /// further attempt, not one each.
  private var isAskedAgain = false
  private let thread = WorkerThreads(limit: 1)
  /// The markings that are not kept, oldest first.
  private var unkept: [Marking] = []
  /// Why changes are not written yet.
  private(set) var failure: LibraryError?
  /// Called after marks have changed, and after each write, whether or not it failed.
  var onChange: (() -> Void)?

  private enum Change: Sendable {
    case mark(Marking)
    case visit(timeline: String, latestItem: ItemID, time: Double)
    case undo(time: Double, CheckedContinuation<Result<Marking?, LibraryError>, Never>)

    /// - Returns: the change that an undo has made; `nil` if there was none to undo.
    func write(to library: FeedLibrary) throws(LibraryError) -> Marking? {
      switch self {
      case .mark(let marking):
        _ = try library.mark(marking.items, as: marking.mark, at: marking.time)
      case .visit(let timeline, let latestItem, let time):
        _ = try library.recordVisit(of: timeline, upTo: latestItem, at: time)
      case .undo(let time, _): return try library.undoMarking(at: time)
      }
      return nil
    }
  }

  init(of library: FeedLibrary) { self.library = library }

  /// The number of marks that are not written yet; visits do not count.
  var waitingCount: Int { waiting.count { if case .mark = $0 { true } else { false } } }

  // MARK: Reading

  /// Adopts marks that were read, unless changes are not written yet.
  ///
  /// - Returns: whether they were adopted.
  @discardableResult func adopt(_ snapshot: MarkSnapshot) -> Bool {
    guard waiting.isEmpty else { return false }
    held = snapshot
    onChange?()
    return true
  }

  // MARK: Changing

  /// Items that have arrived unread.
  ///
  /// - Parameter showRows: shows them; filters then know their marks.
  func add(unread items: ItemRanges, _ showRows: () -> Void) {
    guard !items.isEmpty else { return showRows() }
    revision &+= 1
    held.unread.insert(items)
    showRows()
    onChange?()
  }

  /// Marks items.
  ///
  /// - Returns: the number of items that did not have the mark before.
  /// - Complexity: O(n) in the items.
  func mark(_ items: some Sequence<ItemID>, as mark: Mark) -> Int {
    var changed = ItemSet()
    for item in items where set(mark, of: item) { changed.insert(item) }
    return write(changed, as: mark)
  }

  /// Marks all items of the library as read.
  ///
  /// - Returns: the number of items that were unread.
  func markAllRead() -> Int {
    let changed = held.unread
    held.unread = ItemSet()
    return write(changed, as: .read)
  }

  private func write(_ changed: ItemSet, as mark: Mark) -> Int {
    guard changed.count > 0 else { return 0 }
    revision &+= 1
    let marking = Marking(mark, changed.ranges, time: SystemClock.wallTime)
    if areKept {
      add(.mark(marking))
    } else {
      unkept.append(marking)
    }
    onChange?()
    return changed.count
  }

  /// - Returns: whether the item did not have the mark before.
  private func set(_ mark: Mark, of item: ItemID) -> Bool {
    switch mark {
    case .read: held.unread.remove(item)
    case .unread: held.unread.insert(item)
    case .saved: held.saved.insert(item)
    case .unsaved: held.saved.remove(item)
    }
  }

  /// Takes the last marking back, also one of an earlier run if marks are kept.
  ///
  /// - Returns: that marking; `nil` if none is left.
  /// - Throws: `LibraryError` if it cannot be written; it is not taken back then.
  func undo() async throws(LibraryError) -> Marking? {
    guard areKept else {
      guard let marking = unkept.popLast() else { return nil }
      apply(Marking(marking.mark.inverse, marking.items, time: marking.time))
      onChange?()
      return marking
    }
    let result = await withCheckedContinuation { continuation in
      add(.undo(time: SystemClock.wallTime, continuation))
    }
    return try result.get()
  }

  func recordVisit(of timeline: String, upTo latestItem: ItemID) {
    guard areKept else { return }
    add(.visit(timeline: timeline, latestItem: latestItem, time: SystemClock.wallTime))
  }

  /// Whether marks are to be written; if they cannot be, `failure` says why.
  var areKept: Bool { !library.isReadOnly || library.obstacle != nil }

  // MARK: Writing

  private func add(_ change: Change) {
    waiting.append(change)
    write()
  }

  /// Tries to write what could not be written.
  func retry() { if !waiting.isEmpty { write() } }

  /// Writes what waits.
  ///
  /// - Parameter onDelay: called if it takes half a second.
  /// - Throws: `LibraryError` if it cannot be written.
  func finish(onDelay: @escaping () -> Void = {}) async throws(LibraryError) {
    let notice = DispatchWorkItem { onDelay() }
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(500), execute: notice)
    retry()
    while let writing { await writing.value }
    notice.cancel()
    guard waiting.isEmpty else { throw failure ?? LibraryError(.locked, file: library.path) }
  }

  private func write() {
    isAskedAgain = writing != nil
    guard !isAskedAgain else { return }
    writing = Task {
      await writeWaiting()
      writing = nil
      if isAskedAgain { retry() }
    }
  }

  /// Writes the waiting changes until all are written or one has failed.
  private func writeWaiting() async {
    while let change = waiting.first {
      let result = await thread.value { [library] in
        Result { () throws(LibraryError) in try change.write(to: library) }
      }
      switch result {
      case .success(let reversal):
        waiting.removeFirst()
        failure = nil
        if let reversal { apply(reversal) }
        if case .undo(_, let continuation) = change {
          continuation.resume(returning: .success(reversal.map(undone(by:))))
        }
        onChange?()
      case .failure(let error):
        for case .undo(_, let continuation) in waiting {
          continuation.resume(returning: .failure(error))
        }
        waiting.removeAll { if case .undo = $0 { true } else { false } }
        failure = waiting.isEmpty ? nil : error
        onChange?()
        return
      }
    }
  }

  private func apply(_ change: Marking) {
    revision &+= 1
    switch change.mark {
    case .read: held.unread.remove(change.items)
    case .unread: held.unread.insert(change.items)
    case .saved: held.saved.insert(change.items)
    case .unsaved: held.saved.remove(change.items)
    }
  }

  /// The marking that a change has taken back.
  private func undone(by change: Marking) -> Marking {
    Marking(change.mark.inverse, change.items, time: change.time)
  }
}
