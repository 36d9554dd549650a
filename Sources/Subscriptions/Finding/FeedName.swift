import Feeds
import HTTP

/// The name of a feed as a user types it, classified by its form.
package enum FeedName: Hashable, Sendable {
  /// An http(s) address; also written as `feed:`, or without a scheme, which means https.
  case address(String)
  /// `@user@host`
  case account(user: String, host: String)
  /// `@handle`, a host name; below `bsky.social` also without the `@`.
  case bluesky(handle: String)
  /// `r/name`
  case community(String)

  /// `nil` if the text is none of these.
  package init?(_ text: String) {
    let text = FeedAddress.replacingFeedScheme(String(text.trimmed { $0.isWhitespace }))
    if let account = Self.account(text) ?? Self.bluesky(text) ?? Self.redditName(text) {
      self = account
      return
    }
    guard !text.hasPrefix("@") else { return nil }
    let reference = URLReference(text)
    if reference.scheme == "http" || reference.scheme == "https" {
      self = .address(text)
      return
    }
    // `example.org:8080` looks like a scheme with a path.
    let isPort = reference.scheme != nil && reference.path.first?.isNumber == true
    guard reference.scheme == nil || isPort else { return nil }
    let address = text.hasPrefix("//") ? "https:" + text : "https://" + text
    guard Self.isSite(URLReference(address)) else { return nil }
    self = .address(address)
  }

  /// The address of the feed, if it follows from the name alone.
  package var knownAddress: String? {
    switch KnownSite(self) {
    case .feed(let address, _): address
    case .account, .youTubePage, nil: nil
    }
  }

  private static func account(_ text: String) -> FeedName? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0].isEmpty, isName(parts[1]), isHost(parts[2]) else { return nil }
    return .account(user: parts[1], host: parts[2].lowercased())
  }

  private static func bluesky(_ text: String) -> FeedName? {
    let isMarked = text.hasPrefix("@")
    let handle = (isMarked ? String(text.dropFirst()) : text).lowercased()
    guard isHost(handle), isMarked || handle.hasSuffix(".bsky.social") else { return nil }
    return .bluesky(handle: handle)
  }

  private static func redditName(_ text: String) -> FeedName? {
    let parts = text.split(separator: "/").map(String.init)
    guard parts.count == 2, parts[0] == "r", isName(parts[1]) else { return nil }
    return .community(parts[1])
  }

  private static func isSite(_ reference: URLReference) -> Bool {
    guard let authority = reference.authority,
      case let host = authority.prefix(while: { $0 != ":" }), !host.isEmpty
    else { return false }
    return isHost(String(host)) || host == "localhost"
  }

  /// Whether the text has the form of a host name or an IPv4 address: labels separated by dots.
  static func isHost(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty && label.first != "-" && label.last != "-"
          && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
      }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
  }
}
