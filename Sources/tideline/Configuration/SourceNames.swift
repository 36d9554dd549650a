import FoundationEssentials
import System
import TerminalApp
import TextLayout
import TimelineStore

/// The names of sources in the user's configuration file, one a line:
/// `source news https://example.org/feed.xml`. If several sources follow, they are merged.
/// `tideline news` opens them.
@MainActor final class SourceNames {
  private var sources: [String: [TimelineSource]] = [:]
  /// Words of the command line that cannot be names.
  static let reserved = CommandWord.Name.allCases.map(\.rawValue)

  /// The names in a file. Invalid lines are skipped; they are reported when the file is loaded.
  init(in file: ConfigurationFile? = nil) {
    for argument in file?.arguments(ofCommand: "source") ?? [] { _ = define(argument) }
  }

  /// All names, sorted.
  var names: [String] { sources.keys.sorted() }

  /// The sources with the name `name`, if any.
  func sources(called name: String) -> [TimelineSource]? { sources[name] }

  /// Defines a name from the arguments of `source`: the name and its sources.
  ///
  /// - Returns: the problem in one line; `nil` if the name is defined.
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
      return "'\(Self.shown(name))' is not a valid name: use letters, digits and - _ . +"
    }
    guard !Self.reserved.contains(name) else { return "\(name) is a word of the command line" }
    var found: [TimelineSource] = []
    do throws(Refusal) {
      for word in words.dropFirst() { found.append(try Self.source(word)) }
    } catch {
      return error.reason
    }
    sources[name] = found
    return nil
  }

  private struct Refusal: Error {
    let reason: String
  }

  /// The source that a word names, independent of the current folder.
  private static func source(_ word: String) throws(Refusal) -> TimelineSource {
    let source = TimelineSource(argument: word)
    switch source {
    case .url(let address):
      // The password in an address is not shown.
      guard let problem = address.problem else { return source }
      throw Refusal(reason: "'\(shown(address.url))': \(problem)")
    case .file(let path) where path.hasPrefix("/"): return source
    case .file(let path) where path.hasPrefix("~/"):
      guard let home = ProcessEnvironment.variables["HOME"], home.hasPrefix("/") else {
        throw Refusal(reason: "'\(shown(word))': HOME is not set")
      }
      return .file(home + path.dropFirst())
    case .file, .standardInput:
      throw Refusal(reason: "'\(shown(word))' is neither a URL nor a path from / or ~/ on")
    }
  }

  private static func shown(_ word: String) -> String {
    TextMetrics.current.truncated(Sanitizer.line(word), toWidth: 60)
  }

  /// Adds the command `source` for the configuration file, and one for `:` that adds a line to it.
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
      ], of: self, below: .settings)
  }

  /// Defines a name and adds it to the configuration file.
  ///
  /// - Returns: the problem in one line; `nil` if the name was added.
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
