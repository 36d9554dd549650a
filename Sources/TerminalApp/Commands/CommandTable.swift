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

  private var commands: [TableCommand] = []
  private var bindings: [KeyStroke: TableCommand] = [:]
  private var sequences: [[KeyStroke]: TableCommand] = [:]
  /// Beginnings of sequences.
  private var prefixes: Set<[KeyStroke]> = []
  /// What the help page says, in the order in which it was added.
  public private(set) var help: [HelpLine] = []

  /// A table without commands.
  public init() {}

  /// Commands of `target`, which is not retained.
  public init<Target: AnyObject>(of target: Target, _ commands: [Command<Target>]) {
    add(commands, of: target)
  }

  /// Adds commands of `target`, which is not retained; of two for the same keys the last one counts.
  public func add<Target: AnyObject>(_ commands: [Command<Target>], of target: Target) {
    for command in commands {
      let entry = TableCommand(command, of: target)
      self.commands.append(entry)
      for keys in command.keys { bind(keys, to: entry) }
      let labels = command.keys.filter { $0.strokes.first?.isWheel == false }.map(\.label)
      if !command.help.isEmpty {
        help.append(HelpLine(keys: labels.joined(separator: " "), text: command.help))
      }
    }
  }

  /// Has `keys` ask for the command called `name`.
  ///
  /// - Returns: false where there is none.
  @discardableResult public func bind(_ keys: KeySequence, toCommand name: String) -> Bool {
    guard let command = commands.first(where: { $0.name == name }) else { return false }
    bind(keys, to: command)
    return true
  }

  private func bind(_ keys: KeySequence, to command: TableCommand) {
    let strokes = keys.strokes
    guard strokes.count > 1 else {
      if let stroke = strokes.first { bindings[stroke] = command }
      return
    }
    sequences[strokes] = command
    for length in 1..<strokes.count { prefixes.insert(Array(strokes.prefix(length))) }
  }

  /// A line for the help page about keys that are no command's.
  public func remark(_ keys: String, _ text: String) {
    help.append(HelpLine(keys: keys, text: text))
  }

  /// The command that `stroke` completes after `prefix`.
  ///
  /// - Complexity: O(1), O(prefix) where there is one.
  func command(for stroke: KeyStroke, after prefix: [KeyStroke]) -> TableCommand? {
    guard prefix.isEmpty else {
      return sequences[prefix + [stroke]] ?? sequences[prefix + [stroke.plain]]
    }
    if let command = bindings[stroke] ?? bindings[stroke.plain] { return command }
    return stroke.isWheel ? nil : bindings[.any]
  }

  /// Whether a sequence goes on after these strokes.
  func goesOn(after strokes: [KeyStroke]) -> Bool {
    !prefixes.isEmpty && prefixes.contains(strokes)
  }
}
