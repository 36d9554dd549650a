import FoundationEssentials
import TestSupport
import Testing

@testable import TerminalApp

/// Starts real programs.
@Suite(.ownThreads, .timeLimit(.minutes(2))) struct ProgramStarterTests {
  /// A hanging program is killed with its children.
  @Test func killEndsChildrenToo() async throws {
    let folder = try TemporaryFolder()
    let note = folder.path + "/child"
    let starter = ProgramStarter.system(environment: ["PATH": "/usr/bin:/bin"])
    let script = "sleep 1000 & echo $! >\(note).new; mv \(note).new \(note); wait"
    let program = try await starter.start(["sh", "-c", script], []).get()
    await eventually { FileManager.default.fileExists(atPath: note) }
    let text = try String(contentsOfFile: note, encoding: .utf8)
    let child = try #require(Int(text.filter(\.isNumber)))
    program.kill()
    #expect(await program.ending() == .signal(9))
    await eventually { !isRunning(child) }
    // Its process id may be reused by now.
    program.kill()
  }

  /// A zombie is not running.
  private func isRunning(_ process: Int) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
      return false
    }
    return text.split(separator: ")").last?.split(separator: " ").first != "Z"
  }
}
