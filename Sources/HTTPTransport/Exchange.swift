import Dispatch
import Foundation
import FoundationNetworking
import HTTP
import Synchronization

/// One request and its answer, between the session's queue and the one task that reads it.
///
/// 1. The first end counts: `finish` keeps it, wakes both waiters, stops the clock and, unless the
///    session itself reported it, cancels the session's task.
/// 2. What arrived before an orderly end is still read after it; after an error nothing is.
/// 3. The session traps when one of its completion handlers is called after its task was cancelled.
///    So a handler is called under the lock and only before the end, which is set under the same
///    lock before the task is cancelled; after the end it is dropped, and the session reports the
///    task's end all the same.
/// 4. Bytes waiting to be read are bounded by the request's `maximumBytes`, counted on arrival.
final class Exchange: HTTPBodySource {
  fileprivate struct State {
    var task: URLSessionDataTask?
    var clock: (any DispatchSourceTimer)?
    var started = DispatchTime.now()
    var lastSign = DispatchTime.now()
    var redirects = 0
    var response: HTTPResponse?
    var received = 0
    var chunks: [[UInt8]] = []
    var end: Result<Void, HTTPError>?
    var responseWaiter: ResponseWaiter?
    var chunkWaiter: ChunkWaiter?
  }

  /// Who is to be told of the end.
  private struct Waiting {
    let task: URLSessionDataTask?
    let response: ResponseWaiter?
    let chunk: ChunkWaiter?
  }

  typealias ResponseWaiter = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
  typealias ChunkWaiter = CheckedContinuation<Result<[UInt8]?, HTTPError>, Never>

  private static let clockQueue = DispatchQueue(label: "tideline.http.clock")

  private let request: HTTPRequest
  private let state = Mutex(State())

  init(_ request: HTTPRequest) {
    self.request = request
  }

  // MARK: The reader's side

  func start(_ task: URLSessionDataTask) {
    let begins = state.withLock { state in
      guard state.end == nil else { return false }
      state.started = .now()
      state.lastSign = state.started
      state.task = task
      let clock = DispatchSource.makeTimerSource(queue: Self.clockQueue)
      clock.setEventHandler { [weak self] in self?.checkTime() }
      clock.schedule(
        deadline: state.started + min(request.limits.idleSeconds, request.limits.totalSeconds))
      clock.activate()
      state.clock = clock
      return true
    }
    // Cancelled before it began: the task is still resumed, since only a task that ran reports its
    // end, and with it leaves the delegate's table.
    task.resume()
    if !begins { task.cancel() }
  }

