import TerminalSession

/// One thing that is done to a program over and over, with what is done around it and not measured.
struct Operation {
  enum Input {
    case keys(String)
    /// Written at once, so many times.
    case burst(String, count: Int)
    case size(TerminalSize)
  }

  let name: String
  /// Times a session.
  let count: Int
  let input: Input
  /// Typed before each, and after.
  var before = ""
  var after = ""
  /// Sets the size back.
  var resizesBack = false

  /// What is done once in each session, before all others.
  static let firstKey = "the first key (G)"

  /// The same, without what is done around it.
  var alone: Operation { Operation(name: name, count: 1, input: input) }

  /// All that are done to `program`, from the top of the list on. `share` is the part of their
  /// number that is done.
  static func all(for program: Program, share: Double) -> [Operation] {
    let keys = program.keys
    func times(_ count: Int) -> Int { max(1, Int(Double(count) * share)) }
    var operations = [
      Operation(name: "one line down", count: times(60), input: .keys(keys.lineDown)),
      Operation(name: "page down", count: times(40), input: .keys(keys.pageDown)),
      Operation(name: "to the end (G)", count: times(34), input: .keys(keys.end), after: keys.top),
      Operation(name: "to the top (g)", count: times(34), input: .keys(keys.top), before: keys.end),
    ]
    if let middle = keys.middle {
      operations.append(
        Operation(
          name: "to the middle", count: times(34), input: .keys(middle),
          after: keys.release + keys.top))
    }
    operations += [
      Operation(
        name: "resize to 120x40", count: times(6),
        input: .size(TerminalSize(columns: 120, rows: 40)), resizesBack: true),
      Operation(
        name: "2,000 lines at once", count: times(2), input: .burst(keys.lineDown, count: 2_000),
        after: keys.top),
      Operation(
        name: "2,000 posts (j) at once", count: times(2),
        input: .burst(keys.nextPost, count: 2_000), after: keys.top),
    ]
    return operations
  }
}

extension Session {
  /// So long a reader looks at what has opened before the first key; programs begin within that time
  /// to do what can wait.
  private static let look = Duration.milliseconds(600)

  /// Waits as long as a reader looks at what has opened, and goes to the end.
  func pressFirst(_ keys: Program.Keys, within limit: Duration) throws(BenchmarkError) -> Answer? {
    try becomeCalm(for: Self.look, within: limit)
    return try press(keys.end, within: limit)
  }

  /// Does it once; nil where the program did not answer.
  func perform(_ operation: Operation, within limit: Duration) throws(BenchmarkError) -> Answer? {
    if !operation.before.isEmpty { _ = try press(operation.before, within: limit) }
    let answer =
      switch operation.input {
      case .keys(let keys): try press(keys, within: limit)
      case .burst(let keys, let count):
        try burst(String(repeating: keys, count: count), within: limit)
      case .size(let size): try resize(to: size, within: limit)
      }
    if !operation.after.isEmpty { _ = try press(operation.after, within: limit) }
    if operation.resizesBack { _ = try resize(to: TerminalSize(), within: limit) }
    return answer
  }
}
