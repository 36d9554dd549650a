import Feeds
import HTTP
import System

/// Where a timeline comes from.
package enum TimelineSource: Hashable, Sendable {
  case file(String)
  case url(HTTPAddress)
  case standardInput

  /// Parses a command-line argument: `-`, a URL, or else the path of a file. Supported URLs are
  /// those of http(s), also written as `feed:`, and `file:///a/b`. Others stay URLs, so that
  /// ``SourceReader`` reports an unsupported scheme and not a missing file.
  package init(argument: String) {
    let argument = FeedAddress.replacingFeedScheme(argument)
    if argument == "-" {
      self = .standardInput
    } else if let path = Self.path(ofFileURL: argument) {
      self = .file(path)
    } else if Self.isURL(argument) {
      self = .url(HTTPAddress(argument))
    } else {
      self = .file(argument)
    }
  }

  /// Whether the argument has a scheme and `//`, or begins with `http:` or `https:`.
  private static func isURL(_ argument: String) -> Bool {
    let reference = URLReference(argument)
    guard let scheme = reference.scheme else { return false }
    return reference.authority != nil || scheme == "http" || scheme == "https"
  }

  /// The decoded path of a `file:` URL on this machine; `nil` for anything else.
  private static func path(ofFileURL argument: String) -> String? {
    let reference = URLReference(argument)
    guard reference.scheme == "file", reference.path.hasPrefix("/"), reference.query == nil,
      ["", "localhost"].contains(reference.authority?.lowercased() ?? "")
    else { return nil }
    let bytes = URLReference.decoded(reference.path)
    // File names cannot contain NUL.
    return bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Creates a source from the text of a URL.
  package static func url(_ text: String) -> TimelineSource { .url(HTTPAddress(text)) }

  /// The path of a file; `nil` for other sources.
  var path: String? {
    if case .file(let path) = self { path } else { nil }
  }

  /// The posts in the folder of an unpacked Mastodon archive; for other sources the source itself.
  var posts: TimelineSource {
    guard case .file(let path) = self else { return self }
    let inside = path.hasSuffix("/") ? path + "outbox.json" : path + "/outbox.json"
    // The check fails for a file, below which no path exists.
    return access(inside, F_OK) == 0 ? .file(inside) : self
  }

  /// The identity of the file that is read, whatever its path; `nil` for a URL or a missing file.
  package var identity: FileIdentity? {
    switch posts {
    case .file(let path): FileIdentity(path: path)
    case .standardInput: FileIdentity(descriptor: STDIN_FILENO)
    case .url: nil
    }
  }

  /// The name in errors and in the status line.
  package var name: String {
    switch self {
    case .file(let path): path
    case .url(let address): address.url
    case .standardInput: "standard input"
    }
  }

  /// A name short enough for the status line: the last component of a file's path, or the host and
  /// last component of a URL.
  package var shortName: String {
    switch self {
    case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
    case .url(let address): Self.shortened(address.url)
    case .standardInput: "stdin"
    }
  }

  private static func shortened(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let rest = url[scheme.upperBound...]
    let parts = rest.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    guard let host = parts.first else { return url }
    return parts.count > 2 ? "\(host)/…/\(parts[parts.count - 1])" : parts.joined(separator: "/")
  }
}
