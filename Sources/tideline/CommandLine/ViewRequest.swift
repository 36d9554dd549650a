import Feeds
import System
import Terminal
import TerminalApp
import TimelineStore

/// What is to be opened and how, whoever read it off the command line.
struct ViewRequest {
  var sources: [String] = []
  /// The bundled timeline, whatever was open last.
  var bundled = false
  /// Nil: told by content.
  var format: FeedFormat?
  var plain = false
  var json = false
  /// Nil: all posts.
  var filter: PostQuery?
  var allowsPrivateAddresses = false
  /// What is to be told of the user's file, instead of opening anything; nil for nothing.
  enum Question {
    /// What is wrong with it.
    case problems
    /// How keys are bound.
    case keys
    /// What it calls sources.
    case names
  }

  var question: Question?
  var display = DisplayRequest()

  /// Sources alone, the usual case, are taken as they are: making up the parser's table of options
  /// takes 5 ms, a quarter of what starts before the first frame.
  ///
  /// - Throws: what the parser throws.
  init(arguments: [String]) throws {
    if arguments.allSatisfy({ !$0.hasPrefix("-") || $0 == "-" }) {
      sources = arguments
    } else {
      let parsed = try ViewCommand.parse(arguments)
      sources = parsed.sources
      bundled = parsed.bundled
      format = parsed.format.format
      plain = parsed.plain
      json = parsed.json
      filter = try parsed.query()
      allowsPrivateAddresses = parsed.allowPrivateAddresses
      question =
        parsed.checkConfig ? .problems : parsed.keys ? .keys : parsed.listSources ? .names : nil
      display = parsed.display.request
    }
  }
}

/// How it is shown, in the viewer and in the demos.
struct DisplayRequest {
  var pictures = PictureMode.auto
  var color = ColorMode.auto
  /// Nil: what the configuration says.
  var theme: ThemeChoice?
  var trace: String?
  var noAnimation = false
  var noImageCache = false
  /// Neither reads nor writes what is kept between runs.
  var noState = false
  /// Nil: the user's own.
  var cacheDir: String?
  var logFile: String?
  /// Nil: the user's own.
  var config: String?

  /// Checks the files and folders that options name and that are there to be used.
  ///
  /// - Throws: `Failure` for settings that cannot be read, and for a folder of pictures that cannot
  ///   be one.
  func check() throws(Failure) {
    if let config, let problem = ConfigurationFile(path: config).readingProblem {
      throw Failure(message: "--config: \(config): \(problem)", status: Program.Status.noInput)
    }
    guard let cacheDir, let problem = PictureCache.problem(of: cacheDir) else { return }
    throw Failure(
      message: "--cache-dir: \(cacheDir): \(problem)", status: Program.Status.cannotCreate)
  }

  /// The file of settings; nil where nobody has one.
  var configuration: ConfigurationFile? {
    config.map { ConfigurationFile(path: $0) }
      ?? ConfigurationFile(of: "tideline", environment: ProcessEnvironment.variables)
  }
}
