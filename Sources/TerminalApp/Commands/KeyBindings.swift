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

  /// The keys of commands for a line that has room for one each: the usual one, where it still asks for
  /// the command, or one that the user has bound; none where there is none.
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
