import TextLayout

/// The reason in one line why a command is refused.
struct CommandRefusal: Error {
  let reason: String

  /// - Complexity: O(n) in the commands.
  @MainActor static func unknownCommand(
    _ name: String, in tables: [CommandTable]
  ) -> CommandRefusal {
    let names = Set(tables.flatMap { $0.commands.map(\.name) }).sorted()
    return CommandRefusal(
      reason: "no command is called \(NearestNames.quoted(name, among: names))")
  }
}

/// Commands by name: after `:`, and in a configuration file.
extension TerminalApplication {
  // MARK: The prompt

  func openPrompt(for call: CommandCall) {
    guard !(window.modalPanel is CommandPrompt) else { return }
    // If several commands share a name, the first one counts.
    let choices = Dictionary(
      window.commandTables.flatMap(\.commands).map { ($0.name, $0) },
      uniquingKeysWith: { a, _ in a })
    let prompt = CommandPrompt(
      call.count.map { "\($0) " } ?? "", choices: Array(choices.values), history: promptHistory)
    prompt.onSubmit = { [unowned self] line, history in
      promptHistory = history
      guard let words = CommandWords(line) else { return }
      do throws(CommandRefusal) {
        queue.putBack(try self.call(for: words, in: window.commandTables))
      } catch {
        notices.refuse(error.reason)
      }
    }
    prompt.open(in: window)
  }

  /// The call that `words` describe, of a command of `tables`.
  private func call(
    for words: CommandWords, in tables: [CommandTable]
  ) throws(CommandRefusal) -> CommandCall {
    guard !words.name.isEmpty else {
      throw CommandRefusal(reason: "a number goes with a command, as in 5 next")
    }
    guard let (command, position) = KeyReader.command(named: words.name, in: tables[...]) else {
      throw .unknownCommand(words.name, in: tables)
    }
    var call = CommandCall(command: command, count: words.count, position: position)
    if command.argument != nil {
      call.argument = words.argument
    } else if !words.argument.isEmpty {
      guard words.count == nil, let count = CommandWords.count(words.argument) else {
        let argument = NearestNames.quoted(words.argument, among: [])
        throw CommandRefusal(reason: "\(command.name) is followed by a number at most: \(argument)")
      }
      call.count = count
    }
    call.isCounted = call.count != nil
    guard call.count != 0 else { throw CommandRefusal(reason: "counts begin with 1") }
    return call
  }

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
            let tables = application.window.allCommandTables
            try application.keys.bindings.bind(call.argument, toCommandsOf: tables)
          }
        },
        Command("unbind", argument: "KEYS", help: "have keys ask for nothing") {
          application, call in
          Self.outcome { () throws(CommandRefusal) in
            try application.keys.bindings.unbind(call.argument)
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
        let call = try call(for: words, in: [configurationCommands])
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

  // MARK: Hints

  /// Changes when keys are bound; until then, a computed hint stays valid.
  package var keyHintRevision: Int { keys.bindings.revision }

  /// The most important keys as the user has bound them, with their effects: `n p pictures q back`.
  /// Commands without keys are left out.
  ///
  /// - Parameter parts: commands with their default keys, and their effect.
  package func keyHint(
    _ parts: [(commands: [(name: String, keys: KeySequence)], text: String)]
  ) -> String {
    parts.compactMap { part in
      let labels = keys.bindings.labels(part.commands.map { (command: $0.name, keys: $0.keys) })
      return labels.isEmpty ? nil : (labels + [part.text]).joined(separator: " ")
    }.joined(separator: "   ")
  }
}
