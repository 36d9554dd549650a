import Glibc

/// Clocks of the system, in microseconds.
package enum SystemClock {
  /// Since some moment in the past; runs only forward.
  package static var monotonic: Int { microseconds(CLOCK_MONOTONIC) }
  /// Used by all threads of this process so far.
  package static var processorTime: Int { microseconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func microseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }
}
