import Dispatch

/// A timer that calls back once on the main actor. Nothing is armed while no call is pending.
@MainActor final class MainQueueAlarm {
  private var timer: (any DispatchSourceTimer)?

  /// Calls `body` after these seconds, unless cancelled; replaces the pending call.
  func set(after seconds: Double, _ body: @escaping @MainActor () -> Void) {
    cancel()
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + seconds, leeway: .milliseconds(100))
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        self?.cancel()
        body()
      }
    }
    self.timer = timer
    timer.resume()
  }

  func cancel() {
    timer?.cancel()
    timer = nil
  }
}
