import TextLayout

/// Commands by name: after `:`, and in a configuration file.
extension TerminalApplication {
  // MARK: Commands that a file may hold

  func addConfigurationCommands() {
    configurationCommands.add(
      [
        Command(
          "bind", argument: "KEYS COMMAND", help: "have keys ask for a command",
          completions: { application, words in
            guard !words.isEmpty else { return [] }
            return application.window.allCommandTables.flatMap(\.commands).map(\.completion)
          }
        ) { application, call in
          Self.outcome { () throws(CommandRefusal) in
            try application.dispatcher.bind(call.argument)
          }
        },
        Command("unbind", argument: "KEYS", help: "have keys ask for nothing") {
          application, call in
          Self.outcome { () throws(CommandRefusal) in
            try application.dispatcher.unbind(call.argument)
          }
        },
        Command(
          "set", argument: "NAME VALUE", help: "change a setting; without a value, tell it",
          completions: { $0.settings.completions(after: $1) }
        ) { application, call in
          Self.outcome { () throws(CommandRefusal) in
            guard let told = try application.settings.set(call.argument) else { return }
            application.tell(told)
          }
        },
      ], of: self)
    settings.add([
      Setting(
        "animation", values: ["on", "off"], help: "whether moves are shown in several frames",
        current: { [unowned self] in reducesMotion ? "off" : "on" }
      ) { [unowned self] value in
        reducesMotion = value == "off"
        return .done
      },
      Setting(
        "mouse", values: ["on", "off"],
        help: "whether clicks and the wheel are this program's; off, the terminal selects text",
        current: { [unowned self] in display.reportsMouse ? "on" : "off" }
      ) { [unowned self] value in
        display.reportsMouse = value == "on"
        return .done
      },
    ])
  }

  /// The number of a file's problems that are recorded besides the first: the record has to keep
  /// room for other messages.
  private static let maximumLoggedProblems = 50

  private static func outcome(of setting: () throws(CommandRefusal) -> Void) -> CommandOutcome {
    do throws(CommandRefusal) {
      try setting()
      return .done
    } catch {
      return .refused(error.reason)
    }
  }

  /// - Throws: `CommandRefusal` for a command that exists but may not stand in a file.
  private func checkIsAllowedInFiles(_ name: String) throws(CommandRefusal) {
    guard KeyReader.command(named: name, in: [configurationCommands]) == nil,
      KeyReader.command(named: name, in: window.allCommandTables[...]) != nil
    else { return }
    let names = configurationCommands.commands.map(\.name).sorted().joined(separator: ", ")
    throw CommandRefusal(reason: "'\(name)' is for keys and ':'; a file takes \(names)")
  }

  /// Performs the commands of a file, except those that fail. The first failure is shown, others
  /// are recorded.
  ///
  /// Call this after adding all settings and the views that have the commands.
  ///
  /// - Returns: a line for each failure, with the file's name and the line's number.
  /// - Complexity: O(n) in the bytes of the file, of which ``ConfigurationFile/maximumBytes`` are
  ///   read at most.
  @discardableResult public func load(_ file: ConfigurationFile) -> [String] {
    let content = file.content
    var problems = content.trouble.map { ["\(file.path): \($0)"] } ?? []
    for (index, line) in content.lines.enumerated() {
      guard let words = CommandWords(line) else { continue }
      do throws(CommandRefusal) {
        try checkIsAllowedInFiles(words.name)
        let call = try words.call(in: [configurationCommands])
        if case .refused(let reason) = call.command.perform(call) {
          throw CommandRefusal(reason: reason)
        }
      } catch {
        problems.append("\(file.path):\(index + 1): \(error.reason)")
      }
    }
    if let first = problems.first {
      // Only the file's name without its folder: the status line is short.
      let folder = file.path.lastIndex(of: "/").map { file.path[...$0].count } ?? 0
      let told = first.dropFirst(folder)
      let others = problems.dropFirst().prefix(Self.maximumLoggedProblems)
      for other in others.reversed() { notices.note(String(other.dropFirst(folder))) }
      notices.refuse(
        problems.count > 1 ? "\(told) (\(problems.count - 1) more in :messages)" : "\(told)")
    }
    return problems
  }
}
