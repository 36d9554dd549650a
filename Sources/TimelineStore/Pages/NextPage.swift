import Feeds
import HTTP

/// Where a timeline goes on behind a page.
enum NextPage: Hashable, Sendable {
  case none
  /// An absolute http(s) address, and how far the page that names it may lead.
  case address(HTTPLink)
  /// It says where, but nobody should go there; why, in one clause.
  case refused(String)

  /// What the page says itself, or else the `Link` header it came with, or else the same address
  /// with the cursor that it gives.
  ///
  /// It may be on another host, as with feeds that a service delivers; but what began with https
  /// stays there, and what came from the network leads nowhere else.
  ///
  /// - Parameter asked: the address that was asked for, before redirects.
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
