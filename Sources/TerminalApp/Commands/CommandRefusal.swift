/// The reason in one line why a command is refused.
struct CommandRefusal: Error {
  let reason: String

  /// - Complexity: O(n log n) in the commands.
  @MainActor static func unknownCommand(
    _ name: String, in tables: [CommandTable]
  ) -> CommandRefusal {
    let names = Set(tables.flatMap { $0.commands.map(\.name) }).sorted()
    return CommandRefusal(
      reason: "no command is called \(NearestNames.quoted(name, among: names))")
  }
}

extension CommandOutcome {
  /// `done`, or the refusal that `body` throws.
  static func of(_ body: () throws(CommandRefusal) -> Void) -> CommandOutcome {
    do throws(CommandRefusal) {
      try body()
      return .done
    } catch {
      return .refused(error.reason)
    }
  }
}
