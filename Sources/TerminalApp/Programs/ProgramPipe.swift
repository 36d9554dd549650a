import System

/// Hands text to programs on their standard input, without a shell.
///
/// 1. A program runs detached from the terminal, or on it if that is asked for: then it has screen
///    and keys until it ends, and reads the text from its input as a pager does.
/// 2. The program does not wait for a detached one. When that ends, the status line shows the first
///    line that it printed, or how it failed.
/// 3. At most ``maximumRunning`` run at once; further ones are refused.
@MainActor final class ProgramPipe {
  private let starter: ProgramStarter
  private let lender: TerminalLender
  /// Runs a closure after a delay.
  private let after: (Duration, @escaping @MainActor () -> Void) -> Void
  private let tell: (String, StatusMessages.Kind) -> Void
  private(set) var running = 0

  /// The programs that may run at once. `8`
  static let maximumRunning = 8
  /// The bytes of output that are kept for the status line. `64 kB`
  static let maximumOutput = 64 << 10
  /// The time after which a program that is still running is reported. `10 s`
  static let patience = Duration.seconds(10)

  init(
    starter: ProgramStarter, lender: TerminalLender,
    after: @escaping (Duration, @escaping @MainActor () -> Void) -> Void,
    tell: @escaping (String, StatusMessages.Kind) -> Void
  ) {
    (self.starter, self.lender, self.after, self.tell) = (starter, lender, after, tell)
  }

  /// Starts a program with `text` as its input.
  ///
  /// - Complexity: O(n) in the text.
  func hand(_ text: [UInt8], to words: [String], onTerminal: Bool) {
    let name = ProgramWords.name(of: words)
    guard running < Self.maximumRunning else {
      return tell("not handed over: \(running) programs have not ended", .refusal)
    }
    guard !lender.isLending else { return }
    running += 1
    Task {
      let problem =
        onTerminal ? await runOnTerminal(words, text) : await run(words, text, name: name)
      running -= 1
      if let problem { tell("\(name) \(problem)", .failure) }
    }
  }

  /// - Returns: the problem, if any.
  private func runOnTerminal(_ words: [String], _ text: [UInt8]) async -> String? {
    switch await lender.run(words, reading: text) {
    case .failure(let failure): "cannot be started: \(failure.message)"
    case .success(let ending): ending.problem
    }
  }

  /// The state of a program that is waited for.
  @MainActor private final class Wait {
    var isOver = false
  }

  /// - Returns: the problem, if any.
  private func run(_ words: [String], _ text: [UInt8], name: String) async -> String? {
    let program: ProgramStarter.Capture
    switch await starter.startCapturing(words, text, Self.maximumOutput, false) {
    case .failure(let failure): return "cannot be started: \(failure.message)"
    case .success(let started): program = started
    }
    let wait = Wait()
    after(Self.patience) { [tell] in
      guard !wait.isOver else { return }
      tell("\(name) has not ended after \(Self.patience.components.seconds) seconds", .information)
    }
    let (ending, output) = await program.report()
    wait.isOver = true
    if let problem = ending.problem {
      let errors = output.errorLine
      return problem + (errors.isEmpty ? "" : ": \(errors)")
    }
    let (line, count) = output.firstLine
    let more = count > 1 || output.isCut ? " …" : ""
    tell(line.isEmpty ? "handed to \(name)" : "\(name): \(line)\(more)", .information)
    return nil
  }
}
