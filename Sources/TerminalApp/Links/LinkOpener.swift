import System
import Terminal

/// Opens addresses in a browser or a player, a program started without a shell: detached from the
/// terminal, or on it if the program needs the screen (``TextBrowsers``, unless the user decides).
///
/// The program is that of the address's kind if set (`opener KIND PROGRAM`); else ``command`` if
/// set; else the first of those in `$BROWSER`, separated by colons, that does not fail; else
/// `xdg-open`. `%s` stands for the address, which otherwise comes last; a command line that lets a
/// shell read the address is refused. If none is set and there is no display, as over ssh, opening
/// fails.
///
/// 1. Opening does not wait for the browser; a failure is reported when it comes.
/// 2. At most ``maximumRunning`` browsers run at once; further ones are refused.
/// 3. The status line says that a browser opens an address only after the browser has succeeded,
///    and until then that it is tried. A browser on the terminal needs no message.
@MainActor final class LinkOpener {
  /// The words of the command line that opens links; `nil` for `$BROWSER` or `xdg-open`.
  private(set) var command: [String]?
  /// Whether ``command`` runs on the terminal; `nil` to decide by its name.
  private(set) var usesTerminal: Bool?
  private var programs: [LinkKind: KindProgram] = [:]
  private let lender: TerminalLender
  private let surroundings: ProgramSurroundings
  private(set) var running = 0

  /// The browsers that may run at once. `8`
  static let maximumRunning = 8
  /// The time after which a browser that is still running is reported. `10 s`
  static let patience = Duration.seconds(10)

  init(lender: TerminalLender, in surroundings: ProgramSurroundings) {
    (self.lender, self.surroundings) = (lender, surroundings)
  }

  /// The program of one kind of links.
  private struct KindProgram {
    let words: [String]
    /// Whether it is said to need the terminal; otherwise its name decides.
    let usesTerminal: Bool

    /// In the words that set it.
    var text: String {
      ((usesTerminal ? [LinkOpener.terminalWord] : []) + words).joined(separator: " ")
    }
  }

  /// The word before a program that needs the terminal.
  nonisolated static let terminalWord = "terminal"

  /// The commands of the programs that open links.
  static let commands: [Command<LinkOpener>] = [
    Command(
      "opener", argument: "KIND PROGRAM",
      help:
        "what opens links to audio, video, image or web; terminal before it if it needs the screen",
      completions: { _, words in
        words.isEmpty
          ? LinkKind.allCases.map { Completion($0.rawValue) }
          : words.count == 1 ? [Completion("auto"), Completion(terminalWord)] : []
      },
      action: { opener, call in
        CommandOutcome.of { () throws(CommandRefusal) in
          guard let told = try opener.setProgram(call.argument) else { return }
          try call.checkMayAsk()
          opener.surroundings.tell(told, .information)
        }
      })
  ]

