import Feeds
import TimelineStore

/// The source to open and the options, independent of how the command line is parsed.
struct ViewRequest {
  var sources: [String] = []
  /// Whether to open the bundled timeline even if another one was open last.
  var bundled = false
  /// `nil` to recognize the format by content.
  var format: FeedFormat?
  var plain = false
  var json = false
  /// `nil` for all posts.
  var filter: PostQuery?
  var allowsPrivateAddresses = false
  /// The file of the library, if it is named.
  var library: String?
  /// The posts of the library that are wanted; `nil` for any timeline.
  var selection: LibraryOpening.Selection?
  /// Whether the feeds of a library are not fetched.
  var isOffline = false
  /// A question about the user's configuration file, answered instead of opening a timeline.
  enum Question {
    /// The problems in the file.
    case problems
    /// The key bindings.
    case keys
    /// The names of sources.
    case names
    /// The names of the user's themes.
    case themes

    init?(_ flags: ConfigurationQuestions) {
      if flags.checkConfig {
        self = .problems
      } else if flags.keys {
        self = .keys
      } else if flags.listSources {
        self = .names
      } else if flags.listThemes {
        self = .themes
      } else {
        return nil
      }
    }
  }

  var question: Question?
  var display = DisplayRequest()

  /// The last timeline, with the usual options.
  init() {}

  /// Usual arguments are read without the parser (``ExactArguments``): building its table of
  /// options takes 1.6 ms, a fifth of the time before the first frame.
  ///
  /// - Throws: the parser's errors.
  init(arguments: [String]) throws {
    if let exact = ExactArguments(arguments) {
      self = exact.request
    } else {
      let parsed = try ViewCommand.parse(arguments)
      sources = parsed.sources
      bundled = parsed.bundled
      format = parsed.format.format
      plain = parsed.plain
      json = parsed.json
      filter = try PostQuery.named(byFilter: parsed.filter)
      allowsPrivateAddresses = parsed.allowPrivateAddresses
      library = parsed.library.options.library
      selection = library == nil ? nil : .everything
      isOffline = parsed.library.offline
      question = Question(parsed.questions)
      display = parsed.display.request
    }
  }

  /// The request of `tideline saved`.
  ///
  /// - Throws: `ValidationError`.
  init(_ command: SavedCommand) throws {
    plain = command.plain
    json = command.json
    filter = try PostQuery.named(byFilter: command.filter)
    library = command.library.options.library
    selection = .saved
    isOffline = command.library.offline
    display = command.display.request
  }
}
