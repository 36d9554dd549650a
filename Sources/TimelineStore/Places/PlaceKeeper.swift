import Dispatch
import Synchronization
import System

/// Keeps the place of one source, in the background, so that no slow disk is waited for.
public final class PlaceKeeper: Sendable {
  private let files: PlaceFiles
  private let source: String
  private let queue = DispatchQueue(label: "tideline.place", qos: .utility)
  private let state: Mutex<State>

  private struct State {
    /// What the file says, as far as is known.
    var kept: RememberedPlace?
    /// To be written; what comes meanwhile takes its place.
    var pending: RememberedPlace?
    var failure: SystemFailure?
  }

  /// The place of `source` in `files`.
  ///
  /// - Parameter place: what stands there.
  public init(files: PlaceFiles, source: String, place: RememberedPlace?) {
    self.files = files
    self.source = source
    state = Mutex(State(kept: place))
  }

  /// Has `place` kept soon. Nothing is written where it is kept already.
  public func keep(_ place: RememberedPlace) {
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
      // What failed is tried again when there is another place.
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

  /// Why the last place is not kept; nil where it is.
  public var failure: String? { state.withLock { $0.failure?.message } }

  /// Waits until all is written, and keeps the files within their bounds.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - limit: how long it waits at most, for a file system that does not answer.
  public func finish(now: Int, within limit: DispatchTimeInterval = .seconds(5)) {
    let done = DispatchSemaphore(value: 0)
    queue.async {
      self.files.prune(now: now)
      done.signal()
    }
    _ = done.wait(timeout: .now() + limit)
  }
}
