import System

/// The user's key bindings, which take precedence over the tables of commands.
struct KeyBindings {
  /// The target of a binding.
  enum Binding: Hashable {
    /// The command of this name, with the text behind it.
    case command(String, argument: String = "")
    case nothing
  }

  /// The bindings, numbered in the order they were made, for the help page.
  private var bindings: [KeySequence: (binding: Binding, number: Int)] = [:]
  private var lastNumber = 0
  /// Changes with every binding, to invalidate results computed from them.
  var revision: Int { lastNumber }

  /// Binds `keys`, replacing an earlier binding.
  mutating func bind(_ keys: KeySequence, to binding: Binding) {
    lastNumber += 1
    bindings[keys] = (binding, lastNumber)
  }

  /// The user's binding of `keys`; `nil` if the tables of commands decide.
  func binding(for keys: KeySequence) -> Binding? {
    guard !bindings.isEmpty else { return nil }
    return (bindings[keys] ?? bindings[keys.plain])?.binding
  }

  /// Whether a longer sequence that is bound to a command begins with `keys`.
  ///
  /// - Complexity: O(bindings).
  func goesOn(after keys: KeySequence) -> Bool {
    bindings.contains { $0.goesOn(after: keys) && $1.binding != .nothing }
  }

  /// The keys bound to the command called `name` alone, in the order they were bound.
  ///
  /// - Complexity: O(bindings).
  func keys(for name: String) -> [KeySequence] {
    calls(of: name).filter { $0.argument.isEmpty }.map(\.keys)
  }

  /// The keys bound to the command called `name`, with the text behind it, in the order they were
  /// bound.
  ///
  /// - Complexity: O(bindings).
  func calls(of name: String) -> [(keys: KeySequence, argument: String)] {
    bindings.sorted { $0.value.number < $1.value.number }.compactMap { keys, bound in
      guard case .command(name, let argument) = bound.binding else { return nil }
      return (keys, argument)
    }
  }

  /// One key for each command, for a short line: the default key if it still belongs to the
  /// command, else the first that the user has bound; commands without a key are left out.
  func labels(_ usual: [(command: String, keys: KeySequence)]) -> [String] {
    usual.compactMap { leaves($0.keys) ? $0.keys.label : keys(for: $0.command).first?.label }
  }

  /// The most important keys as the user has bound them, with their effects: `n p pictures q back`.
  /// Commands without keys are left out.
  ///
  /// - Parameter parts: commands with their default keys, and their effect.
  func hint(_ parts: [(commands: [(name: String, keys: KeySequence)], text: String)]) -> String {
    parts.compactMap { part in
      let labels = labels(part.commands.map { (command: $0.name, keys: $0.keys) })
      return labels.isEmpty ? nil : (labels + [part.text]).joined(separator: " ")
    }.joined(separator: "   ")
  }

  /// Whether the user's bindings leave the keys of a table as they are.
  func leaves(_ keys: KeySequence) -> Bool {
    let strokes = keys.strokes
    return !goesOn(after: keys)
      && !strokes.indices.contains {
        bindings[KeySequence(strokes[$0], after: Array(strokes[..<$0]))] != nil
      }
  }
}

/// Bindings by `bind` and `unbind`.
extension KeyBindings {
  /// The length of the longest sequence that can be bound.
  private static let longestSequence = 4

  /// Binds keys from the argument of `bind`: `zt align-top`, `X pipe mail -s post`.
  ///
  /// - Parameter tables: the tables of all commands.
  @MainActor mutating func bind(
    _ argument: String, toCommandsOf tables: [CommandTable]
  ) throws(CommandRefusal) {
    if let (words, command, rest) = Self.call(in: argument, tables) {
      return bind(try Self.keys(words), to: .command(command.name, argument: rest))
    }
    var words = argument.split(whereSeparator: \.isWhitespace)
    let name = words.popLast().map { String($0) } ?? ""
    let found = KeyReader.command(named: name, in: tables[...])
    if found == nil { try checkCommand(in: words, before: name, tables) }
    let sequence = try Self.keys(words)
    guard let (command, _) = found else { throw .unknownCommand(name, in: tables) }
    bind(sequence, to: .command(command.name))
  }

  /// The keys, the command and the text behind it, if this is the first word that names no key, and
  /// a command that takes a text.
  @MainActor private static func call(
    in argument: String, _ tables: [CommandTable]
  ) -> (words: [Substring], command: TableCommand, rest: String)? {
    let words = argument.split(whereSeparator: \.isWhitespace)
    guard let place = words.indices.dropFirst().first(where: { strokes(of: words[$0]) == nil }),
      place < words.count - 1,
      let (command, _) = KeyReader.command(named: String(words[place]), in: tables[...]),
      command.argument != nil
    else { return nil }
    let rest = argument[words[place].endIndex...].trimmed(where: \.isWhitespace)
    return (Array(words[..<place]), command, String(rest))
  }

  /// Refuses words between the keys and the last word that were meant as a command but are not one,
  /// as in `s pipe mail`.
  ///
  /// - Throws: `CommandRefusal` with the unknown name.
  @MainActor private func checkCommand(
    in words: [Substring], before last: String, _ tables: [CommandTable]
  ) throws(CommandRefusal) {
    guard let key = words.first, Self.strokes(of: key) != nil,
      let place = words.firstIndex(where: { Self.strokes(of: $0) == nil })
    else { return }
    let name = String(words[place])
    guard KeyReader.command(named: name, in: tables[...]) != nil else {
      throw .unknownCommand(name, in: tables)
    }
    let rest = (words[(place + 1)...].map { String($0) } + [last]).joined(separator: " ")
    throw CommandRefusal(
      reason: "\(name) is bound without words behind it: \(NearestNames.quoted(rest, among: []))")
  }

  /// Unbinds keys, so that they have no effect.
  mutating func unbind(_ argument: String) throws(CommandRefusal) {
    bind(try Self.keys(argument.split(whereSeparator: \.isWhitespace)), to: .nothing)
  }

  /// The keys that a word names; two characters together are two keys. `nil` if it names none.
  private static func strokes(of word: Substring) -> [KeyStroke]? {
    if let stroke = KeyStroke(word) { return [stroke] }
    guard word.count == 2, !word.contains(where: \.isNumber) else { return nil }
    let strokes = word.compactMap { KeyStroke(String($0)) }
    return strokes.count == 2 ? strokes : nil
  }

  /// The sequence that `words` name.
  private static func keys(_ words: [Substring]) throws(CommandRefusal) -> KeySequence {
    var strokes: [KeyStroke] = []
    for word in words {
      if let more = Self.strokes(of: word) {
        strokes += more
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
}
