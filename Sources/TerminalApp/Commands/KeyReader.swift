import Terminal

/// Turns keys into calls of commands: a state machine that remembers a count (`5j`, `12G`, `50%`)
/// and the first keys of a sequence (`zt`).
///
/// Tables are asked in the order of the responder chain. The first that knows the keys counts.
/// Where the user has bound them, the first that has a command of that name does; where none has,
/// as on a page of another kind, the keys are what they were.
struct KeyReader {
  /// What the user has bound.
  var bindings = KeyBindings()
  /// The number typed so far; nil where there is none.
  private(set) var count: Int?
  private var prefix: [KeyStroke] = []

  /// Counts stop growing here, so that nobody can overflow them.
  static let maximumCount = 999_999_999
  static let linesPerWheelStep = 3

  /// What is typed and not yet carried out, to be shown: `"12"`, `"z"`.
  var pending: String { (count.map(String.init) ?? "") + prefix.map(\.label).joined() }

  /// Forgets what was typed.
  mutating func reset() {
    count = nil
    prefix = []
  }

  /// What a stroke leads to.
  enum Answer {
    case call(CommandCall)
    /// It is a part of what is being typed.
    case pending
    /// What was typed before is dropped, as was asked for.
    case forgotten
    /// These keys, all of them, ask for nothing.
    case unbound(KeySequence)
  }

  /// The call that `stroke` completes; nil where it completes none.
  ///
  /// - Complexity: O(tables).
  @MainActor mutating func read(_ stroke: KeyStroke, in tables: [CommandTable]) -> CommandCall? {
    if case .call(let call) = answer(to: stroke, in: tables) { call } else { nil }
  }

  /// What `stroke` leads to.
  ///
  /// - Complexity: O(tables).
  @MainActor mutating func answer(to stroke: KeyStroke, in tables: [CommandTable]) -> Answer {
    if stroke.isWheel { reset() }
    if let digit = stroke.digit, let count, prefix.isEmpty {
      self.count = min(count * 10 + digit, Self.maximumCount)
      return .pending
    }
    let typed = KeySequence(stroke, after: prefix)
    if bindings.goesOn(after: typed), bindings.binding(for: typed) == nil {
      prefix.append(stroke)
      return .pending
    }
    if var call = call(forBound: typed, in: tables) ?? call(for: typed, in: tables) {
      call.count = stroke.isWheel ? Self.linesPerWheelStep : count
      call.isCounted = call.count != nil
      reset()
      return .call(call)
    }
    if tables.contains(where: { $0.goesOn(after: typed) }) {
      prefix.append(stroke)
      return .pending
    }
    if let digit = stroke.digit, digit > 0, prefix.isEmpty {
      count = digit
      return .pending
    }
    let forgets = stroke == KeyStroke(.escape) && !pending.isEmpty
    reset()
    return forgets ? .forgotten : .unbound(typed)
  }

  /// What the user has bound `keys` to; none where no table has that.
  @MainActor private func call(
    forBound keys: KeySequence, in tables: [CommandTable]
  ) -> CommandCall? {
    guard let binding = bindings.binding(for: keys) else { return nil }
    for position in tables.indices {
      if case .command(let name) = binding, let command = tables[position].command(named: name) {
        return CommandCall(command: command, position: position)
      }
      if keys.countsAsAny, let command = tables[position].command(for: .any) {
        return CommandCall(command: command, keys: keys, position: position)
      }
    }
    return nil
  }

  /// What the tables have `keys` ask for.
  @MainActor private func call(for keys: KeySequence, in tables: [CommandTable]) -> CommandCall? {
    guard bindings.binding(for: keys) != KeyBindings.Binding.nothing,
      let (command, position) = Self.command(for: keys, in: tables[...])
    else { return nil }
    return CommandCall(command: command, keys: keys, position: position)
  }

  /// What the tables after the one whose command passed `call` on make of its keys or its name.
  @MainActor static func next(after call: CommandCall, in tables: [CommandTable]) -> CommandCall? {
    guard call.position < tables.count else { return nil }
    let others = tables[(call.position + 1)...]
    let found =
      if let keys = call.keys {
        command(for: keys, in: others)
      } else {
        command(named: call.name, in: others)
      }
    guard let (command, position) = found else { return nil }
    return CommandCall(
      command: command, count: call.count, isCounted: call.isCounted, argument: call.argument,
      isAlone: call.isAlone, keys: call.keys, position: position)
  }

  /// The first command called `name`, and whose it is.
  @MainActor static func command(
    named name: String, in tables: ArraySlice<CommandTable>
  ) -> (TableCommand, Int)? {
    for position in tables.indices {
      if let command = tables[position].command(named: name) { return (command, position) }
    }
    return nil
  }

  @MainActor private static func command(
    for keys: KeySequence, in tables: ArraySlice<CommandTable>
  ) -> (TableCommand, Int)? {
    let plain = keys.plain
    for position in tables.indices {
      let table = tables[position]
      // As it was typed, without modifiers that few terminals tell, and as any key.
      if let command = table.command(for: keys)
        ?? (plain == keys ? nil : table.command(for: plain))
        ?? (keys.countsAsAny ? table.command(for: .any) : nil)
      {
        return (command, position)
      }
    }
    return nil
  }
}

extension KeySequence {
  fileprivate static let any = KeySequence(KeyStroke.any)

  /// Whether it is one key, of the keyboard.
  fileprivate var countsAsAny: Bool { prefix.isEmpty && !last.isWheel }
}
