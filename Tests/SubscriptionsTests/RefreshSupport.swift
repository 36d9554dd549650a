import HTTP
import Library
import Synchronization

@testable import Subscriptions

/// A clock that stands still until the test moves it, by both of its hands.
final class ManualRefreshClock: Sendable {
  private struct State {
    var wall = 1_700_000_000.0
    var steady = 50.0
    var alarm: (time: Double, body: @Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// The seconds until the timer fires; `nil` if it is not armed.
  var remaining: Double? { state.withLock { state in state.alarm.map { $0.time - state.steady } } }
  var wall: Double { state.withLock { $0.wall } }

  var clock: RefreshClock {
    RefreshClock(
      wall: { self.state.withLock { $0.wall } }, steady: { self.state.withLock { $0.steady } },
      wake: { seconds, body in
        self.state.withLock { state in
          state.alarm = seconds.map { (state.steady + $0, body) }
        }
      })
  }

  func advance(by seconds: Double, jumpingBy jump: Double = 0) {
    let body = state.withLock { state -> (@Sendable () -> Void)? in
      state.wall += seconds + jump
      state.steady += seconds
      guard let alarm = state.alarm, alarm.time <= state.steady else { return nil }
      state.alarm = nil
      return alarm.body
    }
    body?()
  }
}

/// Events in order, which tests can wait for.
final class RefreshLog: Sendable {
  private struct State {
    var events: [RefreshEvent] = []
    var waiters:
      [(condition: @Sendable ([RefreshEvent]) -> Bool, CheckedContinuation<Void, Never>)] =
        []
  }

  private let state = Mutex(State())

  var events: [RefreshEvent] { state.withLock { $0.events } }

  func note(_ event: RefreshEvent) {
    let ready = state.withLock { state in
      state.events.append(event)
      let events = state.events
      let ready = state.waiters.filter { $0.condition(events) }
      state.waiters.removeAll { $0.condition(events) }
      return ready
    }
    for waiter in ready { waiter.1.resume() }
  }

  func until(_ condition: @escaping @Sendable ([RefreshEvent]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let holds = state.withLock { state in
        if condition(state.events) { return true }
        state.waiters.append((condition, continuation))
        return false
      }
      if holds { continuation.resume() }
    }
  }

  var failures: [String] {
    events.compactMap { if case .failed(let failure) = $0 { failure.message } else { nil } }
  }

  var progress: [[Int]] {
    events.compactMap {
      if case .progressed(let progress, _) = $0 { [progress.done, progress.total] } else { nil }
    }
  }

  var endings: Int { events.count { if case .ended = $0 { true } else { false } } }
}

/// Requests wait here until they are cancelled or the gate opens.
final class AsyncGate: Sendable {
  private struct State {
    var waiting: [CheckedContinuation<Void, Never>] = []
    var isCancelled = false
    var observers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func wait() async throws(HTTPError) {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let observers = state.withLock { state in
          if state.isCancelled {
            continuation.resume()
          } else {
            state.waiting.append(continuation)
          }
          defer { state.observers = [] }
          return state.observers
        }
        for observer in observers { observer.resume() }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.isCancelled = true
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
    // A cancellation wakes all, also those whose own comes a moment later.
    if state.withLock({ $0.isCancelled }) { throw .cancelled }
  }

  /// Returns when a request waits.
  func untilWaiting() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if !state.waiting.isEmpty || state.isCancelled { return true }
        state.observers.append(continuation)
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}

extension FeedRefresher {
  /// Returns when the refresher has finished its step.
  func settle() {}
}

extension RefreshEvent {
  func isProgress(_ done: Int, of total: Int) -> Bool {
    guard case .progressed(let progress, _) = self else { return false }
    return (progress.done, progress.total) == (done, total)
  }
}
