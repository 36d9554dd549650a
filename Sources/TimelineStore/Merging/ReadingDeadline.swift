import HTTP
import Synchronization

/// The time within which a merged source has to deliver its first post.
///
///     waiting ──first post──▶ met
///        └──time is up──▶ passed ──▶ the caller cancels the reading
///
/// A source that has met it may continue for as long as its transport allows.
final class ReadingDeadline: Sendable {
  /// Long enough for a feed of 4 MB, which is read whole, over a slow line; short enough to wait
  /// for.
  static let seconds = 30.0

  private enum State: UInt8, AtomicRepresentable {
    case waiting, met, passed
  }

  private let state = Atomic(State.waiting)

  /// Records that the first posts have arrived, unless the deadline has passed.
  func meet() { _ = change(to: .met) }

  /// Records that the time is up, unless the first posts have arrived.
  ///
  /// - Returns: whether the deadline has passed by this call.
  func pass() -> Bool { change(to: .passed) }

  private func change(to new: State) -> Bool {
    state.compareExchange(
      expected: .waiting, desired: new, ordering: .acquiringAndReleasing
    ).exchanged
  }

  var hasPassed: Bool { state.load(ordering: .acquiring) == .passed }

  /// The failure of a source that has missed its deadline.
  static var failure: HTTPError { .timeout(seconds: seconds) }

  /// The transport for a reading that is cancelled when this deadline passes.
  func ending(_ transport: any HTTPTransport) -> any HTTPTransport {
    DeadlineTransport(transport: transport, deadline: self)
  }
}

/// Reports a timeout in place of a cancellation if the deadline has passed: the part of a body that
/// has arrived is then read as if the connection had broken.
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
