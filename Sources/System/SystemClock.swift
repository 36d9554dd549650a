import Glibc

/// Clocks of the system.
package enum SystemClock {
  /// Microseconds since an arbitrary moment in the past; never goes back.
  package static var monotonic: Int { microseconds(CLOCK_MONOTONIC) }
  /// CPU time used by all threads of this process so far, in microseconds.
  package static var processorTime: Int { microseconds(CLOCK_PROCESS_CPUTIME_ID) }

  /// Seconds since 1970 by the system's clock.
  package static var wallTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Local hour, minute and second of a time in seconds since 1970; `nil` if it is out of range.
  package static func timeOfDay(_ seconds: Double) -> (hour: Int, minute: Int, second: Int)? {
    var local = tm()
    guard var time = time_t(exactly: seconds.rounded(.down)), localtime_r(&time, &local) != nil
    else { return nil }
    return (Int(local.tm_hour), Int(local.tm_min), Int(local.tm_sec))
  }

  private static func microseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }
}

extension Duration {
  /// The duration in nanoseconds, as Dispatch counts.
  package var wholeNanoseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
