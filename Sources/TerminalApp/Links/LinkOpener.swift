import System
import Terminal

/// Opens addresses in a browser, a program started without a shell: detached from the terminal, or
/// on it if the browser shows pages there (``TextBrowsers``, unless ``usesTerminal`` decides).
///
/// The browser is ``command`` if set; else the first of those in `$BROWSER`, separated by colons,
/// that does not fail; else `xdg-open`. `%s` stands for the address, which otherwise comes last; a
/// command line that lets a shell read the address is refused. If neither is set and there is no
/// display, as over ssh, opening fails.
///
/// 1. The program does not wait for a browser; a failure is reported when it comes.
/// 2. At most ``maximumRunning`` browsers run at once; further ones are refused.
/// 3. The status line says that a browser opens an address only after the browser has succeeded,
///    and until then that it is tried. A browser on the terminal needs no message.
@MainActor final class LinkOpener {
  /// The words of the command line that opens links; `nil` for `$BROWSER` or `xdg-open`.
  private(set) var command: [String]?
  /// Whether the browser runs on the terminal; `nil` to decide by its name.
  private(set) var usesTerminal: Bool?
  private let environment: [String: String]
  private let starter: ProgramStarter
  private let lender: TerminalLender
  /// Runs a closure after a delay.
  private let after: (Duration, @escaping @MainActor () -> Void) -> Void
  private let tell: (String, StatusMessages.Kind) -> Void
  private(set) var running = 0

  /// The browsers that may run at once. `8`
  static let maximumRunning = 8
  /// The time after which a browser that is still running is reported. `10 s`
  static let patience = Duration.seconds(10)

  init(
    environment: [String: String], starter: ProgramStarter, lender: TerminalLender,
    after: @escaping (Duration, @escaping @MainActor () -> Void) -> Void,
    tell: @escaping (String, StatusMessages.Kind) -> Void
  ) {
    (self.environment, self.starter, self.lender) = (environment, starter, lender)
    (self.after, self.tell) = (after, tell)
  }

  /// The settings of the program that opens links.
  var settings: [Setting] {
    [
      Setting(
        "opener-terminal", values: ["auto", "on", "off"],
        help: "whether the opener shows pages on the terminal; auto knows w3m, lynx and the like",
        current: { [unowned self] in usesTerminal.map { $0 ? "on" : "off" } ?? "auto" },
        change: { [unowned self] value in
          usesTerminal = value == "auto" ? nil : value == "on"
          return .done
        }),
      Setting(
        "opener", values: ["auto"], other: "PROGRAM",
        help: "what opens links, %s being the address; auto is $BROWSER, or xdg-open",
        current: { [unowned self] in command?.joined(separator: " ") ?? "auto" },
        change: { [unowned self] value in
          do throws(CommandRefusal) {
            try setCommand(value == "auto" ? "" : value)
            return .done
          } catch {
            return .refused(error.reason)
          }
        }),
    ]
  }

  /// Sets the command line that opens links; empty for the default.
  ///
  /// - Throws: `CommandRefusal` if the line cannot be split into words, or if it would have an
  ///   address executed.
  private func setCommand(_ line: String) throws(CommandRefusal) {
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

  /// The command lines in `$BROWSER`.
  private var browsers: [[String]] {
    (environment["BROWSER"] ?? "").split(separator: ":").compactMap { ProgramWords.split($0) }
  }

  /// The command lines to try for an address, in order; empty if there are none.
  func candidates(for address: LinkAddress) -> [[String]] {
    if let command { return [ProgramWords.filled(command, with: address.text)] }
    if !browsers.isEmpty { return browsers.map { ProgramWords.filled($0, with: address.text) } }
    return hasDisplay ? [["xdg-open", address.text]] : []
  }

  private var hasDisplay: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
  }

  /// Whether a program needs the terminal.
  private func isOnTerminal(_ words: [String]) -> Bool {
    usesTerminal ?? TextBrowsers.areStarted(by: words, hasDisplay: hasDisplay)
  }

  /// Starts a browser for `address`.
  ///
  /// - Returns: `false` if there is none to start; the caller should show the address.
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
          // After a long time the user has seen the browser.
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

  /// The state of opening one address: the program that is running.
  @MainActor private final class Attempt {
    var program: String?
  }

  /// - Returns: the problem, if any.
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
