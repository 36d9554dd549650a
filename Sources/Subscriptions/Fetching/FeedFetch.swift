import Answers
import Feeds
import HTTP
import Library
import System

/// Requests a feed and reads the answer into items.
///
///     address, validators ──▶ conditional request ──┬─▶ 304: nothing changed
///                                                   ├─▶ 2xx: posts ──▶ items, schedule, validators
///                                                   └─▶ anything else: failure
///
/// 1. One request with its redirects; further pages of a feed are not requested.
/// 2. An answer that is not a feed is a failure, whatever its status: a login page does not replace
///    the items of a feed.
/// 3. If the body breaks off, the items that arrived whole are kept, but no validators. The same
///    holds if the last item is damaged: the server may have sent a truncated document, together
///    with its truncated length.
package struct FeedFetch: Sendable {
  private let transport: any HTTPTransport
  private let limits: HTTPLimits
  private let maximumItems: Int

  /// The limits of a request during a refresh; a slower feed fails.
  package static let standardLimits = HTTPLimits(
    maximumBytes: 32_000_000, totalSeconds: 60, headSeconds: 20)

  /// - Parameter maximumItems: the most items that are read from a document. `10,000` by default.
  package init(
    transport: any HTTPTransport, limits: HTTPLimits = standardLimits, maximumItems: Int = 10_000
  ) {
    self.transport = transport
    self.limits = limits
    self.maximumItems = maximumItems
  }

  /// Requests the feed at `address` and reads the answer; every failure is part of the result.
  ///
  /// - Parameters:
  ///   - reach: the hosts that may be requested. A feed that the user follows may be on this
  ///     machine or its networks.
  ///   - now: seconds since 1970, for a server that sends no date.
  /// - Complexity: O(n) in the bytes of the answer.
  package func answer(
    of address: String, validators: HTTPValidators? = nil,
    reach: RequestScope = .privateAddresses, at now: Double
  ) async -> FetchAnswer {
    var request = AnswerReader.request(for: HTTPLink(address, reach: reach))
    request.limits = limits
    request.validators = validators
    do throws(HTTPError) {
      let (response, body) = try await transport.send(request)
      if response.status == 304, validators != nil {
        return FetchAnswer(.notModified, by: response)
      }
      guard response.isSuccess else {
        let failure = FetchFailure(
          .status(response.status), requestedDelay: response.requestedDelay(now: now),
          host: URLReference(response.url).host)
        return FetchAnswer(.failed(failure), by: response)
      }
      return FetchAnswer(await read(response, body), by: response)
    } catch {
      return FetchAnswer(.failed(FetchFailure(.exchange(error))))
    }
  }

  /// The feed named by the page at an address; `nil` if it names none that can be read.
  func feed(ofPageAt address: String) async -> FoundFeed? {
    let link = HTTPLink(address, reach: .privateAddresses)
    return (try? await FeedFinder(transport: transport).firstFeed(at: link)) ?? nil
  }

  private func read(_ response: HTTPResponse, _ body: HTTPBody) async -> FetchAnswer.Result {
    let reader = AnswerReader(
      response, body, format: nil, as: .source, keepsRepeatedIDs: true,
      atMost: maximumItems)
    var items = FetchedItems(atMost: maximumItems)
    do throws(AnswerFailure) {
      while !items.isCut, let posts = try await reader.next() {
        // Plain text can be read as a timeline, but is not a feed: it is most often a server's
        // error message.
        guard await reader.format != .text else {
          return .failed(FetchFailure(.notAFeed("text, not a feed")))
        }
        posts.readEach { post in
          items.add(post)
          WorkerThreads.yield()
        }
      }
    } catch {
      return .failed(FetchFailure(Self.reason(of: error)))
    }
    if await reader.ending == .insideItem { items.endInsideItem() }
    if items.items.isEmpty, let damage = items.damage {
      return .failed(FetchFailure(.notAFeed(damage)))
    }
    let info = await reader.info
    var document = FetchedDocument(title: info.title, items: items.items)
    document.schedule = info.schedule
    if items.damage == nil { document.validators = HTTPValidators(response) }
    document.omission = await Self.omission(items, isCut: reader.isCut)
    return .document(document)
  }

  private static func omission(_ items: FetchedItems, isCut: Bool) -> String? {
    if let damage = items.damage { return damage }
    if items.isCut || isCut { return "only its first \(items.items.count) items were read" }
    let count = items.unreadableCount
    return count == 0 ? nil : "\(count) of its items could not be read"
  }

  private static func reason(of failure: AnswerFailure) -> FetchFailure.Reason {
    switch failure.reason {
    case .remote(let error): return .exchange(error)
    case .tooLarge(let limit):
      return .notAFeed("larger than \(limit.formattedBytes), the most that is read at once")
    case .listOfFeeds: return .notAFeed("a list of feeds (OPML), not a feed")
    case .notATimeline(let error):
      return error.kind == .html ? .webPage : .notAFeed(error.message)
    }
  }
}
