import FoundationEssentials
import Synchronization
import System
import TestSupport
import Testing

@testable import TerminalApp

/// Programs that get a text, and programs whose output is read.
@MainActor @Suite struct ProgramOutputTests {
  /// Timers that the test lets pass.
  @MainActor private final class Timers {
    private var waiting: [@MainActor () -> Void] = []
    func add(_ delay: Duration, _ body: @escaping @MainActor () -> Void) { waiting.append(body) }

    func pass() {
      let due = waiting
      waiting = []
      for body in due { body() }
    }
  }

  private let timers = Timers()

  private func surroundings(
    of programs: FakePrograms, tell: @escaping (String) -> Void
  ) -> ProgramSurroundings {
    ProgramSurroundings(
      environment: [:], starter: programs.starter, after: { [timers] in timers.add($0, $1) },
      tell: { text, _ in tell(text) })
  }

  private func runner(_ programs: FakePrograms) -> ProgramRunner {
    ProgramRunner(in: surroundings(of: programs) { _ in })
  }

  private func run(
    _ programs: FakePrograms, limit: Int = 100
  ) async -> Result<[UInt8], ProgramFailure> {
    await runner(programs).output(of: ["/opt/prog", "a"], limit: limit, within: .seconds(30))
  }

  @Test func outputIsReturned() async {
    let programs = FakePrograms(
      ["/opt/prog": .success(.status(0))],
      outputs: ["/opt/prog": CapturedProcess.Output(bytes: [1, 2], errors: [3])])
    #expect(await run(programs) == .success([1, 2]))
    #expect(programs.started == [["/opt/prog", "a"]])
    timers.pass()
    #expect(programs.killed.isEmpty)
  }

  @Test func failuresAreOneLine() async {
    let errors = Array("\n  \nno article was found\nmore\n".utf8)
    let failed = FakePrograms(
      ["/opt/prog": .success(.status(1))],
      outputs: ["/opt/prog": CapturedProcess.Output(bytes: [1], errors: errors)])
    #expect(
      await run(failed)
        == .failure(ProgramFailure(reason: "prog ended with status 1: no article was found")))
    #expect(
      await run(FakePrograms(["/opt/prog": .success(.signal(11))]))
        == .failure(ProgramFailure(reason: "prog was ended by signal 11")))
    let missing = await run(FakePrograms([:]))
    #expect(
      missing
        == .failure(ProgramFailure(reason: "prog cannot be started: No such file or directory")))
    let cut = FakePrograms(
      ["/opt/prog": .success(.signal(9))],
      outputs: ["/opt/prog": CapturedProcess.Output(bytes: [1], isCut: true)])
    #expect(
      await run(cut, limit: 4 << 20)
        == .failure(ProgramFailure(reason: "prog printed more than 4 MiB")))
    #expect(
      await run(cut, limit: 64 << 10)
        == .failure(ProgramFailure(reason: "prog printed more than 64 KiB")))
  }

  private func wait(until isSo: () -> Bool) async {
    await eventually(isSo)
  }

  @Test func timeIsLimited() async {
    let programs = FakePrograms([:], hanging: ["/opt/prog"])
    let runner = runner(programs)
    let task = Task { await runner.output(of: ["/opt/prog"], limit: 9, within: .seconds(30)) }
    await wait { programs.waitingCount == 1 }
    timers.pass()
    #expect(programs.killed == ["/opt/prog"])
    programs.end(.signal(9))
    #expect(
      await task.value
        == .failure(ProgramFailure(reason: "prog has not ended after 30 seconds")))
  }

  @Test(arguments: [true, false]) func programsAreStopped(byCancelling: Bool) async {
    let programs = FakePrograms([:], hanging: ["/opt/prog"])
    let runner = runner(programs)
    let task = Task { await runner.output(of: ["/opt/prog"], limit: 9, within: .seconds(30)) }
    await wait { programs.waitingCount == 1 }
    if byCancelling { task.cancel() } else { runner.stopAll() }
    await wait { programs.killed == ["/opt/prog"] }
    programs.end(.signal(9))
    let reason = byCancelling ? "prog was stopped" : "prog was ended by signal 9"
    #expect(await task.value == .failure(ProgramFailure(reason: reason)))
    runner.stopAll()
    #expect(programs.killed == ["/opt/prog"], "it has ended")
  }

  /// The program starts on another thread, which may take a while.
  @Test func aProgramThatIsBeingStartedIsStopped() async {
    let programs = FakePrograms([:], hanging: ["/opt/prog"])
    let starter = programs.starter
    let (mayStart, signal) = AsyncStream.makeStream(of: Never.self)
    let isAsked = Atomic(false)
    var slow = starter
    slow.startCapturing = { words, input, limit, endsBeyondLimit in
      isAsked.store(true, ordering: .relaxed)
      for await _ in mayStart {}
      return await starter.startCapturing(words, input, limit, endsBeyondLimit)
    }
    let runner = ProgramRunner(
      in: ProgramSurroundings(
        environment: [:], starter: slow, after: { [timers] in timers.add($0, $1) },
        tell: { _, _ in }))
    let task = Task { await runner.output(of: ["/opt/prog"], limit: 9, within: .seconds(30)) }
    await wait { isAsked.load(ordering: .relaxed) }
    runner.stopAll()
    signal.finish()
    await wait { programs.killed == ["/opt/prog"] && programs.waitingCount == 1 }
    programs.end(.signal(9))
    #expect(
      await task.value == .failure(ProgramFailure(reason: "prog was ended by signal 9")))
  }

  // MARK: Pipes

  @MainActor private final class Told {
    var last = ""
  }

  private func pipe(_ programs: FakePrograms, _ told: Told) -> ProgramPipe {
    let surroundings = surroundings(of: programs) { told.last = $0 }
    return ProgramPipe(
      lender: TerminalLender(display: CanvasDisplay(size: .zero), in: surroundings),
      in: surroundings)
  }

  @Test(arguments: [
    ("", "", "handed to prog"), ("12 words\n", "", "prog: 12 words"),
    ("\n a\nb\n", "", "prog:  a …"),
  ])
  func theFirstLineIsShown(output: String, errors: String, told text: String) async {
    let programs = FakePrograms(
      ["/opt/prog": .success(.status(0))],
      outputs: ["/opt/prog": CapturedProcess.Output(bytes: Array(output.utf8))])
    let told = Told()
    pipe(programs, told).hand(Array("post\n".utf8), to: ["/opt/prog", "-s"], onTerminal: false)
    await wait { !told.last.isEmpty }
    #expect(told.last == text && programs.inputs == ["post\n"])
  }

  @Test func failuresAreShown() async {
    let errors = CapturedProcess.Output(errors: Array("no address\n".utf8))
    let programs = FakePrograms(
      ["mail": .success(.status(64))], outputs: ["mail": errors])
    let told = Told()
    let pipe = pipe(programs, told)
    pipe.hand([1], to: ["mail"], onTerminal: false)
    await wait { told.last == "mail ended with status 64: no address" }
    pipe.hand([1], to: ["none"], onTerminal: false)
    await wait { told.last == "none cannot be started: No such file or directory" }
    pipe.hand([1], to: ["less"], onTerminal: true)
    await wait { told.last.hasPrefix("less cannot be started") }
    #expect(pipe.running == 0)
  }

  @Test func runningProgramsAreReportedAndLimited() async {
    let programs = FakePrograms([:], hanging: ["slow"])
    let told = Told()
    let pipe = pipe(programs, told)
    for _ in 0..<ProgramPipe.maximumRunning { pipe.hand([1], to: ["slow"], onTerminal: false) }
    await wait { programs.waitingCount == ProgramPipe.maximumRunning }
    timers.pass()
    #expect(told.last == "slow has not ended after 10 seconds")
    pipe.hand([1], to: ["slow"], onTerminal: false)
    #expect(told.last == "not handed over: 8 programs have not ended")
    programs.end()
    await wait { pipe.running == 0 }
    #expect(told.last == "handed to slow" && programs.killed.isEmpty)
  }
}

