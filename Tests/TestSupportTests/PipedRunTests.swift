import Testing

@testable import TestSupport

@Suite struct PipedRunTests {
  @Test func collectsBothOutputsAndTheStatus() async throws {
    let home = try TemporaryFolder()
    let environment = ProgramUnderTest.environment(home: home, adding: ["EXTRA": "1"])
    let result = try await PipedRun.run(
      path: "/bin/sh", arguments: ["-c", "cat; echo \"$HOME $EXTRA\" >&2; exit 66"],
      input: Array("through".utf8), environment: environment)
    #expect(result.text == "through")
    #expect(result.errorText == "\(home.path) 1\n")
    #expect(result.status == .exited(66))
  }

  @Test func aMegabyteGoesThroughWithoutADeadlock() async throws {
    let home = try TemporaryFolder()
    let input = [UInt8](repeating: 65, count: 1 << 20)
    let result = try await PipedRun.run(
      path: "/bin/cat", input: input, environment: ProgramUnderTest.environment(home: home))
    #expect(result.output == input)
  }

  @Test func unreadInputIsNoError() async throws {
    let home = try TemporaryFolder()
    let result = try await PipedRun.run(
      path: "/bin/true", input: [UInt8](repeating: 65, count: 1 << 20),
      environment: ProgramUnderTest.environment(home: home))
    #expect(result.status == .exited(0))
  }

  @Test func missingProgramsThrow() async throws {
    await #expect(throws: HarnessError.self) {
      try await PipedRun.run(path: "/no/such/program", environment: [:])
    }
  }

  @Test func aProgramThatHangsIsKilled() async throws {
    let error = await #expect(throws: HarnessError.self) {
      try await PipedRun.run(
        path: "/bin/sh", arguments: ["-c", "echo stuck; exec tail -f /dev/null"], environment: [:],
        within: .milliseconds(100))
    }
    #expect(error.map { "\($0)" }?.contains("timed out") == true)
  }
}
