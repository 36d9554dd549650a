import Demos
import Feeds
import HTTPTransport
import Timeline

/// What is to be opened, decided from the arguments before anything is shown.
///
/// Files are opened at once, so that a missing one is told before the terminal is taken over.
@MainActor struct Opening {
  private enum Kind {
    case sources([SourceReader])
    case bundled
  }

  private let kind: Kind
  /// What the status line calls it.
  let name: String
  /// Where pictures with relative addresses are: nil but for the bundled timeline.
  var isBundled: Bool { if case .bundled = kind { true } else { false } }
  /// To be remembered as the last timeline; nil where it cannot be opened again.
  let memorable: [TimelineSource]?

  /// - Throws: `SourceError` for a file that cannot be opened.
  init(arguments: [String], format: FeedFormat?, inputIsTerminal: Bool) throws(SourceError) {
    var sources = arguments.map { TimelineSource(argument: $0) }
    if sources.isEmpty, !inputIsTerminal { sources = [.standardInput] }
    let remembered = sources.isEmpty ? LastTimeline.load() : []
    if sources.isEmpty { sources = remembered }
    var readers: [SourceReader] = []
    for source in sources {
      do throws(SourceError) {
        readers.append(
          try SourceReader(source: source, format: format) {
            CurlTransport(userAgent: "tideline/\(Program.version)")
          })
      } catch {
        // What was open last may be gone; that is no error of what was asked for now.
        guard remembered.isEmpty else { continue }
        throw error
      }
    }
    kind = readers.isEmpty ? .bundled : .sources(readers)
    name =
      switch readers.count {
      case 0: "tideline"
      case 1: readers[0].source.shortName
      default: "\(readers.count) sources"
      }
    memorable = sources.contains(.standardInput) || readers.isEmpty ? nil : sources
  }

  /// The reader of the posts.
  ///
  /// - Parameter base: the address of the server that the bundled timeline's pictures come from; nil
  ///   leaves them relative.
  func reader(base: String?) -> any PostReader {
    switch kind {
    case .bundled: BundledReader(base: base)
    case .sources(let readers):
      if readers.count == 1, let only = readers.first {
        only
      } else {
        MergedReader(readers: readers)
      }
    }
  }

  /// The posts for a screen, not opened yet. `base` as for `reader(base:)`.
  @MainActor func store(base: String?) -> TimelineStore {
    guard case .sources(let readers) = kind else {
      return TimelineStore(reader: reader(base: base), isImmediate: false)
    }
    if readers.count == 1, let only = readers.first { return TimelineStore(source: only) }
    return TimelineStore(
      reader: reader(base: base), isImmediate: readers.allSatisfy(TimelineStore.isSmall))
  }
}
