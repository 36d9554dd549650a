import Glibc

/// A process and all that it has started, whatever session they are in, as Linux tells of them
/// under /proc.
package struct ProcessTree {
  /// The sum of the most that each has had resident; what they share counts for each.
  package private(set) var peakKilobytes = 0
  /// Time on a processor so far, of all together.
  package private(set) var microseconds = 0

  /// - Complexity: O(processes of the system).
  package init(of root: pid_t) {
    var parents: [pid_t: pid_t] = [:]
    for process in ProcessFile.names(in: "/proc").compactMap({ pid_t($0) }) {
      // State, parent.
      let fields = ProcessFile.fields(ofStat: "/proc/\(process)/stat")
      if fields.count > 1 { parents[process] = pid_t(fields[1]) }
    }
    for process in parents.keys where Self.descends(process, from: root, parents) {
      peakKilobytes += Self.peakKilobytes(of: process)
      microseconds += Self.microseconds(of: process)
    }
  }

  /// The most that one process has had resident; 0 where it is gone.
  package static func peakKilobytes(of process: pid_t) -> Int {
    let status = ProcessFile.text("/proc/\(process)/status").split(separator: "\n")
    let peak = status.first { $0.hasPrefix("VmHWM:") }?.split { !$0.isWholeNumber }.first
    return peak.flatMap { Int($0) } ?? 0
  }

  private static func descends(
    _ process: pid_t, from root: pid_t, _ parents: [pid_t: pid_t]
  ) -> Bool {
    var next: pid_t? = process
    while let process = next, process > 1 {
      if process == root { return true }
      next = parents[process]
    }
    return false
  }

  private static func microseconds(of process: pid_t) -> Int {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return 0
    }
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }
}
