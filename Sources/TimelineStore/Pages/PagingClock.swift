import Dispatch

/// The time that paging goes by, and the one thing it may wait for.
@MainActor struct PagingClock {
  /// Seconds since some moment, never going back.
  let now: () -> Double
  /// Calls once, after so many seconds, unless cancelled: replaces what it was to call before.
  let wake: (_ seconds: Double, _ body: @escaping @MainActor () -> Void) -> Void
  let cancelWake: () -> Void

  /// The machine's. Nothing is armed while nothing is waited for.
  static var system: PagingClock {
    let start = ContinuousClock.now
    let alarm = Alarm()
    return PagingClock(
      now: {
        let passed = (ContinuousClock.now - start).components
        return Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
      },
      wake: { alarm.set(after: $0, $1) },
      cancelWake: { alarm.cancel() })
  }

  @MainActor private final class Alarm {
    private var timer: (any DispatchSourceTimer)?

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
}
