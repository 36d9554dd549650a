import ArgumentParser

/// A command under a name without spaces, for its completion script: shells cannot complete a
/// command whose name has two words.
struct CommandCompletion<Command: ParsableCommand>: ParsableCommand {
  static var configuration: CommandConfiguration {
    let name = Command.configuration.commandName ?? ""
    return CommandConfiguration(commandName: name.replacing(" ", with: "_"))
  }

  @OptionGroup var command: Command
}

extension CommandWord.Name {
  /// The command that parses the arguments.
  var type: any ParsableCommand.Type {
    switch self {
    case .demo: DemoCommand.self
    case .cache: CacheCommand.self
    case .add: AddCommand.self
    case .remove: RemoveCommand.self
    case .feeds: FeedsCommand.self
    case .refresh: RefreshCommand.self
    case .export: ExportCommand.self
    case .saved: SavedCommand.self
    }
  }

  /// The command for which its completion script is generated.
  var completion: any ParsableCommand.Type { type.completion }
}

extension ParsableCommand {
  fileprivate static var completion: any ParsableCommand.Type { CommandCompletion<Self>.self }
}
