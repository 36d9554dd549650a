import Feeds
import HTTP

/// The feeds that a page names, in the order in which they are worth following.
struct FeedCandidates: Hashable, Sendable {
  /// Feeds of the page's own contents, in the order of the page; one without a title, or whose
  /// title only names its format, comes last.
  private(set) var feeds: [PageLinks.Alternate] = []
  /// Feeds of comments.
  private(set) var comments: [PageLinks.Alternate] = []

  /// - Parameters:
  ///   - links: the links of the response's header and of the page, in this order.
  ///   - page: the address of the page.
  init(_ links: [PageLinks.Alternate], page: String) {
    var seen: Set<URLReference> = []
    // Of feeds whose titles differ only in the format, the first is kept.
    var titles: Set<String> = []
    let own = URLReference(page).normalized
    for link in links where Self.isFeed(link) {
      let reference = URLReference(link.address).normalized
      guard seen.insert(reference).inserted, reference != own else { continue }
      if Self.isAboutComments(link, page: own) {
        comments.append(link)
      } else if case let title = Self.titleWithoutFormat(link.title),
        title.isEmpty || titles.insert(title).inserted
      {
        feeds.append(link)
      }
    }
    // Feeds without titles, or whose titles only name formats, count as one: the first is kept.
    let named = feeds.filter { !Self.titleWithoutFormat($0.title).isEmpty }
    if named.count < feeds.count { feeds = named + feeds.filter { !named.contains($0) }.prefix(1) }
  }

  private static func isFeed(_ link: PageLinks.Alternate) -> Bool {
    switch link.type {
    case "application/rss+xml", "application/atom+xml", "application/feed+json": true
    // WordPress gives links to its API this type.
    case "application/json": !link.address.contains("/wp-json") && !link.address.contains("oembed")
    default: false
    }
  }

  private static func isAboutComments(_ link: PageLinks.Alternate, page: URLReference) -> Bool {
    let reference = URLReference(link.address)
    if "\(link.title) \(reference.path)".lowercased().contains("comment") { return true }
    // WordPress gives each article a feed of its comments, below the article.
    let path = page.path.hasSuffix("/") ? page.path : page.path + "/"
    return path != "/" && reference.host == page.host
      && [path + "feed", path + "feed/"].contains(reference.path)
  }

  private static let formatWords: Set<Substring> = [
    "rss", "atom", "json", "xml", "feed", "rdf", "1", "2", "0", "92", "03", "rss2", "v2",
  ]

  /// The words of a title in lower case, without those that name a format.
  private static func titleWithoutFormat(_ title: String) -> String {
    title.lowercased().split { !$0.isLetter && !$0.isNumber }
      .filter { !formatWords.contains($0) }.joined(separator: " ")
  }
}
