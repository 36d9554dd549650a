import Demos
import Feeds
import FoundationEssentials
import HTTP
import System
import TerminalApp
import TextLayout
import TimelineStore
import TimelineUI

/// What is to be opened, decided from the arguments before anything is shown.
///
/// Files are opened at once, so that a missing one is told before the terminal is taken over.
@MainActor struct Opening {
  private enum Kind {
    /// `missing`: sources of the last timeline that are gone.
    case sources([MergedReader.Part], missing: [SourceError])
    case bundled
  }

  private let kind: Kind
  /// Opened since it was open last: where it fails, the bundled timeline is shown.
  let isRemembered: Bool
  /// Why the bundled timeline stands in the place of the last one.
  let replacementReason: SourceError?
  /// What the status line calls it.
  let name: String
  /// Where pictures with relative addresses are: nil but for the bundled timeline.
  var isBundled: Bool { if case .bundled = kind { true } else { false } }
  /// To be remembered as the last timeline; nil where it cannot be opened again.
  let memorable: [TimelineSource]?
  /// The files that are read.
  let inputs: [FileIdentity]
  /// What it and its pictures are fetched through.
  let network: Network
  /// Where pictures of archives are; nil where none are shown.
  let pictures: ArchivePictures?

  /// - Parameter takesKeys: whether keys come from standard input where that is a terminal.
  /// - Throws: `SourceError` for a file that cannot be opened, unless it is remembered only, and
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
      sources: sources, allowsPrivateAddresses: request.allowsPrivateAddresses)
    self.network = network
    // What is printed names pictures as their source does.
    let pictures = takesKeys ? ArchivePictures() : nil
    self.pictures = pictures
    var parts: [MergedReader.Part] = []
    var missing: [SourceError] = []
    for source in sources {
      do throws(SourceError) {
        let form: ContentForm = request.json ? .source : .styled
        parts.append(
          try MergedReader.Part(after: parts.count) { () throws(SourceError) in
            try SourceReader(source: source, format: format, as: form, pictures: pictures) {
              network.transport()
            }
          })
      } catch {
        // What was open last may be gone; that is no error of what was asked for now.
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
    memorable = sources.contains(.standardInput) || parts.isEmpty ? nil : sources
  }

  /// What each argument stands for: a name of the user's where no file of that name is there, else
  /// itself.
  private static func sources(
    _ arguments: [String], named file: ConfigurationFile?
  ) -> [(name: String?, sources: [TimelineSource])] {
    // The file is read only where a name could be meant.
    var names: SourceNames?
    return arguments.map { argument in
      let source = TimelineSource(argument: argument)
      guard case .file(let path) = source, !path.contains("/"), access(path, F_OK) != 0 else {
        return (nil, [source])
      }
      let known = names ?? file.map { SourceNames(in: $0) } ?? SourceNames()
      names = known
      guard let found = known.sources(called: argument) else { return (nil, [source]) }
      return (argument, found)
    }
  }

  /// What its place is kept under; nil where it cannot be opened again.
  var placeName: String? {
    // No path is like that.
    if case .bundled = kind { return replacementReason == nil ? "bundled timeline" : nil }
    return memorable.flatMap {
      PlaceFiles.name(of: $0, in: FileManager.default.currentDirectoryPath)
    }
  }

  static let bundledName = "tideline"

  /// What is wrong with standard input is told before anything is shown: that it is closed, above
  /// all.
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
  /// - Parameter showsPictures: whether the bundled timeline's pictures are asked for.
  func reader(showsPictures: Bool) -> any PostReader {
    switch kind {
    case .bundled: BundledReader(showsPictures: showsPictures)
    case .sources(let parts, let missing):
      if missing.isEmpty, parts.count == 1, let only = parts.first?.reader {
        only
      } else {
        MergedReader(parts: parts, missing: missing)
      }
    }
  }

  /// The posts for a screen, not opened yet.
  @MainActor func store() -> TimelineStore {
    guard case .sources(let parts, let missing) = kind else {
      return TimelineStore(
        reader: reader(showsPictures: true), isImmediate: false, replacing: replacementReason)
    }
    if missing.isEmpty, parts.count == 1, let only = parts.first?.reader {
      return TimelineStore(source: only)
    }
    let isImmediate = parts.allSatisfy { part in
      part.reader.map { TimelineStore.isSmall($0) } ?? false
    }
    return TimelineStore(reader: reader(showsPictures: true), isImmediate: isImmediate)
  }
}