  /// Sets the program of a kind from the argument of `opener`: the kind and a command line, `auto`
  /// for the program of all links.
  ///
  /// - Returns: the present program in words if only a kind was given.
  /// - Throws: `CommandRefusal` as ``words(of:)`` does, and for an unknown kind.
  private func setProgram(_ argument: String) throws(CommandRefusal) -> String? {
    let names = LinkKind.allCases.map(\.rawValue)
    let parts = argument.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let name = parts.first.map({ String($0) }) else {
      throw CommandRefusal(reason: "a kind and a program, as in: opener audio mpv %s")
    }
    guard let kind = LinkKind(rawValue: name) else {
      let quoted = NearestNames.quoted(name, among: [])
      throw CommandRefusal(
        reason: "the kinds are \(names.joined(separator: ", ")), not \(quoted)")
    }
    guard parts.count > 1 else { return "\(name) is opened by \(programs[kind]?.text ?? "auto")" }
    var line = parts[1].drop { $0.isWhitespace }
    guard line != "auto" else {
      programs[kind] = nil
      return nil
    }
    let usesTerminal = line.split(whereSeparator: \.isWhitespace).first ?? "" == Self.terminalWord
    if usesTerminal { line = line.dropFirst(Self.terminalWord.count) }
    programs[kind] = KindProgram(words: try Self.words(of: line), usesTerminal: usesTerminal)
    return nil
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
          CommandOutcome.of { () throws(CommandRefusal) in
            command = value == "auto" || value.isEmpty ? nil : try Self.words(of: value)
          }
        }),
    ]
  }

  /// The words of a command line that opens links.
  ///
  /// - Throws: `CommandRefusal` if the line cannot be split into words, or if it would have an
  ///   address executed.
  private static func words(of line: some StringProtocol) throws(CommandRefusal) -> [String] {
    guard let words = ProgramWords.split(line) else {
      throw CommandRefusal(
        reason: ProgramWords.missingEnd(of: line)
          ?? "a program and its arguments, as in: set opener firefox %s")
    }
    if let problem = ProgramWords.problem(of: words) { throw CommandRefusal(reason: problem) }
    return words
  }

  /// The command lines in `$BROWSER`.
  private var browsers: [[String]] {
    (surroundings.environment["BROWSER"] ?? "").split(separator: ":")
      .compactMap { ProgramWords.split($0) }
  }

  /// The command lines to try for an address, in order; empty if there are none.
  func candidates(for address: LinkAddress, of kind: LinkKind = .web) -> [[String]] {
    if let program = programs[kind] {
      return [ProgramWords.filled(program.words, with: address.text)]
    }
    if let command { return [ProgramWords.filled(command, with: address.text)] }
    if !browsers.isEmpty { return browsers.map { ProgramWords.filled($0, with: address.text) } }
    return hasDisplay ? [["xdg-open", address.text]] : []
  }

  private var hasDisplay: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { surroundings.environment[$0]?.isEmpty == false }
  }

  /// Whether a program needs the terminal.
  private func isOnTerminal(_ words: [String], _ kind: LinkKind) -> Bool {
    let isAsked: Bool? =
      if let program = programs[kind] { program.usesTerminal ? true : nil } else { usesTerminal }
    return isAsked ?? TextBrowsers.areStarted(by: words, hasDisplay: hasDisplay)
  }

  /// Starts a program for `address`, unless another program has the terminal.
  ///
  /// - Returns: `false` if there is none to start; the caller should show the address.
  func open(_ address: LinkAddress, as kind: LinkKind = .web) -> Bool {
    let problem = browsers.lazy
      .compactMap { ProgramWords.problem(of: $0, allowsOptions: true) }.first
    if command == nil, programs[kind] == nil, let problem {
      surroundings.tell("not opened: $BROWSER: \(problem)", .failure)
      return true
    }
    let candidates = candidates(for: address, of: kind)
    guard let first = candidates.first else { return false }
    guard !lender.isLending else { return true }
    guard running < Self.maximumRunning else {
      surroundings.tell("not opened: \(running) programs have not ended yet", .refusal)
      return true
    }
    running += 1
    if !isOnTerminal(first, kind) {
      surroundings.tell("opening \(address): \(ProgramWords.name(of: first))", .information)
    }
    let attempt = Attempt()
    let begin = ContinuousClock.now
    surroundings.after(Self.patience) { [surroundings] in
      // A player runs as long as it plays.
      guard kind == .web || kind == .image, let program = attempt.program else { return }
      surroundings.tell(
        "\(program) has not ended after \(Self.patience.components.seconds) seconds", .information)
    }
    Task { [surroundings, lender, weak self] in
      var problems: [String] = []
      for words in candidates {
        let name = ProgramWords.name(of: words)
        let isOnTerminal = self?.isOnTerminal(words, kind) ?? false
        attempt.program = isOnTerminal ? nil : name
        let outcome = isOnTerminal ? await lender.run(words) : await surroundings.starter.run(words)
        guard let problem = outcome.problem else {
          problems = []
          // After a long time the user has seen the browser.
          if !isOnTerminal, .now - begin < Self.patience {
            surroundings.tell("\(name) opens \(address)", .information)
          }
          break
        }
        problems.append("\(name) \(problem)")
      }
      attempt.program = nil
      self?.running -= 1
      guard !problems.isEmpty else { return }
      surroundings.tell("not opened: " + problems.joined(separator: ", "), .failure)
    }
    return true
  }

  /// The state of opening one address: the program that is running.
  @MainActor private final class Attempt {
    var program: String?
  }
}
