/// The reason in one line why a command is refused.
struct CommandRefusal: Error {
  let reason: String

  /// - Complexity: O(n) in the commands.
  @MainActor static func unknownCommand(
    _ name: String, in tables: [CommandTable]
  ) -> CommandRefusal {
    let names = Set(tables.flatMap { $0.commands.map(\.name) }).sorted()
    return CommandRefusal(
      reason: "no command is called \(NearestNames.quoted(name, among: names))")
  }
}
