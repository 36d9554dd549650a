import ArgumentParser
import TerminalApp

/// An unknown option and the nearest known ones. The parser's own suggestion leaves out `--version`
/// and `--help` and ignores the length of names, so that any short option suggests any other.
struct MistypedOption {
  /// The option as typed: `--verson`.
  let name: String
  /// The nearest known options; empty if none is near.
  let nearest: [String]

  /// `nil` if `message`, from the parser of `command`, is about another mistake.
  init?(in message: String, of command: any ParsableCommand.Type) {
    let beginning = "Unknown option '"
    guard message.hasPrefix(beginning) else { return nil }
    self.init(String(message.dropFirst(beginning.count).prefix { $0 != "'" }), of: command)
  }

  /// The first option among `arguments` that `command` does not have: the parser reports some other
  /// mistakes before it. `nil` if there is none.
  init?(among arguments: [String], of command: any ParsableCommand.Type) {
    var known: Set = ["-h", "-", "--generate-completion-script"]
    known.formUnion(Self.names(of: command).map { "--" + $0 })
    var unknown: String?
    var isValue = false
    for argument in arguments.prefix(while: { $0 != "--" }) where unknown == nil {
      let option = String(argument.prefix { $0 != "=" })
      if !isValue, option.hasPrefix("-"), !known.contains(option) { unknown = option }
      isValue = CommandWord.withValues.contains(argument)
    }
    guard let unknown else { return nil }
    self.init(unknown, of: command)
  }

  private init?(_ name: String, of command: any ParsableCommand.Type) {
    self.name = name
    let word = name.drop { $0 == "-" }.lowercased()
    guard !word.isEmpty else { return nil }
    nearest = NearestNames.of(word, among: Self.names(of: command), floor: word.count > 2 ? 2 : 1)
      .map { "--" + $0 }
  }

  /// The long options that the help lists, without their leading hyphens.
  private static func names(of command: any ParsableCommand.Type) -> [String] {
    command.helpMessage().split(separator: "\n").flatMap { line in
      let words = line.drop { $0 == " " }
      guard words.hasPrefix("-"), let options = words.split(separator: "  ").first else {
        return [String]()
      }
      return options.split { $0 == " " || $0 == "," }.filter { $0.hasPrefix("--") }
        .map { String($0.dropFirst(2)) }
    }
  }

  /// The error message in one line.
  var message: String {
    let quoted = nearest.map { "'\($0)'" }
    guard let last = quoted.last else { return "Unknown option '\(name)'" }
    let all = quoted.count > 1 ? quoted.dropLast().joined(separator: ", ") + " or " + last : last
    return "Unknown option '\(name)'. Did you mean \(all)?"
  }
}
