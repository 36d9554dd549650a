import Terminal

/// Turns keys into calls of commands: a state machine that remembers a count (`5j`, `12G`, `50%`) and
/// the first keys of a sequence (`zt`).
///
/// Tables are asked in the order of the responder chain. The first that knows the keys counts. Where the
/// user has bound them, the first that has a command of that name does; where none has, as on a page of
/// another kind, the keys are what they were.
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

  /// The call that `stroke` completes; nil where it completes none.
  ///
  /// - Complexity: O(tables).
  @MainActor mutating func read(_ stroke: KeyStroke, in tables: [CommandTable]) -> CommandCall? {
    if stroke.isWheel { reset() }
    if let digit = stroke.digit, let count, prefix.isEmpty {
      self.count = min(count * 10 + digit, Self.maximumCount)
      return nil
    }
    let typed = prefix + [stroke]
    if bindings.goesOn(after: typed), bindings.binding(for: stroke, after: prefix) == nil {
      prefix = typed
      return nil
    }
    if var call = call(forBound: stroke, in: tables) ?? call(for: stroke, in: tables) {
      call.count = stroke.isWheel ? Self.linesPerWheelStep : count
      reset()
      return call
    }
    if tables.contains(where: { $0.goesOn(after: typed) }) {
      prefix = typed
    } else if let digit = stroke.digit, digit > 0, prefix.isEmpty {
      count = digit
    } else {
      reset()
    }
    return nil
  }

  /// What the user has bound the keys to that `stroke` completes; none where no table has that.
  @MainActor private func call(
    forBound stroke: KeyStroke, in tables: [CommandTable]
  ) -> CommandCall? {
    guard let binding = bindings.binding(for: stroke, after: prefix) else { return nil }
    for position in tables.indices {
      if case .command(let name) = binding, let command = tables[position].command(named: name) {
        return CommandCall(command: command, position: position)
      }
      if prefix.isEmpty, !stroke.isWheel, let command = tables[position].command(for: [.any]) {
        return CommandCall(command: command, strokes: [stroke], position: position)
      }
    }
    return nil
  }

  /// What the tables have the keys ask for that `stroke` completes.
  @MainActor private func call(for stroke: KeyStroke, in tables: [CommandTable]) -> CommandCall? {
    guard bindings.binding(for: stroke, after: prefix) != KeyBindings.Binding.nothing,
      let (command, position) = Self.command(for: stroke, after: prefix, in: tables[...])
    else { return nil }
    return CommandCall(command: command, strokes: prefix + [stroke], position: position)
  }

  /// What the tables after the one whose command passed `call` on make of its keys or its name.
  @MainActor static func next(after call: CommandCall, in tables: [CommandTable]) -> CommandCall? {
    guard call.position < tables.count else { return nil }
    let others = tables[(call.position + 1)...]
    let found =
      if let strokes = call.strokes {
        strokes.last.flatMap { command(for: $0, after: strokes.dropLast(), in: others) }
      } else {
        command(named: call.name, in: others)
      }
    guard let (command, position) = found else { return nil }
    return CommandCall(
      command: command, count: call.count, argument: call.argument, isAlone: call.isAlone,
      strokes: call.strokes, position: position)
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
    for stroke: KeyStroke, after prefix: [KeyStroke], in tables: ArraySlice<CommandTable>
  ) -> (TableCommand, Int)? {
    // As it was typed, without modifiers that few terminals tell, and as any key.
    var typed = [prefix + [stroke], prefix + [stroke.plain]]
    if prefix.isEmpty, !stroke.isWheel { typed.append([.any]) }
    for position in tables.indices {
      for strokes in typed {
        if let command = tables[position].command(for: strokes) { return (command, position) }
      }
    }
    return nil
  }
}
