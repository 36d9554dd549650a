import Terminal

/// Hands addresses to a browser: a program of its own, started without a shell and apart from the
/// terminal.
///
/// Which one: ``command`` where it is set; else those that `$BROWSER` names, separated by colons,
/// one after another until one does not fail; else `xdg-open`. In each `%s` stands for the address,
/// which else comes last; a line in which a shell would read it is refused. Where neither is set and there is no display, as over ssh, nothing can be
/// started that anybody would see.
///
/// 1. Nothing waits for a program: it ends when it ends, and what it fails at is told then.
/// 2. At most ``maximumRunning`` are waited for; more are not started.
@MainActor final class LinkOpener {
  /// What opens links, in words of a command line; nil for `$BROWSER` or `xdg-open`.
  private(set) var command: [String]?
  private let environment: [String: String]
  private let starter: ProgramStarter
  /// Has a body run after a while.
  private let after: (Duration, @escaping @MainActor () -> Void) -> Void
  private let tell: (String, Notices.Kind) -> Void
  private(set) var running = 0

  /// Programs that have not ended. `8`
  static let maximumRunning = 8
  /// After which one that has not ended is told of. `10 s`
  static let patience = Duration.seconds(10)

  init(
    environment: [String: String], starter: ProgramStarter,
    after: @escaping (Duration, @escaping @MainActor () -> Void) -> Void,
    tell: @escaping (String, Notices.Kind) -> Void
  ) {
    (self.environment, self.starter, self.after, self.tell) = (environment, starter, after, tell)
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
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      environment[$0]?.isEmpty == false
    }
    return hasDisplay ? [["xdg-open", address.text]] : []
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
    guard running < Self.maximumRunning else {
      tell("not opened: \(running) programs have not ended yet", .refusal)
      return true
    }
    running += 1
    tell("\(Self.name(of: first)) opens \(address)", .information)
    let attempt = Attempt()
    after(Self.patience) { [tell] in
      guard let program = attempt.program else { return }
      tell(
        "\(program) has not ended after \(Self.patience.components.seconds) seconds", .information)
    }
    Task { [starter, tell, weak self] in
      var problems: [String] = []
      for words in candidates {
        attempt.program = Self.name(of: words)
        let problem = await Self.run(words, by: starter)
        guard let problem else {
          problems = []
          break
        }
        problems.append("\(Self.name(of: words)) \(problem)")
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
    case .failure(let failure): "cannot be started: \(failure.message)"
    case .success(let program): await program.ending().problem
    }
  }

  private static func name(of words: [String]) -> String {
    words.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? ""
  }
}
