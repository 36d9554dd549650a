import Glibc
import Synchronization

/// An HTTP/1.1 server on its own loopback port that answers exactly as programmed, however wrong.
/// It serves one request for each connection, unless it keeps connections, and has a thread for
/// each. It waits for a `ServerGate` that the test opens, never for time.
public final class MisbehavingServer: Sendable {
  /// One step of an answer.
  public enum Step: Sendable {
    case send([UInt8])
    /// Waits until the gate is open; ends if the client hangs up first.
    case wait(ServerGate)
    /// Sends these bytes until the client hangs up.
    case sendForever([UInt8])
    /// Sends these bytes again and again, after a pause of `milliseconds` each time, until the
    /// client hangs up.
    case drip([UInt8], milliseconds: Int32)
    /// Sends nothing for `milliseconds`, like a distant server.
    case pause(milliseconds: Int32)
    /// Sends nothing until the client hangs up.
    case hang
  }

  /// The server's observations so far.
  public struct Seen: Sendable {
    /// Paths in the order of their requests.
    public var paths: [String] = []
    /// Heads of the requests in the same order.
    public var heads: [String] = []
    /// Connections that were made.
    public var connections = 0
    /// Requests being answered.
    public var open = 0
    /// The most requests answered at the same time.
    public var mostOpen = 0
    /// Paths whose client hung up before the answer was complete.
    public var hungUp: [String] = []
  }

  private struct Waiter {
    let condition: @Sendable (Seen) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var routes: [String: [Step]] = [:]
    var answers: [@Sendable (String) -> [Step]?] = []
    var seen = Seen()
    var waiters: [Waiter] = []
  }

  public let port: UInt16
  private let greeting: [UInt8]?
  private let keepsConnections: Bool
  private let listener: Int32
  private let stopped = ServerGate()
  private let state = Mutex(State())

  /// - Parameters:
  ///   - greeting: Sent at once to each client, whose connection is then closed.
  ///   - keepsConnections: Whether a connection takes another request after a whole answer.
  public init(greeting: [UInt8]? = nil, keepsConnections: Bool = false) throws {
    self.greeting = greeting
    self.keepsConnections = keepsConnections
    let opened = try LoopbackListener(backlog: 128)
    listener = opened.descriptor
    port = opened.port
    ServerThread.start { [self] in accept() }
  }

  /// Ends all answers and closes the port. Call it at the end of a test.
  public func stop() { stopped.open() }

  public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Sets the answer for a path; any other path is a 404.
  public func route(_ path: String, _ steps: [Step]) {
    state.withLock { $0.routes[path] = steps }
  }

  /// Adds a function that answers for paths without a route.
  public func answer(_ answer: @escaping @Sendable (_ path: String) -> [Step]?) {
    state.withLock { $0.answers.append(answer) }
  }

  private func steps(for path: String) -> [Step] {
    let (route, answers) = state.withLock { ($0.routes[path], $0.answers) }
    if let route { return route }
    for answer in answers {
      if let steps = answer(path) { return steps }
    }
    return Step.response(status: 404)
  }

  public var seen: Seen { state.withLock { $0.seen } }

  /// Returns as soon as the condition holds, without polling.
  public func until(_ condition: @escaping @Sendable (Seen) -> Bool) async {
    await withCheckedContinuation { continuation in
      let holds = state.withLock { state in
        if condition(state.seen) { return true }
        state.waiters.append(Waiter(condition: condition, continuation: continuation))
        return false
      }
      if holds { continuation.resume() }
    }
  }

  // MARK: Threads

  private func accept() {
    while ServerPoll.readable(listener, or: stopped) == .first {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { continue }
      note { $0.connections += 1 }
      ServerThread.start { [self] in
        while serve(client), keepsConnections {}
        close(client)
      }
    }
    close(listener)
  }

  /// Answers one request; returns false if there is none, or the answer was not complete.
  private func serve(_ client: Int32) -> Bool {
    if let greeting {
      _ = send(greeting, client)
      return false
    }
    guard let head = readHead(client) else { return false }
    let parts = head.split(separator: " ", maxSplits: 2)
    let path = parts.count > 1 ? String(parts[1]) : ""
    note { seen in
      seen.paths.append(path)
      seen.heads.append(head)
      seen.open += 1
      seen.mostOpen = max(seen.mostOpen, seen.open)
    }
    let isComplete = steps(for: path).allSatisfy { perform($0, client) }
    note { seen in
      seen.open -= 1
      if !isComplete { seen.hungUp.append(path) }
    }
    return isComplete
  }

  /// Returns false if the client hung up or the server stops.
  private func perform(_ step: Step, _ client: Int32) -> Bool {
    switch step {
    case .send(let bytes): return send(bytes, client)
    case .sendForever(let bytes):
      while send(bytes, client) {}
      return false
    case .wait(let gate):
      while true {
        switch ServerPoll.readable(client, or: gate, stopped) {
        case .second: return true
        case .third: return false
        case .first: if !drain(client) { return false }
        }
      }
    case .drip(let bytes, let milliseconds):
      while ServerPoll.isQuiet(client, stopped, milliseconds: milliseconds) {
        guard send(bytes, client) else { return false }
      }
      return false
    case .pause(let milliseconds):
      return milliseconds <= 0 || ServerPoll.isQuiet(client, stopped, milliseconds: milliseconds)
    case .hang:
      while ServerPoll.readable(client, or: stopped) == .first, drain(client) {}
      return false
    }
  }

  private func send(_ bytes: [UInt8], _ client: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard ServerPoll.writable(client, or: stopped) == .first else { return false }
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      let count = rest.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, flags) }
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func readHead(_ client: Int32) -> String? {
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard ServerPoll.readable(client, or: stopped) == .first else { return nil }
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      head.append(contentsOf: buffer.prefix(count))
      // A handshake of TLS: its client would wait for an answer.
      guard head[0] != 22 else { return nil }
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// Reads unexpected input; returns false at the end of the connection.
  private func drain(_ client: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 256)
    return recv(client, &buffer, buffer.count, 0) > 0
  }

  private func note(_ change: (inout Seen) -> Void) {
    let ready = state.withLock { state in
      change(&state.seen)
      let seen = state.seen
      let ready = state.waiters.filter { $0.condition(seen) }
      state.waiters.removeAll { $0.condition(seen) }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }
}