/// Output of real programs.
@Suite(.ownThreads, .timeLimit(.minutes(2))) struct CapturedProcessTests {
  private func start(
    _ script: String, _ input: String = "", limit: Int = 1 << 20, ends: Bool = false
  ) throws -> CapturedProcess {
    try CapturedProcess(
      ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], input: Array(input.utf8),
      limit: limit, endsBeyondLimit: ends)
  }

  @Test func outputAndErrorsAreRead() async throws {
    let (ending, output) = try await start("cat; echo wrong >&2; exit 3", "text").report()
    #expect(ending == .status(3) && output.bytes == Array("text".utf8))
    #expect(output.errors == Array("wrong\n".utf8) && !output.isCut)
    let silent = try await start("exec >&- 2>&-").report()
    #expect(silent.ending == .status(0) && silent.output == CapturedProcess.Output())
  }

  @Test func moreThanTheLimitIsDroppedOrEndsTheProgram() async throws {
    let long = "head -c 300000 /dev/zero; head -c 100000 /dev/zero >&2; echo end"
    let (ending, output) = try await start(long, limit: 1_000).report()
    #expect(ending == .status(0) && output.isCut && output.bytes.count == 1_000)
    #expect(output.errors.count == CapturedProcess.maximumErrors)
    let endless = try await start("yes", limit: 1_000, ends: true).report()
    #expect(endless.ending == .signal(9) && endless.output.isCut)
    let exact = try await start("head -c 1000 /dev/zero", limit: 1_000, ends: true).report()
    #expect(exact.ending == .status(0) && !exact.output.isCut)
  }

  /// A program may leave others behind that keep its output open.
  @Test func theEndOfTheProgramCounts() async throws {
    let program = try start("sleep 1000 & echo $!")
    let (ending, output) = await program.report()
    #expect(ending == .status(0))
    let text = String(decoding: output.bytes, as: UTF8.self)
    let child = try #require(Int32(text.filter(\.isNumber)))
    #expect(kill(child, SIGKILL) == 0, "it ran on")
  }

  @Test func killedProgramsEnd() async throws {
    let program = try start("echo begun; sleep 1000")
    async let report = program.report()
    program.kill()
    #expect(await report.ending == .signal(9))
    program.kill()
    #expect(throws: SystemFailure(code: ENOENT)) {
      try CapturedProcess(["no-such-program"], environment: [:], limit: 1, endsBeyondLimit: false)
    }
  }
}
