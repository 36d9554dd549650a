/// What the user has bound keys to, whatever the tables of commands say.
struct KeyBindings {
  /// What keys are bound to.
  enum Binding: Hashable {
    /// The command of this name.
    case command(String)
    case nothing
  }

  /// With numbers in the order in which keys were bound, for the help page.
  private var bindings: [[KeyStroke]: (binding: Binding, number: Int)] = [:]
  private var lastNumber = 0
  /// How often keys were bound: what is made of bindings can be kept till it changes.
  var revision: Int { lastNumber }

  /// Binds `keys`, whatever they were bound to.
  mutating func bind(_ keys: KeySequence, to binding: Binding) {
    lastNumber += 1
    bindings[keys.strokes] = (binding, lastNumber)
  }

  /// What `stroke` after `prefix` is bound to; nil where the tables of commands say.
  func binding(for stroke: KeyStroke, after prefix: [KeyStroke]) -> Binding? {
    guard !bindings.isEmpty else { return nil }
    return (bindings[prefix + [stroke]] ?? bindings[prefix + [stroke.plain]])?.binding
  }

  /// Whether a sequence that is bound to a command goes on after these strokes.
  ///
  /// - Complexity: O(bindings).
  func goesOn(after strokes: [KeyStroke]) -> Bool {
    bindings.contains { $0.goesOn(after: strokes) && $1.binding != .nothing }
  }

  /// The keys bound to the command called `name`, in the order in which they were.
  ///
  /// - Complexity: O(bindings).
  func keys(for name: String) -> [KeySequence] {
    let found = bindings.filter { $0.value.binding == .command(name) }
    return found.sorted { $0.value.number < $1.value.number }.map { KeySequence($0.key) }
  }

  /// The keys of commands for a line that has room for one each: the usual one, where it still asks for
  /// the command, or one that the user has bound; none where there is none.
  func labels(_ usual: [(command: String, keys: KeySequence)]) -> [String] {
    usual.compactMap { leaves($0.keys) ? $0.keys.label : keys(for: $0.command).first?.label }
  }

  /// Whether keys of a table still ask for what they do there.
  func leaves(_ keys: KeySequence) -> Bool {
    let strokes = keys.strokes
    return !goesOn(after: strokes)
      && !strokes.indices.contains { bindings[Array(strokes[...$0])] != nil }
  }
}
