import Feeds
import HTTP
import Library

/// The result of fetching a feed once, with the facts that decide when it is fetched again.
package struct FetchAnswer: Sendable {
  package enum Result: Sendable {
    case document(FetchedDocument)
    case notModified
    case failed(FetchFailure)
  }

  package var result: Result
  /// Seconds for which the answer stays fresh by its `Cache-Control`, counted from its arrival.
  package var maxAge: Double?
  /// The address of the answer, if it came by redirects and each of them was permanent.
  package var permanentTarget: String?

  package init(_ result: Result, maxAge: Double? = nil, permanentTarget: String? = nil) {
    self.result = result
    self.maxAge = maxAge
    self.permanentTarget = permanentTarget
  }

  /// An answer with `maxAge` and `permanentTarget` taken from `response`.
  init(_ result: Result, by response: HTTPResponse) {
    self.result = result
    if let maxAge = CacheControl(response.headers).maxAge {
      let age = response.headers["Age"].flatMap { Double($0) } ?? 0
      self.maxAge = max(0, maxAge - (age.isFinite ? max(0, age) : 0))
    }
    let isPermanent = response.redirects.allSatisfy { $0.status == 301 || $0.status == 308 }
    permanentTarget = isPermanent && !response.redirects.isEmpty ? response.url : nil
  }
}

/// The document of a feed, ready for the library.
package struct FetchedDocument: Sendable {
  package var title: String
  package var items: [NewItem] = []
  package var schedule = FeedSchedule()
  /// `nil` if the server gave none, or the document is incomplete.
  package var validators: HTTPValidators?
  /// Why items are missing, in one clause; `nil` if none are.
  package var omission: String?
}

/// Why a feed could not be fetched or read.
package struct FetchFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The exchange failed.
    case exchange(HTTPError)
    /// The answer has a status other than success.
    case status(Int)
    /// The answer is not a feed; the reason as one clause.
    case notAFeed(String)
    /// The answer is a web page.
    case webPage
  }

  package let reason: Reason
  /// The seconds that the server asks to wait; `nil` if it does not.
  package let requestedDelay: Double?
  /// The host that answered with an error status, after redirects; `nil` for other failures.
  package let host: String?

  package init(_ reason: Reason, requestedDelay: Double? = nil, host: String? = nil) {
    self.reason = reason
    self.requestedDelay = requestedDelay
    self.host = host
  }

  /// Whether no answer arrived, perhaps because this computer's network is down.
  package var isWithoutAnswer: Bool {
    switch reason {
    case .exchange(.unreachable), .exchange(.timeout), .exchange(.unavailable): true
    case .exchange, .status, .notAFeed, .webPage: false
    }
  }

  /// Whether the server says that the feed will not come back.
  package var isGone: Bool { reason == .status(410) }

  package var description: String {
    switch reason {
    case .exchange(let error): error.description
    case .status(let code): HTTPError.status(code).description
    case .notAFeed(let why): why
    case .webPage: "a web page, not a feed; it may ask to log in"
    }
  }
}
