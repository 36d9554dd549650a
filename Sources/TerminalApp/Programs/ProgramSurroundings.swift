/// What the parts of an application that start programs share.
@MainActor struct ProgramSurroundings {
  /// The variables that name the browser and the display.
  let environment: [String: String]
  let starter: ProgramStarter
  /// Runs a closure after a delay.
  let after: (Duration, @escaping @MainActor () -> Void) -> Void
  /// Shows a message in the status line.
  let tell: (String, StatusMessages.Kind) -> Void
}
