import Dispatch
import Library
import System

/// The marks of all items of a library, and the writer of their changes.
///
/// 1. A mark changes here at once, and is written in the background, in order (``MarkWriter``).
/// 2. In a library that is only read, marks change here alone, and are gone with the program
///    (`areKept`).
/// 3. Changes that come from the library (those of a refresh, of other programs, of an undo)
///    replace the marks held here.
@MainActor final class LibraryMarks {
  private let library: FeedLibrary
  private let writer: MarkWriter
  /// The marks of all items; which of them are new depends on the timeline.
  private(set) var held = MarkSnapshot()
  /// Counts the changes: what was read before one is outdated.
  private(set) var revision = 0
  private var undoing: [CheckedContinuation<Result<Marking?, LibraryError>, Never>] = []
  /// The markings that are not kept, oldest first.
  private var unkept: [Marking] = []
  /// Why changes are not written yet.
  private(set) var failure: LibraryError?
  /// Called after marks have changed, and after each write, whether or not it failed.
  var onChange: (() -> Void)?

  /// Passes events of the writer's thread on.
  @MainActor private final class Relay {
    weak var marks: LibraryMarks?
  }

  init(of library: FeedLibrary) {
    self.library = library
    let relay = Relay()
    writer = MarkWriter(library) { event in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { relay.marks?.take(event) }
      }
    }
    relay.marks = self
  }

  /// The number of marks that are not written yet; visits do not count.
  var waitingCount: Int { writer.waitingMarkCount }

  // MARK: Reading

  /// Adopts marks that were read, unless changes are not written yet.
  ///
  /// - Returns: whether they were adopted.
  @discardableResult func adopt(_ snapshot: MarkSnapshot) -> Bool {
    guard writer.waitingCount == 0 else { return false }
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
      writer.add(.mark(marking.items, mark, time: marking.time))
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
      undoing.append(continuation)
      writer.add(.undo(time: SystemClock.wallTime))
    }
    return try result.get()
  }

  func recordVisit(of timeline: String, upTo latestItem: ItemID) {
    guard areKept else { return }
    writer.add(.visit(timeline: timeline, latestItem: latestItem, time: SystemClock.wallTime))
  }

  /// Whether marks are to be written; if they cannot be, `failure` says why.
  var areKept: Bool { !library.isReadOnly || library.obstacle != nil }

  /// Tries to write what could not be written.
  func retry() { writer.retry() }

  /// Writes what waits, on a thread of its own.
  ///
  /// - Parameter onDelay: called on that thread if it takes half a second.
  /// - Throws: `LibraryError` if it cannot be written.
  func finish(onDelay: @escaping @Sendable () -> Void = {}) async throws(LibraryError) {
    let writer = writer
    let left = await WorkerThreads.sources.value { writer.finish(onDelay: onDelay) }
    guard left > 0 else { return }
    // The writer's events are on their way to the main queue.
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    throw failure ?? LibraryError(.locked, file: library.path)
  }

  // MARK: Events of the writer

  private func take(_ event: MarkWriter.Event) {
    switch event {
    case .marked, .visited: failure = nil
    case .undone(let change):
      failure = nil
      if let change { apply(change) }
      guard !undoing.isEmpty else { break }
      undoing.removeFirst().resume(returning: .success(change.map(undone(by:))))
    case .failed(let error, let waiting, let undos):
      failure = waiting > 0 ? error : nil
      let failed = undoing.prefix(undos)
      undoing.removeFirst(failed.count)
      for continuation in failed { continuation.resume(returning: .failure(error)) }
    }
    onChange?()
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
