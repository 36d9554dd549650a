import Terminal

/// The commands of a view, the keys that ask for them and a line of help for each.
@MainActor public final class CommandTable {
  /// A line of the help page.
  public struct HelpLine: Hashable, Sendable {
    /// As they are shown: `Ctrl-E`, `zt`.
    public var keys: String
    /// What they do.
    public var text: String
  }

  /// What the help page has a line for, in the order in which it was added.
  private enum Entry {
    case command(TableCommand)
    case remark(HelpLine)
  }

  private var entries: [Entry] = []
  private var bindings: [KeySequence: TableCommand] = [:]
  /// Other names of commands.
  private var aliases: [String: String] = [:]

  /// A table without commands.
  public init() {}

  /// Commands of `target`, which is not retained.
  public init<Target: AnyObject>(of target: Target, _ commands: [Command<Target>]) {
    add(commands, of: target)
  }

  /// Adds commands of `target`, which is not retained; of two for the same keys the last one
  /// counts.
  public func add<Target: AnyObject>(_ commands: [Command<Target>], of target: Target) {
    for command in commands {
      let entry = TableCommand(command, of: target)
      entries.append(.command(entry))
      for keys in command.keys { bind(keys, to: entry) }
    }
  }

  /// The commands, in the order in which they were added.
  var commands: [TableCommand] {
    entries.compactMap { if case .command(let command) = $0 { command } else { nil } }
  }

  /// The command called `name`.
  ///
  /// - Complexity: O(commands).
  func command(named name: String) -> TableCommand? {
    let name = aliases[name] ?? name
    for case .command(let command) in entries where command.name == name { return command }
    return nil
  }

  /// Gives the command called `name` another name, for those who may know it by that; help and
  /// completion keep to the first.
  public func alias(_ alias: String, of name: String) { aliases[alias] = name }

  /// Has `keys` ask for the command called `name`.
  ///
  /// - Returns: false where there is none.
  @discardableResult public func bind(_ keys: KeySequence, toCommand name: String) -> Bool {
    guard let command = command(named: name) else { return false }
    bind(keys, to: command)
    return true
  }

  private func bind(_ keys: KeySequence, to command: TableCommand) {
    bindings[keys] = command
  }

  /// A line for the help page about keys that are no command's.
  public func remark(_ keys: String, _ text: String) {
    entries.append(.remark(HelpLine(keys: keys, text: text)))
  }

  /// What the help page says, with the keys that commands have of their own.
  public var help: [HelpLine] { help(with: KeyBindings()) }

  /// What the help page says where the user has bound keys otherwise.
  func help(with bindings: KeyBindings) -> [HelpLine] {
    entries.compactMap { entry in
      switch entry {
      case .remark(let line): line
      case .command(let command): Self.helpLine(of: command, with: bindings)
      }
    }
  }

  private static func helpLine(of command: TableCommand, with bindings: KeyBindings) -> HelpLine? {
    let bound = bindings.keys(for: command.name)
    // What is not worth a line is, where the user has bound it.
    guard !command.help.isEmpty || !bound.isEmpty else { return nil }
    let keys = command.keys.filter { bindings.leaves($0) } + bound
    let labels = keys.filter { !($0.prefix.first ?? $0.last).isWheel }.map(\.label)
    let name = ":" + command.name + (command.argument.map { " " + $0 } ?? "")
    return HelpLine(
      keys: labels.isEmpty ? name : labels.joined(separator: " "),
      text: command.help.isEmpty ? command.name : command.help)
  }

  /// The command that these keys ask for, all of them.
  func command(for keys: KeySequence) -> TableCommand? { bindings[keys] }

  /// Whether a sequence goes on after `keys`.
  ///
  /// - Complexity: O(commands).
  func goesOn(after keys: KeySequence) -> Bool {
    bindings.keys.contains { $0.goesOn(after: keys) }
  }
}
