import Feeds
import Subscriptions
import System
import TerminalApp
import TextLayout
import TimelineStore

/// Finds the sources that arguments name by a site, an account or a page.
///
/// 1. A file and a name in the configuration win.
/// 2. A URL is asked as a feed first. Only if it is a page, or belongs to a site whose feeds have
///    other addresses, its feed is looked for.
@MainActor struct SourceFinding {
  let network: Network
  /// How a choice is shown, and the user's names of sources.
  let display: DisplayRequest

  private var configuration: ConfigurationFile? { display.configuration }

  private var finder: FeedFinder { FeedFinder(transport: network.transport()) }

  /// A source that was found.
  struct Found {
    let argument: String
    /// What was found, in one line; `nil` if the argument names the source itself.
    var notice: String?
  }

  /// Endings of names that are files even if none is there, unless a host or folder precedes them.
  private static let fileEndings: Set<String> = [
    "atom", "bz2", "conf", "csv", "gz", "htm", "html", "json", "jsonl", "log", "md", "ndjson",
    "opml", "rdf", "rss", "tar", "tgz", "txt", "xml", "xz", "zip", "zst",
  ]

  /// The sources that arguments name, in their order.
  ///
  /// - Throws: `FeedFindingError` if an argument that is no file leads to no feed; `Failure` or
  ///   `FeedChoice.Left` if none is chosen of several.
  func sources(_ arguments: [String]) async throws -> [Found] {
    var found: [Found] = []
    for argument in arguments { found.append(try await source(argument)) }
    return found
  }

  private func source(_ argument: String) async throws -> Found {
    switch TimelineSource(argument: argument) {
    case .standardInput: return Found(argument: argument)
    case .url(let address):
      guard FeedFinder.leadsElsewhere(address.url) else { return Found(argument: argument) }
    case .file(let path):
      guard access(path, F_OK) != 0, Self.mayBeSite(path), !isConfigured(path) else {
        return Found(argument: argument)
      }
    }
    return try await find(argument)
  }

  private func isConfigured(_ name: String) -> Bool {
    SourceNames(in: configuration).sources(called: name) != nil
  }

  /// Whether the name of a missing file has the form of a site, an account or a community.
  private static func mayBeSite(_ name: String) -> Bool {
    guard let kind = FeedName(name) else { return false }
    guard case .address = kind, !name.contains(where: { "/:?".contains($0) }) else { return true }
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return !fileEndings.contains(ending) && ending.count > 1 && ending.contains(where: \.isLetter)
  }

  /// The feed that an argument names.
  private func find(_ argument: String) async throws -> Found {
    try await source(of: finder.find(argument), named: argument)
  }

  /// The feed of a page that is no feed itself.
  ///
  /// - Returns: `nil` if the page leads to none.
  /// - Throws: `FeedFindingError` if it cannot be asked; `Failure` or `FeedChoice.Left` if none is
  ///   chosen of several.
  func feed(ofPage address: String) async throws -> Found? {
    let finding: FeedFinding
    do throws(FeedFindingError) { finding = try await finder.find(address) } catch {
      if case .nothing = error.reason { return nil }
      throw error
    }
    let found = try await source(of: finding, named: address)
    return found.argument == address ? nil : found
  }

  /// The feed that a page in a file names by its whole address.
  ///
  /// - Returns: `nil` if the page leads to none.
  /// - Throws: `FeedFindingError` if the chosen one cannot be read; `Failure` or `FeedChoice.Left`
  ///   if none is chosen of several.
  func feed(ofPageInFile path: String) async throws -> Found? {
    guard let bytes = try? FileBytes(path: path).read(0..<FeedFinder.readBytes),
      let finding = await finder.find(inPage: bytes, name: path)
    else { return nil }
    return try await source(of: finding, named: path)
  }

  private func source(
    of finding: FeedFinding, named argument: String
  ) async throws -> Found {
    switch finding {
    case .feed(let feed): return Self.found(feed, for: argument)
    case .list(let feeds, _, _): return Found(argument: feeds.first?.namedBy ?? argument)
    case .choice(let feeds):
      let choice = FeedChoice(display: display, finder: finder, advice: "tideline ADDRESS")
      return Self.found(try await choice.chosen(of: feeds, named: argument), for: argument)
    }
  }

  private static func found(_ feed: FoundFeed, for argument: String) -> Found {
    guard feed.address != argument else { return Found(argument: argument) }
    let origin = feed.namedBy.map { ", named by \($0)" } ?? ""
    return Found(
      argument: feed.address, notice: Sanitizer.line("reading \(feed.address)\(origin)"))
  }
}
