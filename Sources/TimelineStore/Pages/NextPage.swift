import Feeds
import HTTP

/// The page that follows a page of a timeline.
enum NextPage: Hashable, Sendable {
  case none
  /// An absolute http(s) address, with the reach of the page that names it.
  case address(HTTPLink)
  /// The page names an address that must not be requested; the reason as one clause.
  case refused(String)

  /// The page that the page itself names, or else its `Link` header, or else the requested address
  /// with the page's cursor.
  ///
  /// It may be on another host, as with feeds that a service delivers; but a timeline that began on
  /// https stays on https, and only http(s) addresses are followed.
  ///
  /// - Parameter asked: the address that was requested, before redirects.
  init(after response: HTTPResponse, info: TimelineInfo, asked: String) {
    let (base, first) = (URLReference(response.url), URLReference(asked))
    let continued = info.nextCursor.map { first.setting(parameter: "cursor", to: $0).description }
    guard let target = info.nextPage ?? response.link("next") ?? continued, !target.isEmpty else {
      self = .none
      return
    }
    let next = URLReference(target).resolved(against: base)
    if !next.isWeb {
      self = .refused("the next page is at no http(s) address: \(next.description.prefix(200))")
    } else if next.scheme == "http", base.scheme == "https" || first.scheme == "https" {
      self = .refused("the next page is not on https, as this one is")
    } else {
      self = .address(HTTPLink(next.description, reach: response.reach))
    }
  }
}
