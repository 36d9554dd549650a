import HTTP
import Synchronization

/// The time within which a merged source has to bring its first post.
///
///     waiting ──first post──▶ met
///        └──time is up──▶ passed ──▶ the caller cancels the reading
///
/// A source that has begun goes on for as long as its transport allows.
final class ReadingDeadline: Sendable {
  /// Long enough for a feed of 4 MB, which is read whole, over a slow line; short enough to wait for.
  static let seconds = 30.0

  private enum State: UInt8, AtomicRepresentable {
    case waiting, met, passed
  }

  private let state = Atomic(State.waiting)

  /// The first posts have arrived.
  func meet() { _ = change(to: .met) }

  /// The time is up.
  ///
  /// - Returns: whether no post has arrived.
  func pass() -> Bool { change(to: .passed) }

  private func change(to new: State) -> Bool {
    state.compareExchange(
      expected: .waiting, desired: new, ordering: .acquiringAndReleasing
    ).exchanged
  }

  var hasPassed: Bool { state.load(ordering: .acquiring) == .passed }

  /// The failure of a source that is given up.
  static var failure: HTTPError { .timeout(seconds: seconds) }

  /// The transport for a reading that ends with this deadline.
  func ending(_ transport: any HTTPTransport) -> any HTTPTransport {
    DeadlineTransport(transport: transport, deadline: self)
  }
}

/// Ends the exchanges of a cancelled reading with a timeout, if its deadline has passed: what has
/// arrived of a body is then read like that of one that broke off.
private struct DeadlineTransport: HTTPTransport {
  let transport: any HTTPTransport
  let deadline: ReadingDeadline

  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    do throws(HTTPError) {
      let (response, body) = try await transport.send(request)
      return (response, HTTPBody(Body(body, deadline)))
    } catch {
      throw Self.failure(error, deadline)
    }
  }

  private static func failure(_ error: HTTPError, _ deadline: ReadingDeadline) -> HTTPError {
    error == .cancelled && deadline.hasPassed ? ReadingDeadline.failure : error
  }

  private final class Body: HTTPBodySource {
    private let body: Mutex<HTTPBody?>
    private let deadline: ReadingDeadline

    init(_ body: HTTPBody, _ deadline: ReadingDeadline) {
      self.body = Mutex(body)
      self.deadline = deadline
    }

    func next() async throws(HTTPError) -> [UInt8]? {
      guard let body = body.withLock({ $0 }) else { return nil }
      var chunks = body.makeAsyncIterator()
      do throws(HTTPError) {
        return try await chunks.next(isolation: nil)
      } catch {
        throw DeadlineTransport.failure(error, deadline)
      }
    }

    /// Releasing the body ends the transfer.
    func cancel() { body.withLock { $0 = nil } }
  }
}

/// The clock of these deadlines.
package struct DeadlineClock: Sendable {
  /// Returns after these seconds, or when the task is cancelled.
  let sleep: @Sendable (_ seconds: Double) async -> Void

  /// The system's clock. It leaves no timer behind when the task is cancelled.
  package static let system = DeadlineClock { seconds in
    let (ticks, end) = AsyncStream.makeStream(of: Never.self)
    let alarm = await MainQueueAlarm()
    await alarm.set(after: seconds) { end.finish() }
    for await _ in ticks {}
    await alarm.cancel()
  }
}
