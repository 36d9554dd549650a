/// What the user has bound keys to, whatever the tables of commands say.
struct KeyBindings {
  /// What keys are bound to.
  enum Binding: Hashable {
    /// The command of this name.
    case command(String)
    case nothing
  }

  /// With numbers in the order in which keys were bound, for the help page.
  private var bindings: [KeySequence: (binding: Binding, number: Int)] = [:]
  private var lastNumber = 0
  /// How often keys were bound: what is made of bindings can be kept till it changes.
  var revision: Int { lastNumber }

  /// Binds `keys`, whatever they were bound to.
  mutating func bind(_ keys: KeySequence, to binding: Binding) {
    lastNumber += 1
    bindings[keys] = (binding, lastNumber)
  }

  /// What `keys` are bound to; nil where the tables of commands say.
  func binding(for keys: KeySequence) -> Binding? {
    guard !bindings.isEmpty else { return nil }
    return (bindings[keys] ?? bindings[keys.plain])?.binding
  }

  /// Whether a sequence that is bound to a command goes on after `keys`.
  ///
  /// - Complexity: O(bindings).
  func goesOn(after keys: KeySequence) -> Bool {
    bindings.contains { $0.goesOn(after: keys) && $1.binding != .nothing }
  }

  /// The keys bound to the command called `name`, in the order in which they were.
  ///
  /// - Complexity: O(bindings).
  func keys(for name: String) -> [KeySequence] {
    let found = bindings.filter { $0.value.binding == .command(name) }
    return found.sorted { $0.value.number < $1.value.number }.map(\.key)
  }

  /// The keys of commands for a line that has room for one each: the usual one, where it still asks
  /// for the command, or one that the user has bound; none where there is none.
  func labels(_ usual: [(command: String, keys: KeySequence)]) -> [String] {
    usual.compactMap { leaves($0.keys) ? $0.keys.label : keys(for: $0.command).first?.label }
  }

  /// Whether keys of a table still ask for what they do there.
  func leaves(_ keys: KeySequence) -> Bool {
    let strokes = keys.strokes
    return !goesOn(after: keys)
      && !strokes.indices.contains {
        bindings[KeySequence(strokes[$0], after: Array(strokes[..<$0]))] != nil
      }
  }
}

/// Bindings in words.
extension KeyBindings {
  /// Keys that one binding may be made of.
  private static let longestSequence = 4

  /// Binds keys as `bind` is told to: `zt align-top`.
  ///
  /// - Parameter tables: have the commands that there are.
  @MainActor mutating func bind(
    _ argument: String, toCommandsOf tables: [CommandTable]
  ) throws(CommandRefusal) {
    var words = argument.split(whereSeparator: \.isWhitespace)
    let name = words.popLast().map { String($0) } ?? ""
    let found = KeyReader.command(named: name, in: tables[...])
    if found == nil { try checkCommand(in: words, before: name, tables) }
    let sequence = try Self.keys(words)
    guard let (command, _) = found else { throw .unknownCommand(name, in: tables) }
    bind(sequence, to: .command(command.name))
  }

  /// Looks whether a command stands before the last word: what follows a key and is none was meant
  /// as one, as in `s pipe mail`.
  ///
  /// - Throws: `CommandRefusal` where it does.
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

  /// Has keys ask for nothing.
  mutating func unbind(_ argument: String) throws(CommandRefusal) {
    bind(try Self.keys(argument.split(whereSeparator: \.isWhitespace)), to: .nothing)
  }

  /// The key that a word names; two characters without a space are two keys. Nil for another word.
  private static func strokes(of word: Substring) -> [KeyStroke]? {
    if let stroke = KeyStroke(word) { return [stroke] }
    guard word.count == 2, !word.contains(where: \.isNumber) else { return nil }
    return word.compactMap { KeyStroke(String($0)) }
  }

  /// Keys by their names.
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
