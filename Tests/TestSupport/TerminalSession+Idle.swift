#if os(Linux)
  import FoundationEssentials

  extension TerminalSession {
    /// Waits until no thread of the program has run for `quiet`: longer than a second, so that what
    /// wakes once a second is seen.
    ///
    /// - Throws: `HarnessError.timedOut` with the screen where that does not come to be.
    public func waitUntilIdle(
      for quiet: Duration = .milliseconds(1200), within patience: Duration = .seconds(60)
    ) throws {
      let deadline = ContinuousClock.now + patience
      while true {
        let before = try switches()
        try settle(quiet: quiet)
        if try switches() == before { return }
        guard ContinuousClock.now < deadline else {
          throw HarnessError.timedOut(waitingFor: "no thread to run", screen: snapshot.text)
        }
      }
    }

    /// Whether the program's main thread is at work, or would be if it had the processor.
    var wantsToRun: Bool {
      let path = "/proc/\(processID)/task/\(processID)/stat"
      let stat = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      // The state follows the name, which stands in brackets and may hold any character.
      return stat.split(separator: ")").last?.hasPrefix(" R") == true
    }

    /// How often each thread of the program has given up the processor so far.
    private func switches() throws -> [String: String] {
      var result: [String: String] = [:]
      let folder = "/proc/\(processID)/task"
      for thread in try FileManager.default.contentsOfDirectory(atPath: folder) {
        // A thread may end between being listed and being read.
        let status = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
        for line in (status ?? "").split(separator: "\n") where line.hasPrefix("voluntary_ctxt") {
          result[thread] = String(line)
        }
      }
      return result
    }
  }
#else
  extension TerminalSession {
    var wantsToRun: Bool { false }
  }
#endif
