import TerminalSession

/// Letters that are typed into the prompt of the program while it does other work.
enum PromptKeys {
  /// Letters that nothing else on the screen has.
  private static let letters = "αβγδεζηθικλμνξοπρστυφχψω".map(String.init)

  /// Seconds from each key to its letter, for as long as `isWorking` says so.
  static func latencies(
    in session: Session, within limit: Duration, while isWorking: () -> Bool
  ) throws(BenchmarkError) -> [Double] {
    var keys: [Double] = []
    try session.type(":")
    try session.rest(.milliseconds(20))
    let end = ContinuousClock.now + limit
    while isWorking(), ContinuousClock.now < end {
      try Interruption.check()
      let letter = letters[keys.count % letters.count]
      let typed = ContinuousClock.now
      try session.type(letter)
      let drawn = try session.show([letter], named: "a letter", within: limit)
      keys.append((drawn - typed) / .seconds(1))
      try session.type("\u{7F}")
      try session.rest(.milliseconds(15))
    }
    try session.type("\u{1B}")
    return keys
  }
}
