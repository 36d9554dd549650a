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
  /// Beginnings of sequences that are bound to a command, and of how many.
  private var prefixes: [[KeyStroke]: Int] = [:]

  /// Binds `keys`, whatever they were bound to.
  mutating func bind(_ keys: KeySequence, to binding: Binding) {
    lastNumber += 1
    let old = bindings.updateValue((binding, lastNumber), forKey: keys.strokes)?.binding
    if case .command = old { countPrefixes(of: keys, by: -1) }
    if case .command = binding { countPrefixes(of: keys, by: 1) }
  }

  private mutating func countPrefixes(of keys: KeySequence, by step: Int) {
    for length in 1..<max(1, keys.strokes.count) {
      let prefix = Array(keys.strokes.prefix(length))
      let count = prefixes[prefix, default: 0] + step
      prefixes[prefix] = count > 0 ? count : nil
    }
  }

  /// What `stroke` after `prefix` is bound to; nil where the tables of commands say.
  func binding(for stroke: KeyStroke, after prefix: [KeyStroke]) -> Binding? {
    guard !bindings.isEmpty else { return nil }
    return (bindings[prefix + [stroke]] ?? bindings[prefix + [stroke.plain]])?.binding
  }

  /// Whether a sequence goes on after these strokes.
  func goesOn(after strokes: [KeyStroke]) -> Bool {
    !prefixes.isEmpty && prefixes[strokes] != nil
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
    guard !bindings.isEmpty, prefixes[strokes] == nil else { return bindings.isEmpty }
    return !strokes.indices.contains { bindings[Array(strokes[...$0])] != nil }
  }
}
