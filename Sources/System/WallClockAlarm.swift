import CTimers
import Dispatch
import Glibc

/// Calls back when the system's clock reaches a time, even if the machine sleeps meanwhile, and
/// whenever the clock is set before that: the remaining time may then be different.
///
/// The timer is created when the first time is set.
@MainActor package final class WallClockAlarm {
  private var timer: (descriptor: Int32, source: any DispatchSourceProtocol)?
  private var onFire: (@MainActor () -> Void)?

  package init() {}

  isolated deinit { timer?.source.cancel() }

  /// Calls `body` on the main actor, once or more, at `time` and whenever the clock is set, until
  /// the alarm is set again. If the system cannot create a timer, `body` is never called.
  ///
  /// - Parameter time: seconds since 1970; `nil` for never.
  package func set(at time: Double?, _ body: @escaping @MainActor () -> Void) {
    onFire = body
    guard let time else {
      // Without flags, or the kernel would still report that the clock was set.
      var never = itimerspec()
      if let timer { _ = timerfd_settime(timer.descriptor, 0, &never, nil) }
      return
    }
    if timer == nil { timer = makeTimer() }
    guard let timer else { return }
    // A time of zero would disarm the timer.
    let bounded = min(max(time, 1), 1e11)
    var value = itimerspec()
    value.it_value.tv_sec = time_t(bounded)
    value.it_value.tv_nsec = Int((bounded - bounded.rounded(.down)) * 1e9)
    Self.set(value, on: timer.descriptor)
  }

  private static func set(_ value: itimerspec, on descriptor: Int32) {
    var value = value
    let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
    _ = timerfd_settime(descriptor, flags, &value, nil)
  }

  private func makeTimer() -> (descriptor: Int32, source: any DispatchSourceProtocol)? {
    let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      // Reads the number of expirations; fails with ECANCELED if the clock was set.
      var count: UInt64 = 0
      _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
      MainActor.assumeIsolated { self?.onFire?() }
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
    return (descriptor, source)
  }
}
