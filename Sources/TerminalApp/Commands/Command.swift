import Terminal

/// An action that users can ask a view for, by keys or by name.
public struct Command<Target: AnyObject> {
  let name: String
  let keys: [KeySequence]
  let argument: String?
  let help: String
  let maximumAtOnce: Int?
  let completions: @MainActor (Target, [String]) -> [Completion]
  let action: @MainActor (Target, CommandCall) -> CommandOutcome

  /// - Parameters:
  ///   - name: small letters and hyphens: `page-down`.
  ///   - keys: `"j"`, `"ctrl-e"`, `"z t"`; see ``KeyStroke``. Without keys, the command is called
  ///     by name only.
  ///   - argument: the help page's name for the text that may follow the command's name; `nil`, the
  ///     default, if there is none.
  ///   - help: one line for the help page.
  ///   - maximumAtOnce: for moves that can be joined, i.e. two calls equal one with the sum of
  ///     their counts: the largest count carried out before a frame is drawn. `nil`, the default,
  ///     for other commands. Such a move changes neither the focus nor which panels are open.
  ///   - completions: the words that may follow those typed after the name; none by default.
  public init(
    _ name: String, _ keys: KeySequence..., argument: String? = nil, help: String,
    maximumAtOnce: Int? = nil,
    completions: @escaping @MainActor (Target, [String]) -> [Completion] = { _, _ in [] },
    action: @escaping @MainActor (Target, CommandCall) -> CommandOutcome
  ) {
    self.init(
      name, keys: keys, argument: argument, help: help, maximumAtOnce: maximumAtOnce,
      completions: completions, action: action)
  }

  package init(
    _ name: String, keys: [KeySequence], argument: String? = nil, help: String,
    maximumAtOnce: Int? = nil,
    completions: @escaping @MainActor (Target, [String]) -> [Completion] = { _, _ in [] },
    action: @escaping @MainActor (Target, CommandCall) -> CommandOutcome
  ) {
    self.name = name
    self.keys = keys
    self.argument = argument
    self.help = help
    self.maximumAtOnce = maximumAtOnce
    self.completions = completions
    self.action = action
  }

  /// A command that always succeeds.
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

/// The result of a command.
public enum CommandOutcome: Hashable, Sendable {
  /// The command was carried out.
  case done
  /// The command does not apply to this view now; the views around it are asked.
  case passed
  /// Repeating the move would change nothing more.
  case exhausted
  /// The command cannot be carried out, for this reason, which the status line shows.
  case refused(String)
}

/// A request for a command.
public struct CommandCall {
  let command: TableCommand
  /// The number typed before the keys or beside the name; `nil` if there was none.
  public internal(set) var count: Int?
  /// Whether `count` was typed as a number, or is the lines of a wheel step; otherwise it is the
  /// number of key presses.
  public internal(set) var isCounted = false
  /// The text typed after the name.
  public internal(set) var argument = ""
  /// Whether no other event waits, so that the result may be shown in several frames.
  public internal(set) var isAlone = false
  /// Whether it stands in a configuration file, where asking for a value does nothing.
  var isInFile = false
  /// The keys that were typed, in case the command passes; `nil` for a call by name, to which the
  /// keys may be bound.
  var keys: KeySequence?
  /// The index of the command's table in the responder chain.
  let position: Int

  /// How often to perform the command; 1 if no number was typed.
  public var times: Int { count ?? 1 }
  /// The command's name.
  public var name: String { command.name }

  /// Call this before the answer to a name without a value is shown.
  ///
  /// - Throws: `CommandRefusal` in a file: there the value was forgotten.
  func checkMayAsk() throws(CommandRefusal) {
    guard !isInFile else { throw CommandRefusal(reason: "'\(name) \(argument)' lacks a value") }
  }

  /// Whether several calls in a row may be carried out as one.
  var canBeJoined: Bool { command.maximumAtOnce != nil }

  /// This call followed by `other`, as one call; `nil` if they cannot be joined.
  func joined(with other: CommandCall) -> CommandCall? {
    // A typed number may mean something other than repeated presses.
    guard canBeJoined, command === other.command, isCounted == other.isCounted else { return nil }
    let (sum, isOver) = times.addingReportingOverflow(other.times)
    guard !isOver else { return nil }
    var call = self
    call.count = sum
    call.isAlone = false
    return call
  }

  /// A first part with a count of `maximumAtOnce`, and the rest; `nil` if the call is short enough
  /// or is not a move.
  var divided: (first: CommandCall, rest: CommandCall)? {
    guard let most = command.maximumAtOnce, times > most else { return nil }
    var (first, rest) = (self, self)
    first.count = most
    first.isAlone = false
    rest.count = times - most
    return (first, rest)
  }
}

/// A command bound to the view it acts on.
@MainActor final class TableCommand {
  nonisolated let name: String
  nonisolated let maximumAtOnce: Int?
  let keys: [KeySequence]
  let argument: String?
  let help: String
  let perform: (CommandCall) -> CommandOutcome
  /// The words that may follow those typed after the name.
  let completions: ([String]) -> [Completion]

  init<Target: AnyObject>(_ command: Command<Target>, of target: Target) {
    name = command.name
    maximumAtOnce = command.maximumAtOnce
    keys = command.keys
    argument = command.argument
    help = command.help
    let action = command.action
    perform = { [weak target] call in target.map { action($0, call) } ?? .passed }
    let completions = command.completions
    self.completions = { [weak target] words in target.map { completions($0, words) } ?? [] }
  }

  var completion: Completion { Completion(name, help: usage) }

  /// The text to type after `:`, and its effect.
  var usage: String {
    [argument.map { "\(name) \($0)" } ?? name, help].filter { !$0.isEmpty }
      .joined(separator: ": ")
  }
}
