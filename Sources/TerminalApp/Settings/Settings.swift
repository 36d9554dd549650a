import TerminalViews

/// The user's choices: the settings by name, the commands of a ``ConfigurationFile``, which are the
/// same after `:`, and loading such a file.
@MainActor final class Settings {
  /// The settings that `set NAME VALUE` changes.
  let table = SettingTable()
  let appearance: Appearance
  /// Whether a move is shown in a single frame, at its end.
  var reducesMotion = true
  private let window: Window
  private let display: any Display
  private let dispatcher: CommandDispatcher
  private let notices: StatusMessages

  /// The number of a file's problems that are recorded besides the first: the record has to keep
  /// room for other messages.
  private static let maximumLoggedProblems = 50

  init(
    appearance: Appearance, window: Window, display: any Display, dispatcher: CommandDispatcher,
    notices: StatusMessages
  ) {
    (self.appearance, self.window, self.display) = (appearance, window, display)
    (self.dispatcher, self.notices) = (dispatcher, notices)
    dispatcher.commands.configuration.add(
      Self.commands, of: self, below: .settings)
    dispatcher.commands.configuration.add(
      appearance.commands, of: appearance, below: .settings)
    table.add(ownSettings + appearance.settings)
    appearance.tell = { [weak notices] in notices?.tell($0, .information) }
  }

  // MARK: Settings and commands

  private var ownSettings: [Setting] {
    [
      Setting(
        "animation", values: ["on", "off"], help: "whether moves are shown in several frames",
        current: { [unowned self] in reducesMotion ? "off" : "on" },
        change: { [unowned self] value in
          reducesMotion = value == "off"
          return .done
        }),
      Setting(
        "mouse", values: ["on", "off"],
        help: "whether clicks and the wheel are this program's; off, the terminal selects text",
        current: { [unowned self] in display.reportsMouse ? "on" : "off" },
        change: { [unowned self] value in
          display.reportsMouse = value == "on"
          return .done
        }),
    ]
  }

  private static let commands: [Command<Settings>] = [
    Command(
      "bind", argument: "KEYS COMMAND", help: "have keys ask for a command",
      completions: { settings, words in
        guard !words.isEmpty else { return [] }
        return settings.window.allCommandTables.flatMap(\.commands).map(\.completion)
      },
      action: { settings, call in
        CommandOutcome.of { () throws(CommandRefusal) in
          try settings.dispatcher.bind(call.argument)
        }
      }),
    Command("unbind", argument: "KEYS", help: "have keys ask for nothing") { settings, call in
      CommandOutcome.of { () throws(CommandRefusal) in
        try settings.dispatcher.unbind(call.argument)
      }
    },
    Command(
      "set", argument: "NAME VALUE", help: "change a setting; without a value, tell it",
      completions: { $0.table.completions(after: $1) },
      action: { settings, call in
        CommandOutcome.of { () throws(CommandRefusal) in
          guard let told = try settings.table.set(call.argument) else { return }
          try call.checkMayAsk()
          settings.notices.tell(told, .information)
        }
      }),
  ]

  // MARK: Files

  /// Performs the commands of a file, except those that fail. The first failure is shown, at most
  /// 50 others are recorded.
  ///
  /// - Returns: a line for each failure, with the file's name and the line's number, if it has one.
  /// - Complexity: O(n) in the bytes of the file, of which ``ConfigurationFile/maximumBytes`` are
  ///   read at most.
  func load(_ file: ConfigurationFile) -> [String] {
    let content = file.content
    var problems = content.trouble.map { ["\(file.path): \($0)"] } ?? []
    for (index, line) in content.lines.enumerated() {
      guard let words = CommandWords(line) else { continue }
      do throws(CommandRefusal) {
        try perform(words)
      } catch {
        problems.append("\(file.path):\(index + 1): \(error.reason)")
      }
    }
    report(problems, of: file)
    return problems
  }

  private func perform(_ words: CommandWords) throws(CommandRefusal) {
    try checkIsAllowedInFiles(words.name)
    var call = try words.call(in: [dispatcher.commands.configuration])
    call.isInFile = true
    if case .refused(let reason) = call.command.perform(call) {
      throw CommandRefusal(reason: reason)
    }
  }

  /// - Throws: `CommandRefusal` for a command that exists but may not stand in a file.
  private func checkIsAllowedInFiles(_ name: String) throws(CommandRefusal) {
    let allowed = dispatcher.commands.configuration
    guard allowed.command(named: name) == nil,
      KeyReader.command(named: name, in: window.allCommandTables[...]) != nil
    else { return }
    let names = allowed.commands.map(\.name).sorted().joined(separator: ", ")
    throw CommandRefusal(reason: "'\(name)' is for keys and ':'; a file takes \(names)")
  }

  private func report(_ problems: [String], of file: ConfigurationFile) {
    guard let first = problems.first else { return }
    // Only the file's name without its folder: the status line is short.
    let folder = file.path.lastIndex(of: "/").map { file.path[...$0].count } ?? 0
    let told = first.dropFirst(folder)
    let others = problems.dropFirst().prefix(Self.maximumLoggedProblems)
    for other in others.reversed() { notices.note(String(other.dropFirst(folder))) }
    notices.refuse(
      problems.count > 1 ? "\(told) (\(problems.count - 1) more in :messages)" : "\(told)")
  }
}
