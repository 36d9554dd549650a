import Feeds
import HTTP
import System

/// Where a timeline comes from.
public enum TimelineSource: Hashable, Sendable {
  case file(String)
  case url(HTTPAddress)
  case standardInput

  /// What the command line calls it: `-`, a URL, or else a file's path. Of URLs it is http(s) ones,
  /// also as `feed:`, and those of files (`file:///a/b`) that can be opened; others are told as what
  /// they are (``SourceReader``), and not as files that are missing.
  public init(argument: String) {
    let argument = FeedAddress.withoutFeedScheme(argument)
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

  /// Whether it has a scheme and two slashes, or begins as what can be nothing but a web address.
  private static func isURL(_ argument: String) -> Bool {
    let reference = URLReference(argument)
    guard let scheme = reference.scheme else { return false }
    return reference.authority != nil || scheme == "http" || scheme == "https"
  }

  /// The path of a file of this machine, decoded; nil of what is no URL of one.
  private static func path(ofFileURL argument: String) -> String? {
    let reference = URLReference(argument)
    guard reference.scheme == "file", reference.path.hasPrefix("/"), reference.query == nil,
      ["", "localhost"].contains(reference.authority?.lowercased() ?? "")
    else { return nil }
    let bytes = URLReference.decoded(reference.path)
    // No file has such a name.
    return bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// A URL as text.
  public static func url(_ text: String) -> TimelineSource { .url(HTTPAddress(text)) }

  /// A file's path; nil for all else.
  var path: String? {
    if case .file(let path) = self { path } else { nil }
  }

  /// The file of posts in a folder to which an archive of Mastodon's was unpacked; else itself.
  var posts: TimelineSource {
    guard case .file(let path) = self else { return self }
    let inside = path.hasSuffix("/") ? path + "outbox.json" : path + "/outbox.json"
    // Below a file there is nothing.
    return access(inside, F_OK) == 0 ? .file(inside) : self
  }

  /// The file that is read of it, by whatever path it is reached; nil for one of the network, or
  /// that is missing.
  package var identity: FileIdentity? {
    switch posts {
    case .file(let path): FileIdentity(path: path)
    case .standardInput: FileIdentity(descriptor: STDIN_FILENO)
    case .url: nil
    }
  }

  /// What errors and the status line call it.
  public var name: String {
    switch self {
    case .file(let path): path
    case .url(let address): address.url
    case .standardInput: "standard input"
    }
  }

  /// A name short enough for the status line: a file's last component, a URL's host and last
  /// component.
  public var shortName: String {
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
