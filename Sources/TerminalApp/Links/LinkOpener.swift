import System
import Terminal

/// Hands addresses to a browser: a program of its own, started without a shell and apart from the
/// terminal, or on it where it shows pages there (``TextBrowsers``, or what ``usesTerminal`` says).
///
/// Which one: ``command`` where it is set; else those that `$BROWSER` names, separated by colons,
/// one after another until one does not fail; else `xdg-open`. In each `%s` stands for the address,
/// which else comes last; a line in which a shell would read it is refused. Where neither is set and
/// there is no display, as over ssh, nothing can be started that anybody would see.
///
/// 1. Nothing waits for a program: it ends when it ends, and what it fails at is told then.
/// 2. At most ``maximumRunning`` are waited for; more are not started.
/// 3. That a program opens an address is told when it has ended well, not before: till then it is
///    told what is tried. One on the terminal shows by itself what it does.
@MainActor final class LinkOpener {
  /// What opens links, in words of a command line; nil for `$BROWSER` or `xdg-open`.
  private(set) var command: [String]?
  /// Whether the opener is a program on the terminal; nil for what its name says.
  var usesTerminal: Bool?
  private let environment: [String: String]
  private let starter: ProgramStarter
  private let lender: TerminalLender
  /// Has a body run after a while.
  private let after: (Duration, @escaping @MainActor () -> Void) -> Void
  private let tell: (String, Notices.Kind) -> Void
  private(set) var running = 0

  /// Programs that have not ended. `8`
  static let maximumRunning = 8
  /// After which one that has not ended is told of. `10 s`
  static let patience = Duration.seconds(10)

  init(
    environment: [String: String], starter: ProgramStarter, lender: TerminalLender,
    after: @escaping (Duration, @escaping @MainActor () -> Void) -> Void,
    tell: @escaping (String, Notices.Kind) -> Void
  ) {
    (self.environment, self.starter, self.lender) = (environment, starter, lender)
    (self.after, self.tell) = (after, tell)
  }

  /// Sets what opens links: empty for what the system says.
  ///
  /// - Throws: `CommandRefusal` for words that no command line is made of, and for a line in which
  ///   an address would be run.
  func setCommand(_ line: String) throws(CommandRefusal) {
    guard !line.isEmpty else {
      command = nil
      return
    }
    guard let words = ProgramWords.split(line) else {
      throw CommandRefusal(reason: "a program and its arguments, as in: set opener firefox %s")
    }
    if let problem = ProgramWords.problem(of: words) { throw CommandRefusal(reason: problem) }
    command = words
  }

  /// The programs of `$BROWSER`.
  private var browsers: [[String]] {
    (environment["BROWSER"] ?? "").split(separator: ":").compactMap { ProgramWords.split($0) }
  }

  /// The command lines to try for an address, in their order; empty where there is nothing to try.
  func candidates(for address: LinkAddress) -> [[String]] {
    if let command { return [ProgramWords.filled(command, with: address.text)] }
    if !browsers.isEmpty { return browsers.map { ProgramWords.filled($0, with: address.text) } }
    return hasDisplay ? [["xdg-open", address.text]] : []
  }

  private var hasDisplay: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
  }

  /// Whether a program is to have the terminal.
  private func isOnTerminal(_ words: [String]) -> Bool {
    usesTerminal ?? TextBrowsers.areAsked(by: words, hasDisplay: hasDisplay)
  }

  /// Starts what opens `address`.
  ///
  /// - Returns: false where there is nothing to start: the address is to be shown.
  func open(_ address: LinkAddress) -> Bool {
    let problem = browsers.lazy
      .compactMap { ProgramWords.problem(of: $0, allowsOptions: true) }.first
    if command == nil, let problem {
      tell("not opened: $BROWSER: \(problem)", .failure)
      return true
    }
    let candidates = candidates(for: address)
    guard let first = candidates.first else { return false }
    guard !lender.isLending else { return true }
    guard running < Self.maximumRunning else {
      tell("not opened: \(running) programs have not ended yet", .refusal)
      return true
    }
    running += 1
    if !isOnTerminal(first) { tell("opening \(address): \(Self.name(of: first))", .information) }
    let attempt = Attempt()
    let begin = ContinuousClock.now
    after(Self.patience) { [tell] in
      guard let program = attempt.program else { return }
      tell(
        "\(program) has not ended after \(Self.patience.components.seconds) seconds", .information)
    }
    Task { [starter, lender, tell, weak self] in
      var problems: [String] = []
      for words in candidates {
        let name = Self.name(of: words)
        let isOnTerminal = self?.isOnTerminal(words) ?? false
        attempt.program = isOnTerminal ? nil : name
        let problem =
          isOnTerminal
          ? Self.problem(of: await lender.run(words)) : await Self.run(words, by: starter)
        guard let problem else {
          problems = []
          // One that has run for long has been seen.
          if !isOnTerminal, .now - begin < Self.patience {
            tell("\(name) opens \(address)", .information)
          }
          break
        }
        problems.append("\(name) \(problem)")
      }
      attempt.program = nil
      self?.running -= 1
      if !problems.isEmpty { tell("not opened: " + problems.joined(separator: ", "), .failure) }
    }
    return true
  }

  /// What is under way for one address: the program that is waited for.
  @MainActor private final class Attempt {
    var program: String?
  }

  /// - Returns: what went wrong; nil where nothing did.
  private static func run(_ words: [String], by starter: ProgramStarter) async -> String? {
    switch await starter.start(words, []) {
    case .failure(let failure): problem(of: .failure(failure))
    case .success(let program): problem(of: .success(await program.ending()))
    }
  }

  private static func problem(
    of outcome: Result<ChildProcess.Ending, SystemFailure>
  ) -> String? {
    switch outcome {
    case .failure(let failure): "cannot be started: \(failure.message)"
    case .success(let ending): ending.problem
    }
  }

  private static func name(of words: [String]) -> String {
    words.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? ""
  }
}
