import Dispatch
import System

/// The clocks of what sends requests, and its only timer.
package struct RefreshClock: Sendable {
  /// Seconds since 1970; may jump.
  package let wall: @Sendable () -> Double
  /// Seconds since an arbitrary moment, never going back.
  package let steady: @Sendable () -> Double
  /// Calls `body` after `seconds`, perhaps more than once, until the next call of `wake`; never if
  /// `seconds` is `nil`.
  package let wake: @Sendable (_ seconds: Double?, _ body: @escaping @Sendable () -> Void) -> Void

  /// The system's clocks. The timer calls back on the main thread, and also counts the time in
  /// which the machine sleeps.
  @MainActor package static func system() -> RefreshClock {
    let alarm = WallClockAlarm()
    return RefreshClock(
      wall: { SystemClock.wallTime }, steady: { Double(SystemClock.monotonic) / 1e6 },
      wake: { seconds, body in
        let time = seconds.map { SystemClock.wallTime + $0 }
        DispatchQueue.main.async {
          MainActor.assumeIsolated { alarm.set(at: time) { body() } }
        }
      })
  }
}
