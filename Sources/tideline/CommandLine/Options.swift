import ArgumentParser
import Feeds
import System
import Terminal
import TerminalApp
import TextLayout
import TimelineStore

/// The options of both the viewer and the demos.
struct DisplayOptions: ParsableArguments {
  // Each option needs a property with the same default in `DisplayRequest`.
  @Option(help: ArgumentHelp(PictureMode.choices, valueName: "mode"))
  var pictures = PictureMode.auto

  @Option(help: ArgumentHelp(ColorMode.choices, valueName: "mode"))
  var color = ColorMode.auto

  @Option(
    help: ArgumentHelp(
      "\(ThemeChoice.choices): for which background colours are chosen, auto the terminal's; or your own theme.",
      valueName: "name"),
    completion: .shellCommand(CompletionScript.themes))
  var theme: String?

  @Option(
    help: ArgumentHelp("Record frames, fetches and resizes as JSON Lines.", valueName: "file"),
    completion: .file())
  var trace: String?

  @Flag(help: "Show every move in one frame.")
  var noAnimation = false

  @Flag(help: "Fetch every picture again each time it is shown; keep none on disk.")
  var noImageCache = false

  @Flag(
    help: ArgumentHelp(
      "Keep no places, nor which timeline was open last, and look for none. A library is only read: "
        + "no feed is fetched, and marks end with the program."))
  var noState = false

  @Option(
    help: ArgumentHelp(
      "Keep pictures in this folder instead of tideline in $XDG_CACHE_HOME or ~/.cache.",
      valueName: "dir"),
    completion: .directory)
  var cacheDir: String?

  @Option(
    help: ArgumentHelp("Log to this file; nothing is ever logged elsewhere.", valueName: "file"),
    completion: .file())
  var logFile: String?

  @Option(
    help: ArgumentHelp(
      "Read settings from this file instead of tideline/config in $XDG_CONFIG_HOME or ~/.config.",
      valueName: "file"),
    completion: .file())
  var config: String?

  func validate() throws {
    try Self.check([
      ("--trace", trace), ("--cache-dir", cacheDir), ("--log-file", logFile), ("--config", config),
    ])
  }

  /// - Throws: `ValidationError` for an option with an empty path.
  static func check(_ paths: [(option: String, path: String?)]) throws {
    guard let option = paths.first(where: { $0.path?.isEmpty == true })?.option else { return }
    throw ValidationError("\(option): a name is needed, and this one is empty")
  }

  var request: DisplayRequest {
    DisplayRequest(
      pictures: pictures, color: color, theme: theme, trace: trace, noAnimation: noAnimation,
      noImageCache: noImageCache, noState: noState, cacheDir: cacheDir, logFile: logFile,
      config: config)
  }
}

/// The options for showing a timeline or a demo, independent of how the command line is parsed.
struct DisplayRequest {
  var pictures = PictureMode.auto
  var color = ColorMode.auto
  /// The name of a theme; `nil` for the configured one.
  var theme: String?
  var trace: String?
  var noAnimation = false
  var noImageCache = false
  /// Whether the state that is kept between runs is neither read nor written.
  var noState = false
  /// `nil` for the user's own folder.
  var cacheDir: String?
  var logFile: String?
  /// `nil` for the user's own file.
  var config: String?

  /// Checks the configuration file, the theme and the folder for pictures.
  ///
  /// - Throws: `Failure` if the configuration cannot be read, the folder for pictures cannot be
  ///   used, or no theme has the name.
  func check() throws(Failure) {
    if let config, let problem = ConfigurationFile(path: config).readingProblem {
      throw Failure(message: "--config: \(config): \(problem)", status: Program.Status.noInput)
    }
    try checkTheme()
    guard let cacheDir, let problem = PictureCache.problem(of: cacheDir) else { return }
    throw Failure(
      message: "--cache-dir: \(cacheDir): \(problem)", status: Program.Status.ioError)
  }

  private func checkTheme() throws(Failure) {
    guard let theme, ThemeChoice(rawValue: theme) == nil else { return }
    let own = configuration?.themeNames ?? []
    guard !own.contains(theme) else { return }
    let names = (ThemeChoice.allCases.map(\.rawValue) + own).map { "'\($0)'" }
    throw Failure(
      message: "--theme: no theme is called '\(Sanitizer.line(theme))'; there are "
        + names.joined(separator: ", "),
      status: Program.Status.usage)
  }

  /// The configuration file; `nil` if the environment names no folder for it.
  var configuration: ConfigurationFile? {
    config.map { ConfigurationFile(path: $0) }
      ?? ConfigurationFile(of: "tideline", environment: ProcessEnvironment.variables)
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  /// The values of an option, for its help.
  static var choices: String { allCases.map(\.rawValue).joined(separator: " | ") }
}

extension PictureMode: ExpressibleByArgument {
  public init?(argument: String) { self.init(rawValue: argument) }
}

extension ColorMode: ExpressibleByArgument {
  public init?(argument: String) { self.init(rawValue: argument) }
}

/// A format, or recognition by content.
enum FormatChoice: CustomStringConvertible {
  case auto
  case named(FeedFormat)

  /// - Throws: `ValidationError` with the known names.
  init(argument: String) throws {
    if argument == "auto" {
      self = .auto
    } else if let format = FeedFormat(rawValue: argument) {
      self = .named(format)
    } else {
      throw ValidationError("it is one of \(Self.names.joined(separator: ", "))")
    }
  }

  static let names = ["auto"] + FeedFormat.allCases.map(\.rawValue)

  /// The default in the help.
  var description: String { format?.rawValue ?? "auto" }

  var format: FeedFormat? {
    if case .named(let format) = self { format } else { nil }
  }
}
