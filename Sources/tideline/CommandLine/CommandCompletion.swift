import ArgumentParser

/// The arguments after a command's word, for completion scripts: shells do not complete names of
/// two words.
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

  /// The command of its completion script.
  var completion: any ParsableCommand.Type {
    switch self {
    case .demo: CommandCompletion<DemoCommand>.self
    case .cache: CommandCompletion<CacheCommand>.self
    case .add: CommandCompletion<AddCommand>.self
    case .remove: CommandCompletion<RemoveCommand>.self
    case .feeds: CommandCompletion<FeedsCommand>.self
    case .refresh: CommandCompletion<RefreshCommand>.self
    case .export: CommandCompletion<ExportCommand>.self
    case .saved: CommandCompletion<SavedCommand>.self
    }
  }
}
