import FoundationEssentials

extension TerminalSession {
  /// Long enough to see a thread that wakes once a second.
  public static let overASecond = Duration.milliseconds(1200)

  /// Waits until no thread of the program has run for `quiet`: by default long enough to see the
  /// work that the program begins 400 ms after the last key.
  ///
  /// - Throws: `HarnessError.timedOut` with the screen if that does not happen.
  public func waitUntilIdle(
    for quiet: Duration = .milliseconds(450), within patience: Duration = .seconds(60)
  ) throws {
    let deadline = ContinuousClock.now + patience
    var before = try switches()
    var restsSince = ContinuousClock.now
    while true {
      try settle(quiet: min(quiet, .milliseconds(50)))
      let after = try switches()
      if after != before || isAnyThreadAtWork() {
        (before, restsSince) = (after, .now)
      } else if ContinuousClock.now - restsSince >= quiet {
        return
      }
      guard ContinuousClock.now < deadline else {
        throw HarnessError.timedOut(waitingFor: "no thread to run", screen: snapshot.text)
      }
    }
  }

  /// Waits, without reading the screen, until no thread of the program has run for `quiet`; returns
  /// false if that does not happen.
  ///
  /// - Throws: `HarnessError.exited` if the program ends meanwhile.
  public func rest(quiet: Duration, within patience: Duration) throws -> Bool {
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline {
      let before = try switches()
      try watch(for: quiet)
      if try switches() == before, !isAnyThreadAtWork() { return true }
    }
    return false
  }

  /// Whether a thread of the program is running, perhaps for long without giving up the processor,
  /// or is waiting for a processor.
  func isAnyThreadAtWork() -> Bool {
    let folder = "/proc/\(processID)/task"
    // A program that has ended has no threads; after it has been waited for, it has no folder
    // either.
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.contains { isAtWork("\(folder)/\($0)/stat") }
  }

  /// The process that the program started last, such as the command of a shell.
  public var childProcess: Int32? {
    let path = "/proc/\(processID)/task/\(processID)/children"
    let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return children.split(separator: " ").last.flatMap { Int32($0) }
  }

  /// Whether the processes that the program has started, and those started by them, have stopped.
  ///
  /// A process that waits for a key takes one that comes after the signal but before the process has
  /// been scheduled, so a shell may continue before all processes of its job have stopped.
  public func hasEveryDescendantStopped() -> Bool {
    var processes = children(of: processID)
    guard !processes.isEmpty else { return false }
    while let process = processes.popLast() {
      guard isStopped("/proc/\(process)/stat") else { return false }
      processes += children(of: process)
    }
    return true
  }

  /// The processes that any thread of `process` has started and not yet waited for.
  private func children(of process: Int32) -> [Int32] {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.flatMap { thread in
      let children = try? String(contentsOfFile: "\(folder)/\(thread)/children", encoding: .utf8)
      return (children ?? "").split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// Whether the program's main thread is running or waiting for a processor.
  var wantsToRun: Bool { isAtWork("/proc/\(processID)/task/\(processID)/stat") }

  private func isAtWork(_ path: String) -> Bool {
    let state = state(path)
    return state == "R" || state == "D"
  }

  private func isStopped(_ path: String) -> Bool { state(path) == "T" }

  /// The letter of the state in a `stat` file; nil if the process or thread has ended.
  private func state(_ path: String) -> Character? {
    let stat = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    // The state follows the name, which is in brackets and may contain any character.
    return stat.split(separator: ")").last?.dropFirst().first
  }

  /// The number of times that each thread of the program has given up the processor so far.
  public func switches() throws -> [String: String] {
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
