import Glibc

/// What Linux tells of a session's processes under /proc. Elsewhere nothing is known of them.
package struct ProcessFigures {
  /// What one thread has done so far.
  private struct Activity {
    var nanoseconds: Int
    var switches: Int
  }

  /// Resident, of all processes together.
  package private(set) var kilobytes = 0
  /// By "process/thread".
  private var activities: [String: Activity] = [:]

  /// Nil where there is no /proc.
  package init?(session: pid_t) {
    let processes = Self.processes(ofSession: session)
    guard !processes.isEmpty else { return nil }
    for process in processes {
      let status = ProcessFile.text("/proc/\(process)/status")
      kilobytes += Self.number(after: "VmRSS:", in: status) ?? 0
      for thread in Self.threads(of: process) {
        let path = "/proc/\(process)/task/\(thread)"
        let time = ProcessFile.text(path + "/schedstat").split(separator: " ").first
        let status = ProcessFile.text(path + "/status")
        let switches = ["\nvoluntary_ctxt_switches:", "\nnonvoluntary_ctxt_switches:"]
          .compactMap { Self.number(after: $0, in: status) }
        activities["\(process)/\(thread)"] = Activity(
          nanoseconds: time.flatMap { Int($0) } ?? 0, switches: switches.reduce(0, +))
      }
    }
  }

  /// Time on a processor and context switches, of their own accord and by force, between `earlier`
  /// and this. A thread that has ended since is not counted.
  package func activity(since earlier: ProcessFigures) -> (microseconds: Int, switches: Int) {
    var sum = (microseconds: 0, switches: 0)
    for (thread, now) in activities {
      let before = earlier.activities[thread] ?? Activity(nanoseconds: 0, switches: 0)
      sum.microseconds += (now.nanoseconds - before.nanoseconds) / 1_000
      sum.switches += now.switches - before.switches
    }
    return sum
  }

  /// Those whose session is led by `leader`.
  package static func processes(ofSession leader: pid_t) -> [Int] {
    ProcessFile.names(in: "/proc").compactMap { Int($0) }.filter { process in
      // State, parent, group, session.
      let fields = ProcessFile.fields(ofStat: "/proc/\(process)/stat")
      return fields.count > 3 && fields[3] == "\(leader)"
    }
  }

  /// Whether a thread of `processes` runs, waits for a processor or for the disk.
  package static func isAnyBusy(_ processes: [Int]) -> Bool {
    processes.contains { process in
      threads(of: process).contains { thread in
        let state = ProcessFile.fields(ofStat: "/proc/\(process)/task/\(thread)/stat").first
        return state == "R" || state == "D"
      }
    }
  }

  private static func threads(of process: Int) -> [String] {
    ProcessFile.names(in: "/proc/\(process)/task")
  }

  private static func number(after key: String, in text: String) -> Int? {
    guard let range = text.firstRange(of: key) else { return nil }
    return Int(
      text[range.upperBound...].drop { $0 == " " || $0 == "\t" }.prefix { $0.isWholeNumber })
  }
}
