import ArgumentParser
import Feeds
import TimelineStore

/// `tideline [SOURCE ...]`
struct ViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tideline",
    abstract: "Opens any timeline and scrolls it with its pictures, at any length, without a jump.",
    discussion: """
      RSS, Atom, JSON Feed, JSON Lines, \(FeedFormat.networks) and plain text, from files, \
      http(s) URLs or a pipe, are told apart by content. Several sources are merged, newest first; \
      of remote ones that go on in pages, that and printing take the first page. Without \
      a source, standard input is read when it is not a terminal, else the feeds that you follow \
      are shown, else the last timeline is opened, else the bundled one.

      tideline add WHAT follows a feed, a site, an account or a list of feeds; tideline refresh \
      fetches what is due, tideline feeds lists what you follow, tideline remove NAME leaves a feed, \
      tideline export prints the list, or all items, tideline saved opens the posts that you saved.

      tideline demo [NAME] shows how the layout works; tideline demo --list names the demos. \
      tideline cache info tells what pictures are kept on disk, tideline cache clear removes them. \
      Options may stand before these words. A file with such a name is opened as ./demo. A name that the \
      configuration gives sources opens them where no file is called so.

      Exit status: 0 done; 64 wrong usage; 65 not a timeline, or a wrong configuration; 66 missing \
      or not readable; 69 a remote failure; 71 too little memory, stack, files or threads; 74 an \
      output file cannot be written; 130 Ctrl-C.
      """,
    version: "tideline \(Program.version)")

  @Argument(
    help: ArgumentHelp(
      "Files, http(s) URLs, sites (example.org), accounts (@user@host), r/NAME, - for standard input, "
        + "or names from the configuration.",
      valueName: "source"),
    completion: .file())
  var sources: [String] = []

  @Option(
    help: ArgumentHelp(FormatChoice.names.joined(separator: " | "), valueName: "name"),
    completion: .list(FormatChoice.names), transform: FormatChoice.init(argument:))
  var format = FormatChoice.auto

  @Flag(help: "Open the bundled timeline, whatever was open last.")
  var bundled = false

  @Flag(help: "Print the posts as text; so it is when standard output is not a terminal.")
  var plain = false

  @Flag(help: "Print the posts as JSON Feed 1.1 items, one a line.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Only posts that fit: words, \"phrases\", author:, tag:, has:picture, has:link, "
        + "before:2024-05, after:, since:, is:unread, is:read, is:saved, is:new, feed:, -not, or.",
      valueName: "query"))
  var filter: String?

  @Flag(
    help:
      "Let what comes from the network lead to this machine and the networks around it, too.")
  var allowPrivateAddresses = false

  @OptionGroup var questions: ConfigurationQuestions

  @OptionGroup var library: LibraryViewOptions

  @OptionGroup var display: DisplayOptions

  func validate() throws {
    let askedFor = [
      (questions.checkConfig, "--check-config"), (questions.keys, "--keys"),
      (questions.listSources, "--list-sources"), (questions.listThemes, "--list-themes"),
    ]
    if !sources.isEmpty, let (_, name) = askedFor.first(where: \.0) {
      throw ValidationError("\(name) opens nothing and takes no source")
    }
    _ = try PostQuery.named(byFilter: filter)
    if library.options.library != nil, bundled || !sources.isEmpty {
      throw ValidationError("--library opens a library and takes no other source")
    }
    guard bundled, !sources.isEmpty else { return }
    throw ValidationError("--bundled opens the bundled timeline and takes no source")
  }
}

extension PostQuery {
  /// The query that posts have to fit by `--filter`; `nil` for all posts.
  ///
  /// - Throws: `ValidationError`.
  static func named(byFilter argument: String?) throws -> PostQuery? {
    guard let argument else { return nil }
    do {
      return try PostQuery(argument)
    } catch {
      throw ValidationError("--filter: \(error.description)")
    }
  }
}

/// What the viewer prints about the user's configuration, instead of opening a timeline.
struct ConfigurationQuestions: ParsableArguments {
  @Flag(help: "Tell what is wrong with the configuration, one line each, and open nothing.")
  var checkConfig = false

  @Flag(help: "Print the keys as the configuration binds them, and open nothing.")
  var keys = false

  @Flag(help: "Print the names that the configuration gives sources, and open nothing.")
  var listSources = false

  @Flag(help: "Print the names of the themes that the configuration makes, and open nothing.")
  var listThemes = false
}

/// `tideline cache info|clear`
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tideline cache",
    abstract: "The pictures kept on disk: info tells what there is, clear removes it.",
    version: "tideline \(Program.version)")

  /// The operation on the cache.
  enum Action: String, CaseIterable, ExpressibleByArgument { case info, clear }

  @Argument(help: ArgumentHelp(Action.choices, valueName: "action"))
  var action: Action

  @Option(
    help: ArgumentHelp(
      "The folder, instead of tideline in $XDG_CACHE_HOME or ~/.cache.", valueName: "dir"),
    completion: .directory)
  var cacheDir: String?

  func validate() throws { try DisplayOptions.check([("--cache-dir", cacheDir)]) }
}
