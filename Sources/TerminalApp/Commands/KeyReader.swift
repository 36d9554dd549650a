import Terminal

/// Turns keys into calls of commands: a state machine that remembers a count (`5j`, `12G`, `50%`) and
/// the first keys of a sequence (`zt`).
///
/// Tables are asked in the order of the responder chain. The first that knows the keys counts.
struct KeyReader {
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
    if let (command, position) = Self.command(for: stroke, after: prefix, in: tables[...]) {
      defer { reset() }
      return CommandCall(
        command: command, count: stroke.isWheel ? Self.linesPerWheelStep : count,
        strokes: prefix + [stroke], position: position)
    }
    let typed = prefix + [stroke]
    if tables.contains(where: { $0.goesOn(after: typed) }) {
      prefix = typed
    } else if let digit = stroke.digit, digit > 0, prefix.isEmpty {
      count = digit
    } else {
      reset()
    }
    return nil
  }

  /// What the tables after the one whose command passed `call` on make of its keys.
  @MainActor static func next(after call: CommandCall, in tables: [CommandTable]) -> CommandCall? {
    guard let stroke = call.strokes.last, call.position < tables.count,
      let (command, position) = command(
        for: stroke, after: call.strokes.dropLast(), in: tables[(call.position + 1)...])
    else { return nil }
    return CommandCall(
      command: command, count: call.count, isAlone: call.isAlone, strokes: call.strokes,
      position: position)
  }

  @MainActor private static func command(
    for stroke: KeyStroke, after prefix: [KeyStroke], in tables: ArraySlice<CommandTable>
  ) -> (TableCommand, Int)? {
    for position in tables.indices {
      if let command = tables[position].command(for: stroke, after: prefix) {
        return (command, position)
      }
    }
    return nil
  }
}
