/// Where a timeline comes from.
public enum TimelineSource: Hashable, Sendable {
  case file(String)
  case url(String)
  case standardInput

  /// What the command line calls it: `-`, an http(s) URL, or else a file's path.
  public init(argument: String) {
    if argument == "-" {
      self = .standardInput
    } else if Self.isRemote(argument) {
      self = .url(argument)
    } else {
      self = .file(argument)
    }
  }

  private static func isRemote(_ argument: String) -> Bool {
    let start = argument.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// What errors and the status line call it.
  public var name: String {
    switch self {
    case .file(let path): path
    case .url(let url): url
    case .standardInput: "standard input"
    }
  }

  /// A name short enough for the status line: a file's last component, a URL's host and last component.
  public var shortName: String {
    switch self {
    case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
    case .url(let url): Self.shortened(url)
    case .standardInput: "stdin"
    }
  }

  private static func shortened(_ url: String) -> String {
    guard let scheme = url.range(of: "://") else { return url }
    let rest = url[scheme.upperBound...]
    let parts = rest.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    guard let host = parts.first else { return url }
    return parts.count > 2 ? "\(host)/…/\(parts[parts.count - 1])" : parts.joined(separator: "/")
  }
}

extension String {
  /// The first place where `other` stands, without Foundation.
  fileprivate func range(of other: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(other) {
        return start..<index(start, offsetBy: other.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
