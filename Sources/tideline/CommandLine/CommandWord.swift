import TerminalApp
import TimelineStore

/// A word of the command line that selects a command other than the viewer.
struct CommandWord {
  enum Name: String, CaseIterable { case demo, cache, add, remove, feeds, refresh, export, saved }

  let name: Name
  /// The arguments before and after the word: options of the viewer may stand before it only if the
  /// command has them, too.
  let arguments: [String]

  /// Options whose value is the next argument: `--trace demo` names a file.
  static let withValues: Set = [
    "--cache-dir", "--color", "--config", "--filter", "--format", "--from",
    "--generate-completion-script", "--library", "--log-file", "--pictures", "--rows", "--seed",
    "--theme",
    "--trace", "--width",
  ]

  /// `nil` if the first argument that is not an option is not such a word.
  init?(in arguments: [String]) {
    var index = arguments.startIndex
    while index < arguments.endIndex, arguments[index].hasPrefix("-"), arguments[index] != "-" {
      // After `--` there are only sources.
      if arguments[index] == "--" { return nil }
      index += Self.withValues.contains(arguments[index]) ? 2 : 1
    }
    guard index < arguments.endIndex, let name = Name(rawValue: arguments[index]) else {
      return nil
    }
    self.name = name
    self.arguments = Array(arguments[..<index] + arguments[(index + 1)...])
  }

  /// The command that was meant if `error` is about a missing file with a similar name, as one
  /// clause.
  static func hint(for error: SourceError) -> String? {
    guard case .missing = error.reason, case let word = error.source.name.lowercased(),
      word.count > 2,
      word.allSatisfy(\.isLetter)
    else { return nil }
    let names = Name.allCases.map(\.rawValue)
    return NearestNames.of(word, among: names).first.map { "did you mean the command '\($0)'?" }
  }
}