  func response() async -> Result<HTTPResponse, HTTPError> {
    await withCheckedContinuation { continuation in
      let ready: Result<HTTPResponse, HTTPError>? = state.withLock { state in
        if case .failure(let error) = state.end { return .failure(error) }
        if let response = state.response { return .success(response) }
        state.responseWaiter = continuation
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }

  func next() async throws(HTTPError) -> [UInt8]? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready: Result<[UInt8]?, HTTPError>? = state.withLock { state in
          if case .failure(let error) = state.end { return .failure(error) }
          if !state.chunks.isEmpty { return .success(state.takeChunks()) }
          if case .success = state.end { return .success(nil) }
          precondition(state.chunkWaiter == nil, "a body has one reader")
          state.chunkWaiter = continuation
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      fail(.cancelled)
    }
    return try result.get()
  }

  func cancel() { fail(.cancelled) }

  func fail(_ error: HTTPError) { finish(.failure(error), cancelsTask: true) }

  // MARK: The session's side

  func redirect(
    to next: URLRequest, scheme: String, _ completionHandler: (URLRequest?) -> Void
  ) {
    let limit = request.limits.maximumRedirects
    let refusal = state.withLock { state -> HTTPError? in
      guard state.end == nil else { return nil }
      guard SessionDelegate.isWebScheme(scheme) else { return .unsupportedScheme(scheme) }
      state.redirects += 1
      state.lastSign = .now()
      guard state.redirects <= limit else { return .tooManyRedirects(limit: limit) }
      completionHandler(next)
      return nil
    }
    if let refusal { fail(refusal) }
  }

  func receive(
    _ urlResponse: URLResponse, _ completionHandler: (URLSession.ResponseDisposition) -> Void
  ) {
    guard let http = urlResponse as? HTTPURLResponse else {
      return fail(.malformed(reason: "no status line"))
    }
    var headers = HTTPHeaders()
    for (name, value) in http.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers.append(name, value) }
    }
    let response = HTTPResponse(
      status: http.statusCode, headers: headers, url: http.url?.absoluteString ?? request.url)
    if let length = response.expectedLength, length > request.limits.maximumBytes {
      return fail(.tooLarge(limit: request.limits.maximumBytes))
    }
    let waiter = state.withLock { state -> ResponseWaiter? in
      guard state.end == nil else { return nil }
      completionHandler(.allow)
      state.lastSign = .now()
      state.response = response
      defer { state.responseWaiter = nil }
      return state.responseWaiter
    }
    waiter?.resume(returning: .success(response))
  }

  func receive(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    var waiter: ChunkWaiter?
    let within = state.withLock { state in
      guard state.end == nil else { return true }
      state.lastSign = .now()
      state.received += bytes.count
      guard state.received <= request.limits.maximumBytes else { return false }
      waiter = state.chunkWaiter
      state.chunkWaiter = nil
      if waiter == nil { state.chunks.append(bytes) }
      return true
    }
    waiter?.resume(returning: .success(bytes))
    if !within { fail(.tooLarge(limit: request.limits.maximumBytes)) }
  }

  func complete(_ error: (any Error)?) {
    let (response, received) = state.withLock { ($0.response, $0.received) }
    let end: Result<Void, HTTPError>
    if let response {
      // The length is checked here as well: a body cut short is not always reported as an error.
      if let expected = response.expectedLength, received < expected {
        end = .failure(.truncated(expected: expected, received: received))
      } else if let error {
        let known = HTTPError(error, url: request.url)
        if case .tls = known {
          end = .failure(known)
        } else {
          end = .failure(.truncated(expected: response.expectedLength, received: received))
        }
      } else {
        end = .success(())
      }
    } else if let error {
      end = .failure(HTTPError(error, url: request.url))
    } else {
      end = .failure(.malformed(reason: "it has no head"))
    }
    finish(end, cancelsTask: false)
  }

  // MARK: The end

  private func finish(_ end: Result<Void, HTTPError>, cancelsTask: Bool) {
    let before = state.withLock { state -> Waiting? in
      guard state.end == nil else { return nil }
      state.end = end
      state.clock?.cancel()
      state.clock = nil
      if case .failure = end { state.chunks = [] }
      let before = Waiting(
        task: state.task, response: state.responseWaiter, chunk: state.chunkWaiter)
      state.task = nil
      state.responseWaiter = nil
      state.chunkWaiter = nil
      return before
    }
    guard let before else { return }
    if cancelsTask { before.task?.cancel() }
    switch end {
    case .failure(let error):
      before.response?.resume(returning: .failure(error))
      before.chunk?.resume(returning: .failure(error))
    case .success:
      // An orderly end comes after the head, so nobody waits for that.
      before.chunk?.resume(returning: .success(nil))
    }
  }

  private func checkTime() {
    let limits = request.limits
    let now = DispatchTime.now()
    var expired: Double?
    state.withLock { state in
      guard state.end == nil, let clock = state.clock else { return }
      let total = state.started + limits.totalSeconds
      let idle = state.lastSign + limits.idleSeconds
      if now >= total {
        expired = limits.totalSeconds
      } else if now >= idle {
        expired = limits.idleSeconds
      } else {
        clock.schedule(deadline: min(total, idle))
      }
    }
    if let expired { fail(.timeout(seconds: expired)) }
  }
}

extension Exchange.State {
  /// All that waits, as one chunk: one wake-up for what came while the reader was busy.
  fileprivate mutating func takeChunks() -> [UInt8] {
    defer { chunks = [] }
    return chunks.count == 1 ? chunks[0] : Array(chunks.joined())
  }
}
