import Feeds
import HTTP
import Synchronization
import TextLayout

@testable import Subscriptions
@testable import TimelineStore

/// A clock that stands still until the test moves it.
final class ManualClock: Sendable {
  private struct State {
    var now = 1_000.0
    var alarm: (time: Double, body: @Sendable () -> Void)?
  }

  private let state = Mutex(State())

  var now: Double { state.withLock { $0.now } }
  /// The seconds until it calls back; `nil` if it will not.
  var next: Double? { state.withLock { state in state.alarm.map { $0.time - state.now } } }
  var isArmed: Bool { next != nil }

  var clock: RefreshClock {
    RefreshClock(
      wall: { self.now }, steady: { self.now },
      wake: { seconds, body in
        self.state.withLock { state in
          state.alarm = seconds.map { (state.now + $0, body) }
        }
      })
  }

  func advance(by seconds: Double) {
    let body = state.withLock { state -> (@Sendable () -> Void)? in
      state.now += seconds
      guard let alarm = state.alarm, alarm.time <= state.now else { return nil }
      state.alarm = nil
      return alarm.body
    }
    body?()
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
