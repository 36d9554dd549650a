import Dispatch
import System

/// Lends the terminal to other programs, one at a time, as a shell does: the program has the screen
/// and the keys until it ends.
///
///     lend ──▶ start ──▶ (stopped ──▶ stop this program ──▶ continued)* ──▶ ended ──▶ take back
///
/// 1. The terminal is taken back whether the other program fails to start, exits or is killed.
/// 2. This program ends only after the other one, which receives SIGTERM, and SIGKILL 300 ms later.
@MainActor final class TerminalLender {
  private let display: any Display
  private let surroundings: ProgramSurroundings
  private var borrower: ProgramStarter.Borrower?
  /// Whether another program has the terminal.
  private(set) var isLending = false
  /// Called when the terminal is back, if this program is about to end.
  private var onReturn: (() -> Void)?

  /// The time between SIGTERM and SIGKILL. `300 ms`
  static let patience = Duration.milliseconds(300)

  init(display: any Display, in surroundings: ProgramSurroundings) {
    (self.display, self.surroundings) = (display, surroundings)
  }

  /// Runs a program on the terminal.
  ///
  /// - Parameter text: its standard input; if empty, the default, that is the terminal.
  /// - Returns: how the program ended; `EBUSY` if another program has the terminal, `ENOTTY`
  ///   if there is no terminal.
  func run(_ words: [String], reading text: [UInt8] = []) async -> Result<
    ChildProcess.Ending, SystemFailure
  > {
    guard !isLending else { return .failure(SystemFailure(code: EBUSY)) }
    guard let (input, output) = display.lend() else {
      return .failure(SystemFailure(code: ENOTTY))
    }
    isLending = true
    let outcome = await start(words, text, input, output)
    (borrower, isLending) = (nil, false)
    display.takeBack(isInOrder: outcome == .success(.status(0)))
    onReturn?()
    return outcome
  }

  private func start(
    _ words: [String], _ text: [UInt8], _ input: Int32, _ output: Int32
  ) async -> Result<ChildProcess.Ending, SystemFailure> {
    switch await surroundings.starter.startOnTerminal(words, text, input, output) {
    case .failure(let failure): return .failure(failure)
    case .success(let program):
      borrower = program
      if onReturn != nil { terminate(program) }
      return .success(
        await program.ending { [weak self] in
          DispatchQueue.main.async { MainActor.assumeIsolated { self?.stopped() } }
        })
    }
  }

  private func stopped() {
    guard let borrower else { return }
    display.stopWhileLent()
    // A shell continues the whole process group, but other senders continue only this program.
    borrower.send(SIGCONT)
  }

  /// Ends the program that has the terminal, then performs `action`; at once if the terminal is not
  /// lent.
  func end(then action: @escaping () -> Void) {
    guard isLending else { return action() }
    onReturn = action
    if let borrower { terminate(borrower) }
  }

  private func terminate(_ program: ProgramStarter.Borrower) {
    program.send(SIGTERM)
    program.send(SIGCONT)
    surroundings.after(Self.patience) { program.send(SIGKILL) }
  }
}
