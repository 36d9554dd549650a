import TextLayout

/// Why a command is not carried out, in one line.
struct CommandRefusal: Error {
  let reason: String
}

/// Commands by their names: after `:`, and in a file of settings.
extension TerminalApplication {
  /// Keys that one binding may be made of.
  private static let longestSequence = 4

  // MARK: The prompt

  func openPrompt(for call: CommandCall) {
    guard !(window.modalPanel is CommandPrompt) else { return }
    // Of those of one name the first counts.
    let choices = Dictionary(
      window.commandTables.flatMap(\.commands).map { ($0.name, $0) },
      uniquingKeysWith: { a, _ in a })
    let prompt = CommandPrompt(
      call.count.map { "\($0) " } ?? "", choices: Array(choices.values), history: promptHistory,
      theme: window.theme)
    prompt.onSubmit = { [unowned self] line, history in
      promptHistory = history
      guard let words = CommandWords(line) else { return }
      do throws(CommandRefusal) {
        queue.putBack(try self.call(for: words, in: window.commandTables))
      } catch {
        refuse(error.reason)
      }
    }
    window.present(prompt, at: .statusLine)
  }

  /// The call of a command of `tables` that `words` ask for.
  private func call(
    for words: CommandWords, in tables: [CommandTable]
  ) throws(CommandRefusal) -> CommandCall {
    guard !words.name.isEmpty else {
      throw CommandRefusal(reason: "a number goes with a command, as in 5 next")
    }
    guard let (command, position) = KeyReader.command(named: words.name, in: tables[...]) else {
      throw Self.unknownCommand(words.name, in: tables)
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

  private static func unknownCommand(_ name: String, in tables: [CommandTable]) -> CommandRefusal {
    let names = Set(tables.flatMap { $0.commands.map(\.name) }).sorted()
    return CommandRefusal(
      reason: "no command is called \(NearestNames.quoted(name, among: names))")
  }

  // MARK: Settings

  func addSettings() {
    settings.add(
      [
        Command("bind", argument: "KEYS COMMAND", help: "have keys ask for a command") {
          application, call in
          application.outcome { () throws(CommandRefusal) in try application.bind(call.argument) }
        },
        Command("unbind", argument: "KEYS", help: "have keys ask for nothing") {
          application, call in
          application.outcome { () throws(CommandRefusal) in
            let keys = try Self.keys(call.argument.split(whereSeparator: \.isWhitespace))
            application.keys.bindings.bind(keys, to: .nothing)
          }
        },
      ], of: self)
  }

  private func outcome(of setting: () throws(CommandRefusal) -> Void) -> CommandOutcome {
    do throws(CommandRefusal) {
      try setting()
      return .done
    } catch {
      return .refused(error.reason)
    }
  }

  private func bind(_ argument: String) throws(CommandRefusal) {
    var words = argument.split(whereSeparator: \.isWhitespace)
    let name = words.popLast().map { String($0) } ?? ""
    let sequence = try Self.keys(words)
    let tables = window.allCommandTables
    guard let (command, _) = KeyReader.command(named: name, in: tables[...]) else {
      throw Self.unknownCommand(name, in: tables)
    }
    keys.bindings.bind(sequence, to: .command(command.name))
  }

  /// Keys by their names; two characters without a space are two keys.
  private static func keys(_ words: [Substring]) throws(CommandRefusal) -> KeySequence {
    var strokes: [KeyStroke] = []
    for word in words {
      if let stroke = KeyStroke(word) {
        strokes.append(stroke)
      } else if word.count == 2, !word.contains(where: \.isNumber) {
        strokes += word.compactMap { KeyStroke(String($0)) }
      } else {
        let quoted = NearestNames.quoted(String(word), among: KeyStroke.names)
        throw CommandRefusal(reason: "no key is called \(quoted)")
      }
    }
    guard !strokes.contains(KeyStroke(.character("c"), .control)) else {
      throw CommandRefusal(reason: "Ctrl-C cannot be bound")
    }
    guard let keys = KeySequence(strokes) else {
      throw CommandRefusal(reason: "it takes keys and a command: bind zt align-top, unbind zt")
    }
    guard strokes.count <= longestSequence else {
      throw CommandRefusal(reason: "at most \(longestSequence) keys are bound together")
    }
    return keys
  }

  /// Carries out the settings of a file, those that can be, and tells the first that cannot.
  ///
  /// To be called when the views that have the commands are there.
  ///
  /// - Returns: a line about each that cannot, with the file's name and the line's number.
  /// - Complexity: O(n) in the bytes of the file, of which there are
  ///   ``ConfigurationFile/maximumBytes`` at most.
  @discardableResult public func load(_ file: ConfigurationFile) -> [String] {
    var problems: [String] = []
    do throws(CommandRefusal) {
      for (index, line) in try file.lines().enumerated() {
        do throws(CommandRefusal) {
          try set(line)
        } catch {
          problems.append("\(file.path):\(index + 1): \(error.reason)")
        }
      }
    } catch {
      problems.append("\(file.path): \(error.reason)")
    }
    if let first = problems.first {
      // Of the path, its end: the status line is short.
      let folder = file.path.lastIndex(of: "/").map { file.path[...$0].count } ?? 0
      let told = first.dropFirst(folder)
      refuse(problems.count > 1 ? "\(told) (and \(problems.count - 1) more)" : "\(told)")
    }
    return problems
  }

  private func set(_ line: Substring) throws(CommandRefusal) {
    guard let words = CommandWords(line) else { return }
    let call = try call(for: words, in: [settings])
    if case .refused(let reason) = call.command.perform(call) {
      throw CommandRefusal(reason: reason)
    }
  }
}
