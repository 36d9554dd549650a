import Terminal

/// Reads calls of commands from keys: a state machine that remembers a count (`5j`, `12G`, `50%`)
/// and the first keys of a sequence (`zt`).
///
/// Tables are searched in the order of the responder chain. The first one that binds the keys
/// counts. For keys that the user has bound, it is the first with a command of that name; if none
/// has one, as on a page of another kind, the keys keep their default meaning.
struct KeyReader {
  /// The user's bindings.
  var bindings = KeyBindings()
  /// The number typed so far; `nil` if there is none.
  private(set) var count: Int?
  private var prefix: [KeyStroke] = []

  /// The largest count; it keeps arithmetic on counts from overflowing.
  static let maximumCount = 999_999_999
  static let linesPerWheelStep = 3

  /// The keys typed and not yet carried out, for display: `"12"`, `"z"`.
  var pending: String { (count.map(String.init) ?? "") + prefix.map(\.label).joined() }

  /// Drops the keys typed so far.
  mutating func reset() {
    count = nil
    prefix = []
  }

  /// The effect of a stroke.
  enum Answer {
    case call(CommandCall)
    /// The stroke is part of an unfinished sequence or count, or it is Esc and has dropped one.
    case pending
    /// No command is bound to these keys.
    case unbound(KeySequence)
  }

  /// The call that `stroke` completes, if any.
  ///
  /// - Complexity: O(bindings) of the user and of all tables.
  @MainActor mutating func read(_ stroke: KeyStroke, in tables: [CommandTable]) -> CommandCall? {
    if case .call(let call) = answer(to: stroke, in: tables) { call } else { nil }
  }

  /// The effect of `stroke`.
  ///
  /// - Complexity: O(bindings) of the user and of all tables.
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
    let dropsKeys = stroke == KeyStroke(.escape) && !pending.isEmpty
    reset()
    return dropsKeys ? .pending : .unbound(typed)
  }

  /// The call of the command that the user has bound `keys` to; `nil` if no table has it.
  @MainActor private func call(
    forBound keys: KeySequence, in tables: [CommandTable]
  ) -> CommandCall? {
    guard let binding = bindings.binding(for: keys) else { return nil }
    for position in tables.indices {
      if case .command(let name, let argument) = binding,
        let command = tables[position].command(named: name)
      {
        return CommandCall(command: command, argument: argument, position: position)
      }
      if keys.matchesAnyKey, let command = tables[position].command(for: .any) {
        return CommandCall(command: command, keys: keys, position: position)
      }
    }
    return nil
  }

  /// The call of the command that the tables bind `keys` to.
  @MainActor private func call(for keys: KeySequence, in tables: [CommandTable]) -> CommandCall? {
    guard bindings.binding(for: keys) != KeyBindings.Binding.nothing,
      let (command, position) = Self.command(for: keys, in: tables[...])
    else { return nil }
    return CommandCall(command: command, keys: keys, position: position)
  }

  /// The call that follows after `call` was passed on: the same keys or name in the later tables.
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

  /// The first command called `name`, and the index of its table.
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
      // As typed, then without modifiers that few terminals report, then as any key.
      if let command = table.command(for: keys)
        ?? (plain == keys ? nil : table.command(for: plain))
        ?? (keys.matchesAnyKey ? table.command(for: .any) : nil)
      {
        return (command, position)
      }
    }
    return nil
  }
}

extension KeySequence {
  fileprivate static let any = KeySequence(KeyStroke.any)

  /// Whether this is a single key of the keyboard, which `any` stands for.
  fileprivate var matchesAnyKey: Bool { prefix.isEmpty && !last.isWheel }
}
