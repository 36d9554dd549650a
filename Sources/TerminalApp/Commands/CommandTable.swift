import Terminal

/// The commands of a view, with their keys and a help line each.
@MainActor public final class CommandTable {
  /// A line of the help page.
  public struct HelpLine: Hashable, Sendable {
    /// The keys as shown: `Ctrl-E`, `zt`.
    public var keys: String
    /// The effect of the keys.
    public var text: String
    /// The heading that the line stands below; `nil` if it has none.
    package var heading: HelpHeading?

    /// A line without a heading.
    public init(keys: String, text: String) { (self.keys, self.text) = (keys, text) }

    package init(keys: String, text: String, heading: HelpHeading?) {
      (self.keys, self.text, self.heading) = (keys, text, heading)
    }
  }

  /// A command, or a remark on the help page about keys without one.
  private enum Entry {
    case command(TableCommand)
    case remark(HelpLine)
  }

  /// In the order of addition.
  private var entries: [Entry] = []
  /// If a sequence is bound twice, the last binding counts.
  private var bindings: [(keys: KeySequence, command: TableCommand)] = []
  /// The headings of commands on the help page, by the names of the commands.
  private var headings: [String: HelpHeading] = [:]
  /// Further names of commands, and the names they stand for.
  private var aliases: [String: String] = [:]

  /// A table without commands.
  public init() {}

  /// A table with the commands of `target`, which is not retained.
  public init<Target: AnyObject>(of target: Target, _ commands: [Command<Target>]) {
    add(commands, of: target)
  }

  /// A table with the commands of `target`, which is not retained; the help page shows them below a
  /// heading.
  package convenience init<Target: AnyObject>(
    of target: Target, _ commands: [Command<Target>], below heading: HelpHeading
  ) {
    self.init()
    add(commands, of: target, below: heading)
  }

  /// Adds commands of `target`, which is not retained; if keys are bound twice, the last binding
  /// counts.
  public func add<Target: AnyObject>(_ commands: [Command<Target>], of target: Target) {
    for command in commands {
      let entry = TableCommand(command, of: target)
      entries.append(.command(entry))
      for keys in command.keys { bindings.append((keys, entry)) }
    }
  }

  /// Adds commands of `target`, which is not retained; the help page shows them below a heading.
  package func add<Target: AnyObject>(
    _ commands: [Command<Target>], of target: Target, below heading: HelpHeading
  ) {
    for command in commands { headings[command.name] = heading }
    add(commands, of: target)
  }

  /// The commands in the order of addition.
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

  /// Adds another name for the command called `name`; help and completion show only the original.
  public func alias(_ alias: String, of name: String) { aliases[alias] = name }

  /// Binds `keys` to the command called `name`.
  ///
  /// - Returns: `false` if there is no such command.
  @discardableResult public func bind(_ keys: KeySequence, toCommand name: String) -> Bool {
    guard let command = command(named: name) else { return false }
    bindings.append((keys, command))
    return true
  }

  /// Adds a line to the help page about keys that belong to no command.
  public func remark(_ keys: String, _ text: String) {
    entries.append(.remark(HelpLine(keys: keys, text: text)))
  }

  /// Adds a line to the help page, below a heading, about keys that belong to no command.
  func remark(_ keys: String, _ text: String, below heading: HelpHeading) {
    entries.append(.remark(HelpLine(keys: keys, text: text, heading: heading)))
  }

  /// The help lines, with the commands' default keys.
  public var help: [HelpLine] { help(with: KeyBindings()) }

  /// The help lines, with keys as the user has bound them.
  func help(with bindings: KeyBindings) -> [HelpLine] {
    entries.flatMap { entry in
      switch entry {
      case .remark(let line): [line]
      case .command(let command):
        [helpLine(of: command, with: bindings)].compactMap { $0 }
          + bindings.calls(of: command.name).filter { !$0.argument.isEmpty }.map {
            HelpLine(
              keys: $0.keys.label, text: "\(command.name) \($0.argument)",
              heading: headings[command.name])
          }
      }
    }
  }

  private func helpLine(of command: TableCommand, with bindings: KeyBindings) -> HelpLine? {
    let bound = bindings.keys(for: command.name)
    // A command without help gets a line if the user has bound keys to it.
    guard !command.help.isEmpty || !bound.isEmpty else { return nil }
    let keys = command.keys.filter { bindings.leaves($0) } + bound
    let labels = keys.filter { !($0.prefix.first ?? $0.last).isWheel }.map(\.label)
    let name = ":" + command.name + (command.argument.map { " " + $0 } ?? "")
    return HelpLine(
      keys: labels.isEmpty ? name : labels.joined(separator: " "),
      text: command.help.isEmpty ? command.name : command.help,
      heading: headings[command.name])
  }

  /// The command that exactly these keys are bound to.
  ///
  /// - Complexity: O(bindings).
  func command(for keys: KeySequence) -> TableCommand? {
    bindings.last { $0.keys == keys }?.command
  }

  /// Whether `keys` begins a longer bound sequence.
  ///
  /// - Complexity: O(bindings).
  func goesOn(after keys: KeySequence) -> Bool {
    bindings.contains { $0.keys.goesOn(after: keys) }
  }
}
