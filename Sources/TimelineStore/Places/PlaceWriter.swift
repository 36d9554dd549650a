import Dispatch
import Synchronization
import System

/// Keeps the place of one source, in the background, so that nothing waits for a slow disk.
package final class PlaceWriter: Sendable {
  private let files: PlaceStore
  private let source: String
  private let queue = DispatchQueue(label: "tideline.place", qos: .utility)
  private let state: Mutex<State>

  private struct State {
    /// The place in the file, as far as it is known.
    var kept: RememberedPlace?
    /// The place to be written, until a newer one replaces it.
    var pending: RememberedPlace?
    var failure: SystemFailure?
  }

  /// Keeps the place of `source` in `files`.
  ///
  /// - Parameter place: the place that is already in the file.
  package init(files: PlaceStore, source: String, place: RememberedPlace?) {
    self.files = files
    self.source = source
    state = Mutex(State(kept: place))
  }

  /// Writes `place` soon, unless it is already kept.
  package func keep(_ place: RememberedPlace) {
    let isNew = state.withLock { state in
      guard place != state.pending ?? state.kept else { return false }
      let isQueued = state.pending != nil
      state.pending = place
      return !isQueued
    }
    if isNew { queue.async { self.write() } }
  }

  private func write() {
    guard let place = state.withLock({ $0.pending }) else { return }
    var failure: SystemFailure?
    do throws(SystemFailure) { try files.keep(place, of: source) } catch { failure = error }
    let isBehind = state.withLock { state in
      // A failed write is repeated only with another place.
      state.kept = place
      state.failure = failure
      guard state.pending != place else {
        state.pending = nil
        return false
      }
      return true
    }
    if isBehind { write() }
  }

  /// Why the last place is not kept; `nil` if it is.
  package var failure: String? { state.withLock { $0.failure?.message } }

  /// Waits until everything is written, and removes files beyond the limits.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - limit: the maximum time to wait, for a file system that does not answer.
  package func finish(now: Int, within limit: DispatchTimeInterval = .seconds(5)) {
    let done = DispatchSemaphore(value: 0)
    queue.async {
      self.files.prune(now: now)
      done.signal()
    }
    guard done.wait(timeout: .now() + limit) == .timedOut else { return }
    state.withLock { state in
      if state.pending != nil { state.failure = SystemFailure(code: ETIMEDOUT) }
    }
  }
}
