import Dispatch
import Synchronization
import System

/// Writes marks and visits of a library on a thread of its own, in order, so that the screen
/// does not wait.
///
/// 1. A mark or visit is kept until it is written. If a write fails, its change and those after it
///    wait for the next `add`, `retry` or `finish`; no timer runs.
/// 2. An undo is dropped when a write before it or its own fails: it is not done later, unasked.
/// 3. Events come in the order of the changes, on the writer's thread.
package final class MarkWriter: Sendable {
  package enum Change: Sendable {
    case mark(ItemRanges, Mark, time: Double)
    case undo(time: Double)
    case visit(timeline: String, latestItem: ItemID, time: Double)
  }

  package enum Event: Sendable {
    /// Items were marked.
    case marked(Marking)
    /// The last marking was undone by this one; `nil` if there was none to undo.
    case undone(Marking?)
    case visited(timeline: String, TimelineVisit)
    /// A change could not be written; the number of changes still to be written, and that of the
    /// dropped undos.
    case failed(LibraryError, waiting: Int, undos: Int)
  }

  private let library: FeedLibrary
  private let onEvent: @Sendable (Event) -> Void
  private struct State {
    var waiting: [Change] = []
    /// Whether the thread will look at the waiting changes once more: many keys during a lock make
    /// one further attempt, not one each.
    var isScheduled = false
  }

  private let state = Mutex(State())
  private let thread = WorkerThreads(limit: 1)

  package init(_ library: FeedLibrary, onEvent: @escaping @Sendable (Event) -> Void) {
    self.library = library
    self.onEvent = onEvent
  }

  /// The number of changes that are not written yet.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// The number of marks among them.
  package var waitingMarkCount: Int {
    state.withLock { state in
      state.waiting.count { if case .mark = $0 { true } else { false } }
    }
  }

  /// Writes a change soon.
  package func add(_ change: Change) {
    state.withLock { $0.waiting.append(change) }
    schedule()
  }

  /// Tries to write the waiting changes.
  package func retry() { if waitingCount > 0 { schedule() } }

  private func schedule() {
    let isNew = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isNew { thread.run { self.writeWaiting() } }
  }

  /// Writes the waiting changes, and returns when all are written or one has failed.
  ///
  /// - Parameter onDelay: called once if that takes half a second, for example because another
  ///   program has locked the library.
  /// - Returns: the number of changes that are still waiting.
  package func finish(onDelay: () -> Void = {}) -> Int {
    let isDone = DispatchSemaphore(value: 0)
    thread.run {
      self.writeWaiting()
      isDone.signal()
    }
    if isDone.wait(timeout: .now() + .milliseconds(500)) == .timedOut {
      onDelay()
      isDone.wait()
    }
    return waitingCount
  }

  private func writeWaiting() {
    state.withLock { $0.isScheduled = false }
    while let change = state.withLock({ $0.waiting.first }) {
      do throws(LibraryError) {
        let event = try write(change)
        state.withLock { _ = $0.waiting.removeFirst() }
        onEvent(event)
      } catch {
        let (waiting, undos) = state.withLock { state in
          let count = state.waiting.count
          state.waiting.removeAll { if case .undo = $0 { true } else { false } }
          return (state.waiting.count, count - state.waiting.count)
        }
        return onEvent(.failed(error, waiting: waiting, undos: undos))
      }
    }
  }

  private func write(_ change: Change) throws(LibraryError) -> Event {
    switch change {
    case .mark(let items, let mark, let time):
      return .marked(try library.mark(items, as: mark, at: time))
    case .undo(let time): return .undone(try library.undoMarking(at: time))
    case .visit(let timeline, let latest, let time):
      return .visited(
        timeline: timeline, try library.recordVisit(of: timeline, upTo: latest, at: time))
    }
  }
}
