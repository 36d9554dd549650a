import FoundationEssentials
import System
import TerminalApp
import TextLayout
import TimelineStore

/// The names that the user's file gives sources, one a line:
/// `source news https://example.org/feed.xml`, with more sources behind it to be merged.
/// `tideline news` opens them.
@MainActor final class SourceNames {
  private var sources: [String: [TimelineSource]] = [:]
  /// Words of the command line that are no names.
  static let reserved = CommandWord.Name.allCases.map(\.rawValue)

  /// No names.
  init() {}

  /// The names in a file. Lines that say no such thing are told when the file is loaded.
  init(in file: ConfigurationFile) {
    for argument in file.arguments(ofCommand: "source") { _ = define(argument) }
  }

  /// All names, in order.
  var names: [String] { sources.keys.sorted() }

  /// What is called `name`; nil where nothing is.
  func sources(called name: String) -> [TimelineSource]? { sources[name] }

  /// Takes what follows `source`: a name, and what it stands for.
  ///
  /// - Returns: why it cannot be, in one line; nil where it is defined.
  func define(_ argument: String) -> String? {
    let words = argument.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count > 1, let name = words.first else {
      return "it takes a name and a source or several: source news https://example.org/feed.xml"
    }
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "-_.+".unicodeScalars.contains($0)
    }
    guard isPlain, name.first != "-", name.first != "." else {
      return "'\(Self.shown(name))' is no name: letters, digits and - _ . + make one"
    }
    guard !Self.reserved.contains(name) else { return "\(name) is a word of the command line" }
    var found: [TimelineSource] = []
    for word in words.dropFirst() {
      switch Self.source(word) {
      case .success(let source): found.append(source)
      case .failure(let refusal): return refusal.reason
      }
    }
    sources[name] = found
    return nil
  }

  private struct Refusal: Error {
    let reason: String
  }

  /// What a word stands for, wherever the program is started.
  private static func source(_ word: String) -> Result<TimelineSource, Refusal> {
    let source = TimelineSource(argument: word)
    switch source {
    case .url(let address):
      // The password of an address is not repeated.
      guard let problem = address.problem else { return .success(source) }
      return .failure(Refusal(reason: "'\(shown(address.url))': \(problem)"))
    case .file(let path) where path.hasPrefix("/"): return .success(source)
    case .file(let path) where path.hasPrefix("~/"):
      guard let home = ProcessEnvironment.variables["HOME"], home.hasPrefix("/") else {
        return .failure(Refusal(reason: "'\(shown(word))': HOME is not set"))
      }
      return .success(.file(home + path.dropFirst()))
    case .file, .standardInput:
      return .failure(
        Refusal(reason: "'\(shown(word))' is neither a URL nor a path from / or ~/ on"))
    }
  }

  private static func shown(_ word: String) -> String {
    TextMetrics.current.truncated(Sanitizer.line(word), toWidth: 60)
  }

  /// Has the application's file of settings hold such lines, and `:` add one to the file.
  func addCommands(to application: TerminalApplication, file: ConfigurationFile?) {
    application.configurationCommands.add(
      [
        Command("source", argument: "NAME SOURCE…", help: "") { names, call in
          names.define(call.argument).map { .refused($0) } ?? .done
        }
      ], of: self)
    application.commands.add(
      [
        Command(
          "source", argument: "NAME SOURCE…",
          help: "keep a name for sources in the settings: tideline NAME opens them"
        ) { [weak application] names, call in
          if let problem = names.keep(call.argument, in: file) { return .refused(problem) }
          let name = call.argument.prefix { !$0.isWhitespace }
          application?.tell("kept: from now on \"tideline \(name)\" opens it")
          return .done
        }
      ], of: self)
  }

  /// Defines a name, and has the user's file hold it.
  ///
  /// - Returns: why it cannot be, in one line; nil where it is kept.
  private func keep(_ argument: String, in file: ConfigurationFile?) -> String? {
    if let problem = define(argument) { return problem }
    guard let file else { return "there is no place for settings: HOME is not set" }
    let words = argument.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    do throws(SystemFailure) {
      try file.append("source \(words)")
      return nil
    } catch {
      return "not kept: \(file.path): \(error.message)"
    }
  }
}
