import Dispatch
import System

/// Lends the terminal to other programs, one at a time, as a shell does: each has the screen and the
/// keys until it ends.
///
///     lend ──▶ start ──▶ (stopped ──▶ stop this program, too ──▶ continued)* ──▶ ended ──▶ take back
///
/// 1. A program that cannot be started, ends by itself or is killed leaves the terminal to this one
///    in any case.
/// 2. This program ends only after the other one, which is asked to and, where it does not, killed.
@MainActor final class TerminalLender {
  private let display: any Display
  private let starter: ProgramStarter
  /// Has a body run after a while.
  private let after: (Duration, @escaping @MainActor () -> Void) -> Void
  private var borrower: ProgramStarter.Borrower?
  /// Whether the terminal is another program's.
  private(set) var isLending = false
  /// Called when the terminal is back, where this program is to end.
  private var whenBack: (() -> Void)?

  /// After which a program that was asked to end is killed. `300 ms`
  static let patience = Duration.milliseconds(300)

  init(
    display: any Display, starter: ProgramStarter,
    after: @escaping (Duration, @escaping @MainActor () -> Void) -> Void
  ) {
    (self.display, self.starter, self.after) = (display, starter, after)
  }

  /// Runs a program on the terminal.
  ///
  /// - Returns: how it ended; `EBUSY` where another one has the terminal, `ENOTTY` without one.
  func run(_ words: [String]) async -> Result<ChildProcess.Ending, SystemFailure> {
    guard !isLending else { return .failure(SystemFailure(code: EBUSY)) }
    guard let (input, output) = display.lend() else {
      return .failure(SystemFailure(code: ENOTTY))
    }
    isLending = true
    let outcome = await start(words, input, output)
    (borrower, isLending) = (nil, false)
    display.takeBack(isInOrder: outcome == .success(.status(0)))
    whenBack?()
    return outcome
  }

  private func start(
    _ words: [String], _ input: Int32, _ output: Int32
  ) async -> Result<ChildProcess.Ending, SystemFailure> {
    switch await starter.startOnTerminal(words, input, output) {
    case .failure(let failure): return .failure(failure)
    case .success(let program):
      borrower = program
      if whenBack != nil { ask(program) }
      return .success(
        await program.ending { [weak self] in
          DispatchQueue.main.async { MainActor.assumeIsolated { self?.stopped() } }
        })
    }
  }

  private func stopped() {
    guard let borrower else { return }
    display.stopWhileLent()
    // The shell has continued the whole group, others this program alone.
    borrower.send(SIGCONT)
  }

  /// Has the program that has the terminal end, and `action` done when the terminal is back; at once
  /// where it is not lent.
  func end(then action: @escaping () -> Void) {
    guard isLending else { return action() }
    whenBack = action
    if let borrower { ask(borrower) }
  }

  private func ask(_ program: ProgramStarter.Borrower) {
    program.send(SIGTERM)
    program.send(SIGCONT)
    after(Self.patience) { program.send(SIGKILL) }
  }
}
