import Feeds
import HTTP

/// Sites whose feed addresses can be derived from the addresses of their pages.
enum KnownSite: Hashable, Sendable {
  /// The feed is at this address.
  case feed(address: String, title: String)
  /// An account of Mastodon or a compatible server, whose ID has to be looked up.
  case account(user: String, origin: String)
  /// A page of YouTube that names its channel as the canonical address.
  case youTubePage

  /// `nil` for all other sites, and for addresses that already look like those of feeds.
  init?(_ address: String) {
    let reference = URLReference(address)
    guard reference.isWeb, let host = reference.host, let origin = reference.origin else {
      return nil
    }
    let parts = reference.path.split(separator: "/").map(String.init)
    guard parts.last.map(Self.namesFeed) != true, let first = parts.first else { return nil }
    let found: KnownSite? =
      switch Self.site(host) {
      case "youtube.com": Self.youTube(reference, parts)
      case "github.com": Self.gitHub(parts)
      case "reddit.com": Self.reddit(parts)
      case "bsky.app":
        parts.count == 2 && first == "profile" ? Self.bluesky(handle: parts[1]) : nil
      // Their account pages have the same form, but the servers are not Mastodon's.
      case "medium.com", "tiktok.com", "threads.net", "threads.com": nil
      default: Self.account(parts, origin: origin)
      }
    guard let found else { return nil }
    self = found
  }

  /// The site that a typed name refers to; `nil` for an address.
  init?(_ name: FeedName) {
    switch name {
    case .address: return nil
    case .account(let user, let host): self = .account(user: user, origin: "https://\(host)")
    case .bluesky(let handle): self = Self.bluesky(handle: handle)
    case .community(let name): self = Self.community(name)
    }
  }

  private static func site(_ host: String) -> String {
    for prefix in ["www.", "m.", "old.", "new."] where host.hasPrefix(prefix) {
      return String(host.dropFirst(prefix.count))
    }
    return host
  }

  private static func namesFeed(_ part: String) -> Bool {
    let part = part.lowercased()
    return part == "rss" || part == "feed"
      || [".rss", ".atom", ".xml", ".json"].contains { part.hasSuffix($0) }
  }

  private static func youTube(_ reference: URLReference, _ parts: [String]) -> KnownSite? {
    let feeds = "https://www.youtube.com/feeds/videos.xml"
    switch parts[0] {
    case "channel" where parts.count > 1 && isID(parts[1]):
      return .feed(address: "\(feeds)?channel_id=\(parts[1])", title: "")
    case "playlist":
      let list = (reference.query ?? "").split(separator: "&").first { $0.hasPrefix("list=") }
      guard let id = list?.dropFirst(5), isID(String(id)) else { return nil }
      return .feed(address: "\(feeds)?playlist_id=\(id)", title: "")
    case "c", "user": return parts.count > 1 ? .youTubePage : nil
    default: return parts[0].hasPrefix("@") ? .youTubePage : nil
    }
  }

  private static func isID(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isAlphanumeric || $0 == 0x2D || $0 == 0x5F }
  }

  private static func gitHub(_ parts: [String]) -> KnownSite? {
    guard parts.allSatisfy({ part in part.utf8.allSatisfy { $0 > 32 && $0 < 127 } }) else {
      return nil
    }
    let page = "https://github.com/" + parts.prefix(2).joined(separator: "/")
    switch parts.count {
    case 1: return .feed(address: page + ".atom", title: "")
    case 2: return .feed(address: page + "/releases.atom", title: "")
    case 3 where parts[2] == "releases" || parts[2] == "tags":
      return .feed(address: "\(page)/\(parts[2]).atom", title: "")
    default: return nil
    }
  }

  private static func reddit(_ parts: [String]) -> KnownSite? {
    guard parts.count > 1, parts[1].utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return nil }
    switch parts[0] {
    case "r" where parts.count == 2: return community(parts[1])
    case "user", "u":
      return .feed(address: "https://www.reddit.com/user/\(parts[1])/.rss", title: "")
    default: return nil
    }
  }

  private static func community(_ name: String) -> KnownSite {
    .feed(address: "https://www.reddit.com/r/\(name)/.rss", title: "r/\(name)")
  }

  private static func bluesky(handle: String) -> KnownSite {
    let actor = URLReference.encoded(handle) { !$0.isAlphanumeric && !"-._:".utf8.contains($0) }
    return .feed(
      address: "https://public.api.bsky.app/xrpc/app.bsky.feed.getAuthorFeed?actor=\(actor)"
        + "&limit=100&filter=posts_no_replies", title: "@\(handle)")
  }

  /// `/@user`, and `/@user@host` for an account of another server.
  private static func account(_ parts: [String], origin: String) -> KnownSite? {
    guard parts.count == 1, parts[0].hasPrefix("@") else { return nil }
    switch FeedName(parts[0]) {
    case .account(let user, let host): return .account(user: user, origin: "https://\(host)")
    default:
      let user = String(parts[0].dropFirst())
      let isName = user.utf8.allSatisfy { $0.isAlphanumeric || "_-.".utf8.contains($0) }
      return isName && !user.isEmpty ? .account(user: user, origin: origin) : nil
    }
  }
}
