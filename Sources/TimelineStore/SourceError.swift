import Feeds
import HTTP
import Library
import System
import TextLayout

extension FeedList {
  /// The first feeds that cannot be opened, separated by commas.
  var unusableText: String {
    unusable.joined(separator: ", ") + (unusableCount > unusable.count ? ", …" : "")
  }
}

/// Why a source cannot be shown as a timeline.
package struct SourceError: Error, Sendable {
  /// The kind of the failure.
  package enum Reason: Sendable {
    case missing
    case isDirectory
    case noPermission
    /// Standard input is the terminal, from which keys are read.
    case isTerminal
    /// `errno` of the call that failed, and the byte it failed at.
    case unreadable(code: Int32, byte: Int)
    /// The document is larger than the limit, in bytes.
    case tooLarge(limit: Int)
    case notATimeline(FeedError)
    case remote(HTTPError)
    /// The server refuses for now, and asks to wait these seconds, an hour at most.
    case busy(HTTPError, retryDelay: Double)
    /// The address cannot be requested; the reason as one clause.
    case unusable(address: String)
    /// The data of a pipe cannot be kept in a temporary file; the `errno`.
    case cannotBeSpooled(code: Int32)
    /// A file bundled with the program cannot be read; the reason in a few words.
    case notBundled(String)
    /// A list of feeds, none of which can be opened.
    case noFeeds(FeedList)
    /// A list of feeds where only a feed is accepted, and the reach of its addresses.
    case listOfFeeds(FeedList, reach: RequestScope)
    /// An archive whose posts cannot be read; the reason as one clause.
    case archive(String)
    /// A library that cannot be read; the reason as one clause, and the exit status.
    case library(String, exitStatus: Int32)
    /// Only a part could be read; why, as one clause.
    case incomplete(String)
    /// A page has another format than the first page of its timeline.
    case otherFormat(FeedFormat, first: FeedFormat)

    /// The reason as one clause.
    package var text: String {
      switch self {
      case .missing: "no such file"
      case .isDirectory: "is a directory"
      case .noPermission: "permission denied"
      case .isTerminal: "is the terminal that keys come from; name a file, or pipe into it"
      case .unreadable(let code, let byte):
        "cannot be read at byte \(byte): \(SystemFailure.message(of: code))"
      case .tooLarge(let limit):
        "is larger than \(limit.formattedBytes), the most that is read at once"
      case .notATimeline(let error): error.message
      case .remote(let error): error.description
      case .busy(let error, let delay):
        "\(error); try again in "
          + (delay < HTTPResponse.maximumRetryDelay
            ? PagingProblem.duration(delay) : "an hour at the earliest")
      case .unusable(let why): why
      case .cannotBeSpooled(let code):
        "cannot be kept in a temporary file: \(SystemFailure.message(of: code))"
      case .notBundled(let why): why
      case .noFeeds(let list):
        list.incompleteness
          ?? ("a list of feeds (OPML) that names none over http or https"
            + (list.unusableCount > 0 ? ": \(list.unusableText)" : ""))
      case .listOfFeeds: "is a list of feeds (OPML), and stands where a feed is expected"
      case .archive(let why): why
      case .library(let why, _): why
      case .incomplete(let why): why
      case .otherFormat(let format, let first):
        "it is \(format.rawValue), and the timeline began as \(first.rawValue)"
      }
    }
  }

  /// The source that failed.
  package let source: TimelineSource
  /// The reason of the failure.
  package let reason: Reason

  /// Creates an error of `source`.
  package init(source: TimelineSource, reason: Reason) {
    self.source = source
    self.reason = reason
  }

  /// 64 unusable address, 65 not a timeline, 66 no input, 69 any remote failure, 74 no room for a
  /// temporary file.
  package var exitStatus: Int32 {
    switch reason {
    case .notATimeline, .tooLarge, .otherFormat, .noFeeds, .listOfFeeds, .archive, .incomplete: 65
    case .missing, .isDirectory, .noPermission, .isTerminal, .unreadable, .notBundled: 66
    case .library(_, let status): status
    case .unusable: 64
    case .remote, .busy: 69
    case .cannotBeSpooled: 74
    }
  }

  /// One line: the source, the error and, for a folder, what to type instead.
  package var message: String {
    var message = "\(source.name): \(reason.text)"
    switch (reason, source.path) {
    case (.isDirectory, let path?):
      let folder = path.hasSuffix("/") ? path : path + "/"
      message += "; name files in it, as \(folder)*.xml"
    default: break
    }
    return Sanitizer.line(message)
  }
}

extension SourceError {
  /// The error of a library; one in memory is that of merged sources.
  package init(_ error: LibraryError) {
    self.init(
      source: .file(error.file.isEmpty ? "merged sources" : error.file),
      reason: .library(error.reason, exitStatus: error.exitStatus))
  }
}

extension LibraryError {
  /// 65 for a file that is no library or is damaged, 66 for one that is not there, 69 without
  /// SQLite, 74 if it cannot be read or written.
  package var exitStatus: Int32 {
    switch cause {
    case .notALibrary, .newer, .older, .damaged: 65
    case .notAFile, .brokenLink, .vanished, .noSuchFeed: 66
    case .noSQLite, .oldSQLite: 69
    case .locked, .unreadable, .unclosed, .readOnly, .full, .system, .other: 74
    }
  }
}
