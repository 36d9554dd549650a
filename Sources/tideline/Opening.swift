import Demos
import Feeds
import HTTP
import System
import TerminalApp
import TextLayout
import TimelineStore
import TimelineUI

/// The timeline to open, determined from the arguments before anything is shown.
///
/// Files are opened immediately, so that a missing one is reported before the terminal is taken
/// over.
@MainActor struct Opening {
  private enum Kind {
    /// `missing`: sources of the last timeline that no longer exist.
    case sources([MergedSource], missing: [SourceError])
    case bundled
  }

  private let kind: Kind
  /// Whether this is the last timeline, opened again; if it fails, the bundled timeline is shown.
  let isRemembered: Bool
  /// Why the bundled timeline replaces the last one.
  let replacementReason: SourceError?
  /// The name in the status line.
  let name: String
  var isBundled: Bool { if case .bundled = kind { true } else { false } }
  /// The sources to remember as the last timeline; `nil` if they cannot be opened again.
  let restorableSources: [TimelineSource]?
  /// The identities of the files that are read.
  let inputs: [FileIdentity]
  /// The network access for the timeline and its pictures.
  let network: Network
  /// The pictures in archives; `nil` if no pictures are shown.
  let pictures: ArchivePictures?
  /// Whether posts have styled text or, for `--json`, the source's own.
  private let form: ContentForm

  /// - Parameter takesKeys: whether keys come from standard input if it is a terminal.
  /// - Throws: `SourceError` for a file that cannot be opened, unless it is only remembered, and
  ///   for standard input that cannot be read.
  init(
    _ request: ViewRequest, inputIsTerminal: Bool, takesKeys: Bool
  ) throws(SourceError) {
    let format = request.format
    let asked = Self.sources(request.sources, named: request.display.configuration)
    var sources = asked.flatMap(\.sources)
    if sources.isEmpty, !request.bundled, !inputIsTerminal { sources = [.standardInput] }
    if sources.contains(.standardInput) {
      try Self.checkStandardInput(isTerminal: inputIsTerminal, takesKeys: takesKeys)
    }
    isRemembered = sources.isEmpty && !request.bundled
    if isRemembered, !request.display.noState { sources = LastTimeline.load() }
    inputs = sources.compactMap(\.identity)
    let network = Network(
      configuredBy: request.display.configuration,
      logins: sources.compactMap { if case .url(let address) = $0 { address.login } else { nil } },
      allowsPrivateAddresses: request.allowsPrivateAddresses)
    self.network = network
    // Printed posts refer to pictures as in their source.
    let pictures = takesKeys ? ArchivePictures() : nil
    self.pictures = pictures
    form = request.json ? .source : .styled
    var parts: [MergedSource] = []
    var missing: [SourceError] = []
    for source in sources {
      do throws(SourceError) {
        parts.append(
          try MergedSource(
            source, after: parts.count, format: format, as: sources.count > 1 ? .source : form,
            pictures: pictures
          ) { network.transport() })
      } catch {
        // Sources of the last timeline may no longer exist; the user did not ask for them now.
        guard isRemembered else { throw error }
        missing.append(error)
      }
    }
    kind = parts.isEmpty ? .bundled : .sources(parts, missing: missing)
    replacementReason = parts.isEmpty ? missing.first : nil
    name =
      if asked.count == 1, let name = asked.first?.name, !parts.isEmpty {
        name
      } else if sources.count == 1, let only = sources.first, !parts.isEmpty {
        only.shortName
      } else {
        parts.isEmpty ? Self.bundledName : sources.count.counted("source")
      }
    restorableSources = sources.contains(.standardInput) || parts.isEmpty ? nil : sources
  }

  /// The sources of each argument: those that the configuration gives this name, if no such file
  /// exists; otherwise the argument itself.
  private static func sources(
    _ arguments: [String], named file: ConfigurationFile?
  ) -> [(name: String?, sources: [TimelineSource])] {
    // The names are read only if an argument could be one.
    var names: SourceNames?
    return arguments.map { argument in
      let source = TimelineSource(argument: argument)
      guard case .file(let path) = source, !path.contains("/"), access(path, F_OK) != 0 else {
        return (nil, [source])
      }
      let known = names ?? SourceNames(in: file)
      names = known
      guard let found = known.sources(called: argument) else { return (nil, [source]) }
      return (argument, found)
    }
  }

  /// The key under which the reader's place is kept; `nil` if the source cannot be opened again.
  var placeName: String? {
    // No other source has this name: it is not an absolute path or a URL.
    if case .bundled = kind { return replacementReason == nil ? "bundled timeline" : nil }
    return restorableSources.flatMap {
      PlaceStore.name(of: $0, in: SystemPaths.currentFolder)
    }
  }

  static let bundledName = "tideline"

  /// Checks before anything is shown that standard input is open and can be read.
  private static func checkStandardInput(
    isTerminal: Bool, takesKeys: Bool
  ) throws(SourceError) {
    if isTerminal {
      if takesKeys { throw SourceError(source: .standardInput, reason: .isTerminal) }
      return
    }
    var byte: UInt8 = 0
    guard read(STDIN_FILENO, &byte, 0) < 0 else { return }
    let code = errno
    throw SourceError(
      source: .standardInput,
      reason: code == EISDIR ? .isDirectory : .unreadable(code: code, byte: 0))
  }

  /// The reader of the posts.
  ///
  /// - Parameters:
  ///   - showsPictures: whether the pictures of the bundled timeline are included.
  ///   - query: which posts of merged sources are read; `nil` for all.
  func reader(showsPictures: Bool, fitting query: PostQuery? = nil) -> any PostReader {
    switch kind {
    case .bundled: BundledReader(showsPictures: showsPictures)
    case .sources(let parts, let missing):
      if missing.isEmpty, parts.count == 1, let only = parts.first?.reader {
        only
      } else {
        MergedPrintout(
          parts + missing.map { MergedSource($0) }, as: form, fitting: query)
      }
    }
  }

  /// The reader of the feeds in a list, if the only source is one and `error` reports it; otherwise
  /// `nil`.
  nonisolated func reader(
    ofListIn error: SourceError, fitting query: PostQuery?
  ) -> (any PostReader)? {
    guard case .sources(let parts, _) = kind, parts.count == 1, let only = parts.first?.reader
    else {
      return nil
    }
    return MergedPrintout(ofListIn: error, readBy: only, as: form, fitting: query)
  }

  /// The posts for a screen, not yet opened.
  ///
  /// - Throws: `SourceError` if sources cannot be merged.
  @MainActor func store() throws(SourceError) -> TimelineStore {
    guard case .sources(let parts, let missing) = kind else {
      return TimelineStore(
        reader: reader(showsPictures: true), isImmediate: false, replacing: replacementReason)
    }
    if missing.isEmpty, parts.count == 1, let only = parts.first?.reader {
      return TimelineStore(source: only)
    }
    return TimelineStore(
      merging: try MergedTimeline(parts + missing.map { MergedSource($0) }))
  }
}
