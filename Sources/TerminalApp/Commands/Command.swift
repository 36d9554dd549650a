import Terminal

/// What a reader can ask a view for: by keys, and by a name of its own.
public struct Command<Target: AnyObject> {
  let name: String
  let keys: [KeySequence]
  let argument: String?
  let help: String
  let mostAtOnce: Int?
  let completions: @MainActor (Target, [String]) -> [Completion]
  let action: @MainActor (Target, CommandCall) -> CommandOutcome

  /// - Parameters:
  ///   - name: small letters and hyphens: `page-down`.
  ///   - keys: `"j"`, `"ctrl-e"`, `"z t"`; see ``KeyStroke``. Without any it is asked for by name.
  ///   - argument: what the help page calls the text that may follow the name; nil, the default,
  ///     where there is none.
  ///   - help: one line for the help page.
  ///   - mostAtOnce: for moves that may be joined, that is, of which two are one of the sum of
  ///     their counts: the count carried out before a frame is drawn in between. Nil, the default,
  ///     for all else. Such a move changes neither the focus nor which panels are open.
  ///   - completions: the words that may follow those typed after the name; none by default.
  public init(
    _ name: String, _ keys: KeySequence..., argument: String? = nil, help: String,
    mostAtOnce: Int? = nil,
    completions: @escaping @MainActor (Target, [String]) -> [Completion] = { _, _ in [] },
    action: @escaping @MainActor (Target, CommandCall) -> CommandOutcome
  ) {
    self.init(
      name, keys: keys, argument: argument, help: help, mostAtOnce: mostAtOnce,
      completions: completions, action: action)
  }

  package init(
    _ name: String, keys: [KeySequence], argument: String? = nil, help: String,
    mostAtOnce: Int? = nil,
    completions: @escaping @MainActor (Target, [String]) -> [Completion] = { _, _ in [] },
    action: @escaping @MainActor (Target, CommandCall) -> CommandOutcome
  ) {
    self.name = name
    self.keys = keys
    self.argument = argument
    self.help = help
    self.mostAtOnce = mostAtOnce
    self.completions = completions
    self.action = action
  }

  /// A command that always does what it is asked for.
  public init(
    _ name: String, _ keys: KeySequence..., help: String,
    action: @escaping @MainActor (Target, CommandCall) -> Void
  ) {
    self.init(name, keys: keys, help: help) { target, call in
      action(target, call)
      return .done
    }
  }
}

/// What came of a command.
public enum CommandOutcome: Hashable, Sendable {
  /// It was carried out.
  case done
  /// Not meant for this view now: the ones around it are asked.
  case passed
  /// More of this move would change nothing.
  case exhausted
  /// It cannot be done, for this reason; the status line says so.
  case refused(String)
}

/// A command that somebody asks for.
public struct CommandCall {
  let command: TableCommand
  /// The number typed before the keys, or beside the name; nil where there was none.
  public internal(set) var count: Int?
  /// Whether a number was typed, rather than the keys so often.
  public internal(set) var isCounted = false
  /// What was typed after the name.
  public internal(set) var argument = ""
  /// No other event waits, so that what it does may be shown in several frames.
  public internal(set) var isAlone = false
  /// What was typed, for when the command passes it on; nil where it was asked for by its name.
  var keys: KeySequence?
  /// Whose command of the responder chain it is.
  let position: Int

  /// How often; 1 where no number was typed.
  public var times: Int { count ?? 1 }
  /// The command's.
  public var name: String { command.name }

  /// Whether several of it in a row may be carried out as one.
  var canBeJoined: Bool { command.mostAtOnce != nil }

  /// This and then `other`, where one call does both.
  func joined(with other: CommandCall) -> CommandCall? {
    // A number may mean something else than so many presses.
    guard canBeJoined, command === other.command, isCounted == other.isCounted else { return nil }
    let (sum, isOver) = times.addingReportingOverflow(other.times)
    guard !isOver else { return nil }
    var call = self
    call.count = sum
    call.isAlone = false
    return call
  }

  /// A part of it that takes no long time, and what is left; nil where it is no move, or none to be
  /// divided.
  var divided: (first: CommandCall, rest: CommandCall)? {
    guard let most = command.mostAtOnce, times > most else { return nil }
    var (first, rest) = (self, self)
    first.count = most
    first.isAlone = false
    rest.count = times - most
    return (first, rest)
  }
}

/// A command as its table keeps it, with the view it is for.
@MainActor final class TableCommand {
  nonisolated let name: String
  nonisolated let mostAtOnce: Int?
  let keys: [KeySequence]
  let argument: String?
  let help: String
  let perform: (CommandCall) -> CommandOutcome
  /// The words that may follow those typed after the name.
  let completions: ([String]) -> [Completion]

  init<Target: AnyObject>(_ command: Command<Target>, of target: Target) {
    name = command.name
    mostAtOnce = command.mostAtOnce
    keys = command.keys
    argument = command.argument
    help = command.help
    let action = command.action
    perform = { [weak target] call in target.map { action($0, call) } ?? .passed }
    let completions = command.completions
    self.completions = { [weak target] words in target.map { completions($0, words) } ?? [] }
  }

  var completion: Completion { Completion(name, help: usage) }

  /// What is to be typed after `:`, and what that does.
  var usage: String {
    [argument.map { "\(name) \($0)" } ?? name, help].filter { !$0.isEmpty }
      .joined(separator: ": ")
  }
}
