import System

/// Hands text to programs on their standard input, without a shell.
///
/// 1. A program runs detached from the terminal, or on it if that is asked for: then it has screen
///    and keys until it ends, and reads the text from its input as a pager does.
/// 2. Handing over does not wait for a detached program. When that ends, the status line shows the
///    first line that it printed, or how it failed.
/// 3. At most ``maximumRunning`` run at once; further ones are refused.
@MainActor final class ProgramPipe {
  private let lender: TerminalLender
  private let surroundings: ProgramSurroundings
  private(set) var running = 0

  /// The programs that may run at once. `8`
  static let maximumRunning = 8
  /// The bytes of output that are kept for the status line. `64 KiB`
  static let maximumOutput = 64 << 10
  /// The time after which a program that is still running is reported. `10 s`
  static let patience = Duration.seconds(10)

  init(lender: TerminalLender, in surroundings: ProgramSurroundings) {
    (self.lender, self.surroundings) = (lender, surroundings)
  }

  /// Starts a program with `text` as its input, unless another program has the terminal.
  ///
  /// - Complexity: O(n) in the text.
  func hand(_ text: [UInt8], to words: [String], onTerminal: Bool) {
    let name = ProgramWords.name(of: words)
    guard running < Self.maximumRunning else {
      return surroundings.tell("not handed over: \(running) programs have not ended", .refusal)
    }
    guard !lender.isLending else { return }
    running += 1
    Task {
      let problem =
        onTerminal
        ? await lender.run(words, reading: text).problem : await run(words, text, name: name)
      running -= 1
      if let problem { surroundings.tell("\(name) \(problem)", .failure) }
    }
  }

  /// The state of a program that is waited for.
  @MainActor private final class Wait {
    var isOver = false
  }

  /// - Returns: the problem, if any.
  private func run(_ words: [String], _ text: [UInt8], name: String) async -> String? {
    let program: ProgramStarter.Capture
    switch await surroundings.starter.startCapturing(words, text, Self.maximumOutput, false) {
    case .failure(let failure): return "cannot be started: \(failure.message)"
    case .success(let started): program = started
    }
    let wait = Wait()
    surroundings.after(Self.patience) { [surroundings] in
      guard !wait.isOver else { return }
      surroundings.tell(
        "\(name) has not ended after \(Self.patience.components.seconds) seconds", .information)
    }
    let (ending, output) = await program.report()
    wait.isOver = true
    if let problem = ending.problem {
      let errors = output.errorLine
      return problem + (errors.isEmpty ? "" : ": \(errors)")
    }
    let (line, count) = output.firstLine
    let more = count > 1 || output.isCut ? " …" : ""
    surroundings.tell(
      line.isEmpty ? "handed to \(name)" : "\(name): \(line)\(more)", .information)
    return nil
  }
}
