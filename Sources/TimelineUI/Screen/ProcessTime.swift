import Glibc

/// CPU time of this process.
enum ProcessTime {
  /// Microseconds used by all threads so far.
  static func microseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }
}
