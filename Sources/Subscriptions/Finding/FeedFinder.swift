import Answers
import Feeds
import HTTP
import System
import TextLayout

/// Finds the feed that a text names.
///
///     text ─┬─▶ known site ──▶ its feed
///           └─▶ address ─┬─▶ a feed, a list of feeds
///                        └─▶ page ──▶ known site ──▶ the feeds it names ──▶ the usual places
///
/// 1. If a known site's feed address follows from the page's address, the feed is requested first.
/// 2. Addresses that a page names are requested with the reach of that page: a public page cannot
///    lead to a private address.
/// 3. Only ``FeedFinder/usualPlaces`` are guesses, with one request each; all other requests follow
///    a link or the known form of a site's addresses.
/// 4. Feeds of comments come last.
package struct FeedFinder: Sendable {
  private let transport: any HTTPTransport
  private let limits = HTTPLimits(maximumBytes: 32_000_000, totalSeconds: 30, headSeconds: 20)
  private static let threads = WorkerThreads(limit: 2)

  /// The paths at which sites have feeds that no page names.
  static let usualPlaces = ["/feed", "/feed.xml", "/rss.xml", "/atom.xml", "/index.xml"]
  /// The most feeds of one page that are requested to find one that can be read.
  private static let triedLinks = 3
  /// The bytes of a page or feed that are read. `2 MiB`
  package static let readBytes = 2 << 20

  package init(transport: any HTTPTransport) { self.transport = transport }

  /// Whether an address belongs to a site whose feeds have other addresses, and so is not a feed
  /// itself.
  package static func leadsElsewhere(_ address: String) -> Bool { KnownSite(address) != nil }

  /// Finds the feed that `text` names.
  ///
  /// - Throws: `FeedFindingError`.
  package func find(_ text: String) async throws(FeedFindingError) -> FeedFinding {
    do throws(FeedFindingError.Reason) {
      return try await withTaskExecutorPreference(Self.threads) {
        () throws(FeedFindingError.Reason) in try await finding(of: text)
      }
    } catch {
      let name = Sanitizer.line(URLReference.separatingUserInfo(text).address)
      throw FeedFindingError(name: name, reason: error)
    }
  }

  /// The feed at an address, or the first feed of the page there that can be read; never a choice.
  ///
  /// - Returns: `nil` for a list of feeds, and if the page names several feeds and none of the
  ///   first ones can be read.
  /// - Throws: `FeedFindingError` if there is no feed otherwise.
  package func firstFeed(at link: HTTPLink) async throws(FeedFindingError) -> FoundFeed? {
    do throws(FeedFindingError.Reason) {
      return try await withTaskExecutorPreference(Self.threads) {
        () throws(FeedFindingError.Reason) in
        switch try await finding(at: link) {
        case .feed(let feed): return feed
        case .choice(let feeds): return await first(of: feeds)
        case .list: return nil
        }
      }
    } catch {
      throw FeedFindingError(name: Sanitizer.line(link.url), reason: error)
    }
  }

  /// The first readable feed of those that a page in a file names by their whole addresses.
  ///
  /// - Parameter name: the name of the file.
  package func firstFeed(ofPage bytes: [UInt8], name: String) async -> FoundFeed? {
    let (feeds, comments) = Self.feeds(ofPage: bytes, name: name)
    return await withTaskExecutorPreference(Self.threads) { await first(of: feeds + comments) }
  }

  /// Finds the feeds that a page in a file names by their whole addresses.
  ///
  /// - Parameter name: the name of the file.
  /// - Returns: `nil` if the bytes are not a page, or if none of its feeds can be read.
  package func find(inPage bytes: [UInt8], name: String) async -> FeedFinding? {
    guard Self.isPage(bytes) else { return nil }
    let (feeds, comments) = Self.feeds(ofPage: bytes, name: name)
    if feeds.count > 1 { return .choice(feeds) }
    return await withTaskExecutorPreference(Self.threads) {
      await first(of: feeds + comments).map { .feed($0) }
    }
  }

  private static func isPage(_ bytes: [UInt8]) -> Bool {
    do throws(FeedError) {
      _ = try FeedReader.detect(Array(bytes.prefix(AnswerReader.beginningBytes)))
      return false
    } catch {
      return error.kind == .html
    }
  }

  private static func feeds(
    ofPage bytes: [UInt8], name: String
  ) -> (feeds: [FoundFeed], comments: [FoundFeed]) {
    let candidates = FeedCandidates(PageLinks(bytes, address: "").alternates, page: "")
    return (
      found(candidates.feeds, namedBy: name, reach: .privateAddresses),
      found(candidates.comments, namedBy: name, reach: .privateAddresses)
    )
  }

  /// Requests the feed that was selected from a choice.
  ///
  /// - Throws: `FeedFindingError` if it is not a feed, or at an address outside of its reach.
  package func confirmed(_ feed: FoundFeed) async throws(FeedFindingError) -> FoundFeed {
    do throws(FeedFindingError.Reason) {
      return try await withTaskExecutorPreference(Self.threads) {
        () throws(FeedFindingError.Reason) in
        let link = HTTPLink(feed.address, reach: feed.reach)
        switch try await probe(link, title: feed.title, namedBy: feed.namedBy) {
        case .feed(let found): return found
        case .refused(let failure): throw .remote(failure)
        case .list: throw .nothing("a list of feeds (OPML), not a feed")
        case .page: throw .nothing("a web page, not a feed")
        case .other(let reason): throw .nothing(reason)
        }
      }
    } catch {
      throw FeedFindingError(name: Sanitizer.line(feed.address), reason: error)
    }
  }

  /// The feeds that a list (OPML) in a file names.
  ///
  /// - Parameter name: the name of the file.
  /// - Returns: `nil` if the bytes are not a list.
  /// - Complexity: O(n) in the bytes.
  package static func feeds(ofList bytes: [UInt8], name: String) -> FeedFinding? {
    FeedList.begins(Array(bytes.prefix(AnswerReader.beginningBytes)))
      ? finding(of: FeedList(bytes), namedBy: name, reach: .privateAddresses) : nil
  }

  /// The feeds of a list, without those at IP addresses outside of `reach`. Names of hosts are only
  /// checked when their feeds are requested.
  private static func finding(
    of list: FeedList, namedBy name: String, reach: RequestScope
  ) -> FeedFinding {
    let entries = list.entries.filter { entry in
      let host = URLReference(entry.address).host ?? ""
      let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
      return IPAddress(host: String(name)).map { reach.includes($0) } ?? true
    }
    var omissions: [String] = []
    if entries.count < list.entries.count {
      let count = (list.entries.count - entries.count).counted("feed")
      omissions.append("\(count) of the list cannot be followed: at a private address")
    }
    if list.unusableCount > 0 {
      omissions.append(
        "\(list.unusableCount.counted("feed")) of the list cannot be followed: "
          + list.unusable.joined(separator: ", ")
          + (list.unusableCount > list.unusable.count ? ", …" : ""))
    }
    if list.isCut {
      omissions.append("the list names more feeds than the \(list.entries.count) that are read")
    }
    let feeds = entries.map {
      FoundFeed(
        address: $0.address, title: $0.title, ownName: $0.ownName, namedBy: name, tags: $0.tags,
        reach: reach)
    }
    return .list(
      feeds, omission: omissions.isEmpty ? nil : omissions.joined(separator: "; "),
      incompleteness: list.incompleteness)
  }

  // MARK: The order of attempts

  private func finding(of text: String) async throws(FeedFindingError.Reason) -> FeedFinding {
    guard let name = FeedName(text) else {
      throw .unusable("names neither a site nor an account; a site is named as example.org")
    }
    guard case .address(let written) = name else {
      return try await feed(of: KnownSite(name), named: text)
    }
    let address = HTTPAddress(written)
    if let problem = address.problem { throw .unusable(problem) }
    if address.login != nil {
      throw .unusable("an address with a name and password cannot be followed; they are not kept")
    }
    return try await finding(at: HTTPLink(address.url, reach: .everywhere))
  }

  private func finding(at link: HTTPLink) async throws(FeedFindingError.Reason) -> FeedFinding {
    let site = KnownSite(link.url)
    if case .feed(let known, let title) = site,
      let found = await feed(
        at: HTTPLink(known, reach: link.reach), title: title, namedBy: link.url)
    {
      return .feed(found)
    }
    switch try await probe(link, title: "", namedBy: nil) {
    case .feed(let feed): return .feed(feed)
    case .list(let list, let reach):
      return Self.finding(of: list, namedBy: link.url, reach: reach)
    case .page(let page): return try await finding(in: page, site, asked: link)
    case .refused(let failure):
      // A site may hide its pages from programs, but not its feeds.
      if case .account(let user, let origin) = site,
        let feed = try? await account(user, HTTPLink(origin, reach: link.reach), namedBy: link.url)
      {
        return .feed(feed)
      }
      guard case .status(let code) = failure.reason, (400...499).contains(code), code != 429,
        let feed = await usualFeed(of: link)
      else { throw .remote(failure) }
      return .feed(feed)
    case .other(let reason): throw .nothing(reason)
    }
  }

  /// The feed of an account, a handle or a community.
  private func feed(
    of site: KnownSite?, named text: String
  ) async throws(FeedFindingError.Reason) -> FeedFinding {
    switch site {
    case .feed(let address, let title):
      switch try await probe(HTTPLink(address, reach: .everywhere), title: title, namedBy: text) {
      case .feed(let feed): return .feed(feed)
      case .refused(let failure): throw .remote(failure)
      case .list, .page, .other: throw .nothing("no feed is at \(address)")
      }
    case .account(let user, let origin):
      let feed = try await account(user, HTTPLink(origin, reach: .everywhere), namedBy: text)
      guard let feed else { throw .nothing("\(origin) has no feed of this account") }
      return .feed(feed)
    case .youTubePage, nil: throw .unusable("names no site")
    }
  }

  private func finding(
    in page: Page, _ site: KnownSite?, asked: HTTPLink
  ) async throws(FeedFindingError.Reason) -> FeedFinding {
    switch site {
    case .account(let user, let origin):
      let link = HTTPLink(origin, reach: asked.reach)
      if let feed = try? await account(user, link, namedBy: asked.url) { return .feed(feed) }
    case .youTubePage:
      if let channel = page.links.canonical, case .feed(let address, _)? = KnownSite(channel),
        let feed = await feed(
          at: HTTPLink(address, reach: page.reach), title: "", namedBy: asked.url)
      {
        return .feed(feed)
      }
    case .feed, nil: break
    }
    let candidates = FeedCandidates(page.alternates, page: page.address)
    let feeds = Self.found(candidates.feeds, namedBy: page.address, reach: page.reach)
    if feeds.count > 1 { return .choice(feeds) }
    if let feed = await first(of: feeds) { return .feed(feed) }
    if let feed = await usualFeed(of: HTTPLink(page.address, reach: page.reach)) {
      return .feed(feed)
    }
    let comments = Self.found(candidates.comments, namedBy: page.address, reach: page.reach)
    if let feed = await first(of: comments) { return .feed(feed) }
    if feeds.isEmpty, let breakage = page.breakage {
      throw .remote(FetchFailure(.exchange(breakage)))
    }
    throw .nothing(
      feeds.isEmpty
        ? "a web page that names no feed, and none is at \(Self.usualPlaces[0]) and other usual places"
        : "a web page whose feed cannot be read: \(feeds[0].address)")
  }

  private static func found(
    _ links: [PageLinks.Alternate], namedBy name: String, reach: RequestScope
  ) -> [FoundFeed] {
    links.map { FoundFeed(address: $0.address, title: $0.title, namedBy: name, reach: reach) }
  }

  private func first(of feeds: [FoundFeed]) async -> FoundFeed? {
    for feed in feeds.prefix(Self.triedLinks) {
      let link = HTTPLink(feed.address, reach: feed.reach)
      if let found = await self.feed(at: link, title: feed.title, namedBy: feed.namedBy) {
        return found
      }
    }
    return nil
  }

  /// The feed at an address; `nil` if there is none, or the request fails.
  private func feed(at link: HTTPLink, title: String, namedBy name: String?) async -> FoundFeed? {
    guard case .feed(let feed)? = try? await probe(link, title: title, namedBy: name) else {
      return nil
    }
    return feed
  }

  private func usualFeed(of link: HTTPLink) async -> FoundFeed? {
    guard let origin = URLReference(link.url).origin else { return nil }
    for place in Self.usualPlaces where origin + place != link.url {
      let usual = HTTPLink(origin + place, reach: link.reach)
      if let feed = await feed(at: usual, title: "", namedBy: link.url) { return feed }
    }
    return nil
  }

  /// The feed of an account of Mastodon or a compatible server, from the server's API or else as
  /// RSS; `nil` if the server has neither.
  private func account(
    _ user: String, _ server: HTTPLink, namedBy name: String
  ) async throws(FeedFindingError.Reason) -> FoundFeed? {
    let host = URLReference(server.url).host ?? ""
    let encoded = URLReference.encoded(user) { !$0.isAlphanumeric && !"-._~".utf8.contains($0) }
    let lookup = "\(server.url)/api/v1/accounts/lookup?acct=\(encoded)"
    let answer = try await bytes(at: HTTPLink(lookup, reach: server.reach))
    if case .success(let found) = answer, let id = JSONLookup.text("id", in: found.bytes),
      !id.isEmpty, id.utf8.allSatisfy(\.isAlphanumeric),
      let feed = await feed(
        at: HTTPLink(
          "\(URLReference(found.response.url).origin ?? server.url)/api/v1/accounts/\(id)/statuses"
            + "?limit=40&exclude_replies=true", reach: found.response.reach),
        title: "@\(user)@\(host)", namedBy: name)
    {
      return feed
    }
    let rss = HTTPLink("\(server.url)/@\(encoded).rss", reach: server.reach)
    return await feed(at: rss, title: "@\(user)@\(host)", namedBy: name)
  }

  // MARK: Requests

  /// A successful response, and the part of its body that was read.
  private struct Answer: Sendable {
    let response: HTTPResponse
    let bytes: [UInt8]
    /// Why the body broke off, if it did.
    let breakage: HTTPError?
  }

  private struct Page: Sendable {
    let address: String
    let reach: RequestScope
    let links: PageLinks
    /// The links of the response's header, then those of the page.
    let alternates: [PageLinks.Alternate]
    /// Why the page broke off, if it did.
    let breakage: HTTPError?
  }

  private enum Probe: Sendable {
    case feed(FoundFeed)
    case list(FeedList, reach: RequestScope)
    case page(Page)
    /// A response with an error status.
    case refused(FetchFailure)
    /// Neither a feed nor a page, and the reason.
    case other(String)

    /// Whether the answer held nothing that can be used.
    var isEmpty: Bool {
      switch self {
      case .list(let list, _): list.entries.isEmpty
      case .other: true
      case .feed, .page, .refused: false
      }
    }
  }

  /// Requests an address and determines whether the answer is a feed, a list or a page.
  ///
  /// - Throws: `remote` if there is no answer, or if it broke off before anything of use.
  private func probe(
    _ link: HTTPLink, title: String, namedBy name: String?
  ) async throws(FeedFindingError.Reason) -> Probe {
    switch try await bytes(at: link) {
    case .failure(let failure): return .refused(failure)
    case .success(let answer):
      let probe = Self.probe(answer, of: link, title: title, namedBy: name)
      if probe.isEmpty, let breakage = answer.breakage {
        throw .remote(FetchFailure(.exchange(breakage)))
      }
      return probe
    }
  }

  private static func probe(
    _ answer: Answer, of link: HTTPLink, title: String, namedBy name: String?
  ) -> Probe {
    let (response, bytes) = (answer.response, answer.bytes)
    let head = Array(bytes.prefix(AnswerReader.beginningBytes))
    if FeedList.begins(head) {
      return .list(FeedList(bytes), reach: response.reach)
    }
    do throws(FeedError) {
      let format = try FeedReader.detect(head)
      let isPage = response.mediaType.map { $0.contains("html") } ?? false
      if format == .text {
        return isPage ? .page(page(answer)) : .other("text, not a feed")
      }
      let own = try FeedReader.open(bytes, format: format, baseURL: response.url).info.title
      let isPermanent = response.redirects.allSatisfy { $0.status == 301 || $0.status == 308 }
      return .feed(
        FoundFeed(
          address: isPermanent ? response.url : link.url, title: own.isEmpty ? title : own,
          namedBy: name, reach: link.reach))
    } catch {
      guard error.kind == .html else { return .other(error.message) }
      return .page(page(answer))
    }
  }

  private static func page(_ answer: Answer) -> Page {
    let response = answer.response
    let links = PageLinks(answer.bytes, address: response.url)
    let base = URLReference(response.url)
    let named = response.headers.values(of: "Link").flatMap(LinkField.links)
      .filter { $0.relations.contains("alternate") && !$0.concernsAnotherPage }
      .map {
        PageLinks.Alternate(
          address: URLReference($0.target).resolved(against: base).description, type: $0.type,
          title: Sanitizer.line($0.title))
      }
      .filter {
        HTTPAddress($0.address).problem == nil && Sanitizer.line($0.address) == $0.address
      }
    return Page(
      address: response.url, reach: response.reach, links: links,
      alternates: named + links.alternates, breakage: answer.breakage)
  }

  /// The first ``readBytes`` of an answer; of a list, up to `FeedList.longest`.
  ///
  /// - Throws: `remote` if there is no answer.
  private func bytes(
    at link: HTTPLink
  ) async throws(FeedFindingError.Reason) -> Swift.Result<Answer, FetchFailure> {
    var request = AnswerReader.request(for: link)
    request.limits = limits
    do throws(HTTPError) {
      let (response, body) = try await transport.send(request)
      guard response.isSuccess else {
        return .failure(FetchFailure(.status(response.status)))
      }
      let answer = AnswerBody(body, mayBePartial: true)
      var bytes: [UInt8] = []
      do throws(AnswerFailure) {
        let sawEnd = try await answer.read(into: &bytes, atLeast: Self.readBytes)
        if !sawEnd, FeedList.begins(Array(bytes.prefix(AnswerReader.beginningBytes))) {
          try await answer.read(into: &bytes, atLeast: FeedList.longest)
        }
      } catch {
        if case .remote(let cause) = error.reason { throw cause }
      }
      return .success(Answer(response: response, bytes: bytes, breakage: answer.breakage))
    } catch {
      throw .remote(FetchFailure(.exchange(error)))
    }
  }
}
