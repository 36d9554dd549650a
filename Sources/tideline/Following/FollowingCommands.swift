import ArgumentParser
import TimelineStore

/// The library that a command uses.
struct LibraryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use the library in this file instead of $TIDELINE_LIBRARY, or of tideline/library.db in "
        + "$XDG_DATA_HOME or ~/.local/share.", valueName: "file"),
    completion: .file())
  var library: String?

  func validate() throws { try DisplayOptions.check([("--library", library)]) }
}

/// The library that is shown.
struct LibraryViewOptions: ParsableArguments {
  @OptionGroup var options: LibraryOptions

  @Flag(help: "Show the library without fetching its feeds.")
  var offline = false
}

/// `tideline add WHAT...`
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tideline add",
    abstract: "Follows feeds.",
    discussion: """
      A feed is named by its address or by that of its site, as @user@host (Mastodon), by a handle \
      or profile of Bluesky, as r/NAME, by a channel, playlist or handle page of YouTube, by a page \
      of GitHub, or by a list of feeds (OPML), in a file or at an address: all of its feeds are \
      followed then. A site without a scheme is asked by https. If a site names several feeds, \
      choose one; without a terminal they are listed, with exit status 65.
      """,
    version: "tideline \(Program.version)")

  @Argument(
    help: ArgumentHelp("Addresses, sites, accounts or lists of feeds.", valueName: "what"),
    completion: .file(extensions: ["opml", "xml"]))
  var what: [String]

  @OptionGroup var options: LibraryOptions
}

/// `tideline remove WHAT...`
struct RemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tideline remove",
    abstract: "Leaves feeds. Their items stay until they are old.",
    version: "tideline \(Program.version)")

  @Argument(help: ArgumentHelp("Names or addresses of feeds that you follow.", valueName: "what"))
  var what: [String]

  @Flag(help: "Delete their items, too, also the saved ones.")
  var purge = false

  @OptionGroup var options: LibraryOptions
}

/// `tideline feeds`
struct FeedsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tideline feeds",
    abstract:
      "Lists the feeds that you follow: name, address, unread items, last success, last error.",
    version: "tideline \(Program.version)")

  @Flag(help: "Print a JSON object for each feed, one a line.")
  var json = false

  @OptionGroup var options: LibraryOptions
}

/// `tideline refresh [WHAT...]`
struct RefreshCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tideline refresh",
    abstract: "Fetches the feeds that are due, and prints a line for each that failed.",
    discussion: """
      Without a name, a feed is asked no sooner than it, its server and its last answers allow. \
      Exit status 69 if all feeds failed.
      """,
    version: "tideline \(Program.version)")

  @Argument(
    help: ArgumentHelp(
      "Names or addresses of feeds to be fetched now, due or not.", valueName: "what"))
  var what: [String] = []

  @Flag(help: "Fetch all feeds, due or not.")
  var all = false

  @OptionGroup var options: LibraryOptions

  func validate() throws {
    if all, !what.isEmpty { throw ValidationError("--all fetches every feed and takes no name") }
  }
}

/// `tideline export`
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tideline export",
    abstract: "Prints the feeds that you follow as a list (OPML), which tideline add reads.",
    version: "tideline \(Program.version)")

  @Flag(help: "Print all items instead, as JSON Feed 1.1 items, one a line, newest first.")
  var json = false

  @OptionGroup var options: LibraryOptions
}

/// `tideline saved`
struct SavedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tideline saved",
    abstract: "Opens the posts that you saved.",
    usage: "tideline saved [<options>]",
    version: "tideline \(Program.version)")

  @Flag(help: "Print the posts as text; so it is when standard output is not a terminal.")
  var plain = false

  @Flag(help: "Print the posts as JSON Feed 1.1 items, one a line.")
  var json = false

  @Option(help: ArgumentHelp("Only posts that fit, as for tideline.", valueName: "query"))
  var filter: String?

  @OptionGroup var library: LibraryViewOptions
  @OptionGroup var display: DisplayOptions

  func validate() throws { _ = try PostQuery.named(byFilter: filter) }
}
