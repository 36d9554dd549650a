import HTTP
import Synchronization

/// One request and its response, between the transfer thread and the one task that reads it.
///
/// 1. Only the first end counts: `finish` stores it and resumes the waiters. If the reader cancels,
///    the thread is notified; if the thread ends the exchange, it drops the transfer by itself.
/// 2. Bytes that arrived before an orderly end, or before the body broke off or stalled, can still
///    be read after it; after any other error none can.
/// 3. Waiters are taken out under the lock and resumed outside it, so none is resumed twice.
/// 4. At most `bufferLimit` bytes wait for the reader, in addition to the last ones of a transfer.
///    Further bytes are refused and the transfer is held, until the reader takes the waiting bytes
///    and has it resumed. Both change `isHeld` under the lock of the buffer, so no held transfer is
///    left without a resumption.
final class Exchange: HTTPBodySource {
  private typealias ResponseWaiter = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
  private typealias ChunkWaiter = CheckedContinuation<Result<[UInt8]?, HTTPError>, Never>

  /// The result of passing bytes to the reader.
  enum DeliveryResult {
    case taken
    /// Refused, because the reader is slow. libcurl delivers the bytes again later.
    case held
    /// The exchange has ended, and the bytes are not needed.
    case ended
  }

  private struct State {
    var response: HTTPResponse?
    var cookies = CurlCookies()
    var buffer: [UInt8] = []
    var isHeld = false
    var end: Result<Void, HTTPError>?
    var responseWaiter: ResponseWaiter?
    var chunkWaiter: ChunkWaiter?
  }

  /// The maximum bytes that wait for the reader before the transfer is held: 1 MB.
  static let bufferLimit = 1_000_000

  let request: HTTPRequest
  let login: HTTPLogin?
  /// The cookies set by the redirects that led to this request.
  let cookies: CurlCookies
  /// When the first request of the redirect chain was sent: the time limits for the whole exchange
  /// and for the head count from then.
  let start: SuspendingClock.Instant
  private let thread: TransferThread
  private let state = Mutex(State())

  init(
    _ request: HTTPRequest, login: HTTPLogin?, cookies: CurlCookies = CurlCookies(),
    start: SuspendingClock.Instant, thread: TransferThread
  ) {
    self.request = request
    self.login = login
    self.cookies = cookies
    self.start = start
    self.thread = thread
  }

  // MARK: The reader's side

  func response() async -> Result<HTTPResponse, HTTPError> {
    await withCheckedContinuation { continuation in
      let ready: Result<HTTPResponse, HTTPError>? = state.withLock { state in
        // The body may have failed already; its reader gets that error.
        if let response = state.response { return .success(response) }
        if case .failure(let error) = state.end { return .failure(error) }
        state.responseWaiter = continuation
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }

  func next() async throws(HTTPError) -> [UInt8]? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        var isHeld = false
        let ready: Result<[UInt8]?, HTTPError>? = state.withLock { state in
          if !state.buffer.isEmpty {
            defer { state.buffer = [] }
            isHeld = state.isHeld
            state.isHeld = false
            return .success(state.buffer)
          }
          if case .failure(let error) = state.end { return .failure(error) }
          if case .success = state.end { return .success(nil) }
          precondition(state.chunkWaiter == nil, "a body has one reader")
          state.chunkWaiter = continuation
          return nil
        }
        if isHeld { thread.resume(self) }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  func cancel() {
    if finish(.failure(.cancelled)) { thread.abandon(self) }
  }

  // MARK: The thread's side

  /// The cookies to be sent to the target of a redirect; empty for other responses.
  var receivedCookies: CurlCookies { state.withLock { $0.cookies } }

  var hasEnded: Bool { state.withLock { $0.end != nil } }

  func receive(_ response: HTTPResponse, cookies: CurlCookies = CurlCookies()) {
    let waiter = state.withLock { state -> ResponseWaiter? in
      guard state.end == nil else { return nil }
      state.response = response
      state.cookies = cookies
      defer { state.responseWaiter = nil }
      return state.responseWaiter
    }
    waiter?.resume(returning: .success(response))
  }

  func receive(_ bytes: [UInt8]) -> DeliveryResult {
    var waiter: ChunkWaiter?
    let reception = state.withLock { state -> DeliveryResult in
      guard state.end == nil else { return .ended }
      if let reader = state.chunkWaiter {
        waiter = reader
        state.chunkWaiter = nil
        return .taken
      }
      guard state.buffer.isEmpty || state.buffer.count + bytes.count <= Self.bufferLimit else {
        state.isHeld = true
        return .held
      }
      state.buffer.append(contentsOf: bytes)
      return .taken
    }
    waiter?.resume(returning: .success(bytes))
    return reception
  }

  /// Ends the exchange, unless it has ended.
  ///
  /// - Parameter rest: bytes that have arrived but were not passed on yet; see rule 2.
  /// - Returns: whether this call ended it.
  @discardableResult func finish(_ end: Result<Void, HTTPError>, rest: [UInt8] = []) -> Bool {
    let keepsBytes =
      switch end {
      case .success, .failure(.truncated), .failure(.malformed), .failure(.timeout),
        .failure(.tooSlow):
        true
      case .failure: false
      }
    var waiters: (response: ResponseWaiter?, chunk: ChunkWaiter?)
    let isFirst = state.withLock { state in
      guard state.end == nil else { return false }
      state.end = end
      if keepsBytes {
        if state.chunkWaiter == nil { state.buffer += rest }
      } else {
        state.buffer = []
      }
      waiters = (state.responseWaiter, state.chunkWaiter)
      state.responseWaiter = nil
      state.chunkWaiter = nil
      return true
    }
    switch end {
    case .failure where keepsBytes && !rest.isEmpty && waiters.chunk != nil:
      waiters.chunk?.resume(returning: .success(rest))
    case .failure(let error):
      waiters.response?.resume(returning: .failure(error))
      waiters.chunk?.resume(returning: .failure(error))
    case .success:
      // An orderly end follows the head, so there is no waiter for the head.
      waiters.chunk?.resume(returning: .success(rest.isEmpty ? nil : rest))
    }
    return isFirst
  }
}
