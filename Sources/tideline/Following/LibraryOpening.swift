import Library
import Subscriptions
import System
import TimelineStore
import TimelineUI

/// The library to be shown or printed, opened before the terminal is taken over.
@MainActor struct LibraryOpening {
  /// The posts of a library that are shown.
  enum Selection: String {
    /// All that feeds have brought.
    case everything = "library"
    case saved

    var scope: FeedScope { self == .saved ? .saved : .everything }
  }

  let library: FeedLibrary
  let selection: Selection
  /// Whether nothing is fetched.
  let isOffline: Bool
  let network: Network
  let settings: LibrarySettings

  /// Opens the library if it is asked for or, without any other source, if feeds are followed in
  /// it.
  ///
  /// - Parameter notices: gets one line about why a library that was not asked for cannot be shown.
  /// - Returns: `nil` if another timeline is to be shown.
  /// - Throws: `Failure` if a library that was asked for is missing or cannot be opened.
  init?(
    _ request: ViewRequest, inputIsTerminal: Bool, isPrinted: Bool, noting notices: inout [String]
  ) throws(Failure) {
    let isAsked = request.selection != nil
    guard isAsked || (request.sources.isEmpty && !request.bundled && inputIsTerminal) else {
      return nil
    }
    if isAsked, !isPrinted { try ResourceRequirements.following.check() }
    guard let path = LibraryLocation.path(request.library) else {
      guard isAsked else { return nil }
      throw Failure(LibraryLocation.noPlace)
    }
    do throws(LibraryError) {
      guard try LibraryLocation.exists(path) else {
        if !isAsked { return nil }
        throw LibraryError(.system(code: ENOENT), file: path)
      }
      let isReadOnly = isPrinted || request.display.noState
      settings = LibrarySettings(in: request.display.configuration)
      library = try FeedLibrary(
        path: path, isReadOnly: isReadOnly, keepDays: settings.keepDays)
      if !isAsked, try library.feeds().isEmpty { return nil }
    } catch {
      let failure =
        error.cause == .system(code: ENOENT) ? LibraryLocation.missing(path) : Failure(error)
      guard !isAsked else { throw failure }
      notices.append("\(failure.message); the last timeline is shown")
      return nil
    }
    selection = request.selection ?? .everything
    isOffline = request.isOffline
    network = Network(
      configuredBy: request.display.configuration,
      allowsPrivateAddresses: request.allowsPrivateAddresses)
  }

  /// The key under which places are kept: the path of the file and what is shown of it.
  var placeName: String { "\(selection.rawValue) in \(library.path)" }

  /// The posts for printing.
  func reader(as form: PlainOutput.Form, fitting query: PostQuery?) -> LibraryReader {
    LibraryReader(
      library, scope: selection.scope, timeline: selection.rawValue,
      as: form == .json ? .source : .styled, fitting: query)
  }

  /// The parts of a screen that shows the library, connected with the network and with each other.
  func screen(
    trace: TraceWriter?
  ) -> (library: OpenLibrary, refresher: ScreenRefresher, feeds: FeedCatalog) {
    let fetch = FeedFetch(transport: network.transport())
    let refresher = ScreenRefresher(
      of: library, fetch: fetch, isOffline: isOffline, trace: trace)
    let open = OpenLibrary(library, refresher: refresher.events)
    let feeds = FeedCatalog(of: open, refresher: refresher.events)
    refresher.feeds = { [weak feeds] in feeds?.feeds ?? [] }
    feeds.finder = isOffline ? nil : FeedFinder(transport: network.transport())
    feeds.onFollow = { [weak refresher] in refresher?.fetch($0) }
    feeds.reload()
    return (open, refresher, feeds)
  }
}
