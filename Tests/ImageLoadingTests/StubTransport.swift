import HTTP
import Synchronization

/// A transport whose responses are triggered by the test.
final class StubTransport: HTTPTransport {
  private struct State {
    var requested: [String] = []
    var waiting: [String: [CheckedContinuation<Result<[UInt8], HTTPError>, Never>]] = [:]
    var cancelled: [String] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private final class Whole: HTTPBodySource {
    private let bytes: Mutex<[UInt8]?>
    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes.isEmpty ? nil : bytes) }
    func next() async throws(HTTPError) -> [UInt8]? {
      bytes.withLock { bytes in
        defer { bytes = nil }
        return bytes
      }
    }
    func cancel() {}
  }

  private let state = Mutex(State())

  /// URLs in the order of their requests.
  var requested: [String] { state.withLock { $0.requested } }
  var cancelled: [String] { state.withLock { $0.cancelled } }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    let url = request.url
    let result: Result<[UInt8], HTTPError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let watchers = state.withLock { state in
          state.requested.append(url)
          state.waiting[url, default: []].append(continuation)
          let ready = state.watchers.filter { $0.count <= state.requested.count }
          state.watchers.removeAll { $0.count <= state.requested.count }
          return ready
        }
        for watcher in watchers { watcher.continuation.resume() }
        // Cancelled before it waited: the handler is not called again.
        if Task.isCancelled { answer(url, .failure(.cancelled)) }
      }
    } onCancel: {
      state.withLock { $0.cancelled.append(url) }
      answer(url, .failure(.cancelled))
    }
    let bytes = try result.get()
    let response = HTTPResponse(
      status: 200, headers: ["Content-Length": "\(bytes.count)"], url: url)
    return (response, HTTPBody(Whole(bytes)))
  }

  /// Responds to the oldest waiting request of that URL.
  func answer(_ url: String, _ result: Result<[UInt8], HTTPError>) {
    let waiter = state.withLock {
      state -> CheckedContinuation<Result<[UInt8], HTTPError>, Never>? in
      guard state.waiting[url]?.isEmpty == false else { return nil }
      return state.waiting[url]?.removeFirst()
    }
    waiter?.resume(returning: result)
  }

  /// Returns once that many requests have arrived in total.
  func untilRequested(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.requested.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
