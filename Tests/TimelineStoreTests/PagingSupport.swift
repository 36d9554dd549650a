import Feeds
import HTTP
import TextLayout

@testable import TimelineStore

/// A clock that stands still until the test moves it.
@MainActor final class ManualClock {
  private(set) var now = 1_000.0
  private var alarm: (time: Double, body: @MainActor () -> Void)?

  var isArmed: Bool { alarm != nil }

  var clock: PagingClock {
    PagingClock(
      now: { self.now },
      wake: { self.alarm = (self.now + $0, $1) },
      cancelWake: { self.alarm = nil })
  }

  func advance(by seconds: Double) {
    now += seconds
    guard let (time, body) = alarm, time <= now else { return }
    alarm = nil
    body()
  }
}

/// A loader that answers on the test's request.
@MainActor final class StubPages: PageLoader {
  typealias Answer = Result<Page, PageFailure>

  private(set) var asked: [String] = []
  private(set) var isCancelled = false
  private var then: (@MainActor (Answer) -> Void)?
  /// Called with each requested address.
  var onLoad: (String) -> Void = { _ in }

  /// The address of the pending request.
  var pending: String? { then == nil ? nil : asked.last }

  func load(
    _ link: HTTPLink, following first: FeedFormat?, limit: PostLimit,
    then: @escaping @MainActor (Answer) -> Void
  ) {
    asked.append(link.url)
    onLoad(link.url)
    isCancelled = false
    self.then = then
  }

  func cancel() { isCancelled = true }

  func answer(_ answer: Answer) {
    let waiting = then
    then = nil
    waiting?(answer)
  }
}

extension PageFailure {
  static func status(_ code: Int, retryAfter delay: Double? = nil) -> PageFailure {
    PageFailure(reason: .remote(.status(code)), retryDelay: delay)
  }

  static var cancelled: PageFailure { PageFailure(reason: .remote(.cancelled)) }
}

extension NextPage {
  /// An address from a page of the internet.
  static func address(_ url: String) -> NextPage {
    .address(HTTPLink(url, reach: .publicAddresses))
  }
}

extension Post {
  /// A post whose properties are derived from its number.
  static func numbered(_ number: Int, text: String = "") -> Post {
    var post = Post(id: "p\(number)")
    post.body = StyledText("Post \(number)\(text)")
    post.published = Double(number)
    return post
  }
}
