import Dispatch
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
    DeadlineTransport(transport, self)
  }
}

/// Ends the exchanges of a cancelled reading with a timeout, if its deadline has passed: what has
/// arrived of a body is then read like that of one that broke off.
private struct DeadlineTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let deadline: ReadingDeadline

  init(_ transport: any HTTPTransport, _ deadline: ReadingDeadline) {
    (self.transport, self.deadline) = (transport, deadline)
  }

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
struct DeadlineClock: Sendable {
  /// Returns after these seconds, or when the task is cancelled.
  let sleep: @Sendable (_ seconds: Double) async -> Void

  static let system = DeadlineClock { seconds in
    let alarm = DeadlineAlarm()
    await withTaskCancellationHandler {
      await withCheckedContinuation { alarm.start($0, after: seconds) }
    } onCancel: {
      alarm.end()
    }
  }
}

/// Resumes a task after some time, or when it is ended before. No timer is left behind.
private final class DeadlineAlarm: Sendable {
  private enum State {
    case initial
    case waiting(CheckedContinuation<Void, Never>)
    case ended
  }

  private let state = Mutex(State.initial)
  private let timer = Mutex<MainQueueTimer?>(nil)

  func start(_ continuation: CheckedContinuation<Void, Never>, after seconds: Double) {
    let isEnded = state.withLock { state in
      if case .ended = state { return true }
      state = .waiting(continuation)
      return false
    }
    guard !isEnded else { return continuation.resume() }
    DispatchQueue.main.async { MainActor.assumeIsolated { self.arm(after: seconds) } }
  }

  @MainActor private func arm(after seconds: Double) {
    guard case .waiting = state.withLock({ $0 }) else { return }
    let timer = MainQueueTimer(after: seconds) { [weak self] in self?.end() }
    self.timer.withLock { $0 = timer }
  }

  func end() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .ended }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    waiting?.resume()
    DispatchQueue.main.async {
      MainActor.assumeIsolated { self.timer.withLock { $0 }?.cancel() }
    }
  }
}

@MainActor private final class MainQueueTimer {
  private let timer = DispatchSource.makeTimerSource(queue: .main)

  init(after seconds: Double, _ body: @escaping @MainActor () -> Void) {
    timer.schedule(deadline: .now() + seconds, leeway: .milliseconds(500))
    timer.setEventHandler { MainActor.assumeIsolated { body() } }
    timer.resume()
  }

  func cancel() { timer.cancel() }
}
