import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Serves all connections of a demo server on one thread.
///
/// 1. The loop sleeps in `poll` until a socket is ready, a wait is over, or somebody rings; without
///    clients that is forever. Nothing else in it blocks.
/// 2. Connections belong to the loop. Others reach it through `State`, under the lock, and then ring
///    by a byte into a pipe, whose ends live as long as this object.
/// 3. A connection is known by a number that is never used again: its descriptor may be another's by
///    the time a wait is over.
/// 4. It keeps itself while it runs; `stop` returns when the port and all connections are closed.
final class DemoServerLoop: Sendable {
  private typealias Instant = DemoServerConnection.Instant
  private typealias Connections = [Int: DemoServerConnection]

  private struct State {
    /// Connections whose wait is over, and whether their answer is still wanted.
    var due: [(connection: Int, isWanted: Bool)] = []
    var isStopping = false
    var hasEnded = false
    var stopping: [CheckedContinuation<Void, Never>] = []
  }

  /// Connections at once; more wait in the system's queue.
  private static let connectionLimit = 256

  let address: String
  private let port: Mutex<DemoServerListener?>
  private let latency: DemoServerLatency
  private let failures = DemoServerFailures()
  private let bell: (reading: DemoServerDescriptor, writing: DemoServerDescriptor)
  private let state = Mutex(State())

  init(listener: DemoServerListener, latency: DemoServerLatency) throws(DemoServerError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let reading = DemoServerDescriptor(ends[0]),
      let writing = DemoServerDescriptor(ends[1])
    else { throw DemoServerListener.error() }
    bell = (reading, writing)
    address = "http://127.0.0.1:\(listener.port)"
    port = Mutex(listener)
    self.latency = latency
  }

  /// The queue's one block lasts as long as the server, so its thread is this loop's own.
  func start() {
    DispatchQueue(label: "tideline.demo.server").async { self.run() }
  }

  func stop() async {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        state.isStopping = true
        if !state.hasEnded { state.stopping.append(continuation) }
        return state.hasEnded
      }
      if hasEnded { continuation.resume() } else { ring() }
    }
  }

  /// A full pipe rings as well.
  private func ring() {
    var byte: UInt8 = 0
    _ = write(bell.writing.number, &byte, 1)
  }

  // MARK: The thread

  private func run() {
    if let listener = port.withLock({ $0 }) { serve(listener) }
    port.withLock { $0 = nil }
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { state.stopping = [] }
      return state.stopping
    }
    for continuation in waiting { continuation.resume() }
  }

  private func serve(_ listener: DemoServerListener) {
    var connections: Connections = [:]
    var nextNumber = 0
    while let due = takeDue() {
      for (number, isWanted) in due {
        if isWanted { answer(number, &connections) } else { connections[number] = nil }
      }
      let now = Instant.now
      for (number, connection) in connections {
        if let deadline = connection.deadline, deadline <= now { answer(number, &connections) }
      }
      let numbers = Array(connections.keys)
      var entries = numbers.map { number in
        Self.entry(connections[number])
      }
      entries.append(pollfd(fd: bell.reading.number, events: Int16(POLLIN), revents: 0))
      if connections.count < Self.connectionLimit {
        entries.append(
          pollfd(fd: listener.descriptor.number, events: Int16(POLLIN), revents: 0))
      }
      let nearest = connections.values.compactMap(\.deadline).min()
      guard poll(&entries, nfds_t(entries.count), Self.milliseconds(until: nearest)) > 0 else {
        continue
      }
      for (entry, number) in zip(entries, numbers) where entry.revents != 0 {
        advance(number, &connections)
      }
      if entries[numbers.count].revents != 0 { hush() }
      if entries.count > numbers.count + 1, entries[numbers.count + 1].revents != 0,
        let client = listener.accept()
      {
        connections[nextNumber] = DemoServerConnection(client)
        nextNumber += 1
      }
    }
  }

  /// Waits that others kept and that are over; nil at the end.
  private func takeDue() -> [(connection: Int, isWanted: Bool)]? {
    state.withLock { state in
      guard !state.isStopping else { return nil }
      defer { state.due = [] }
      return state.due
    }
  }

  private func hush() {
    var rings: [UInt8] = []
    _ = bell.reading.receive(into: &rings, limit: 1024)
  }

  /// Something has happened at its socket.
  private func advance(_ number: Int, _ connections: inout Connections) {
    guard var connection = connections.removeValue(forKey: number) else { return }
    let step = connection.wantsToWrite ? connection.write() : connection.read()
    carryOut(step, number, connection, &connections)
  }

  private func answer(_ number: Int, _ connections: inout Connections) {
    guard var connection = connections.removeValue(forKey: number) else { return }
    let step = connection.path.map {
      connection.answer(DemoServerAnswer(path: $0, failures: failures))
    }
    carryOut(step ?? .rest, number, connection, &connections)
  }

  private func carryOut(
    _ step: DemoServerConnection.Step, _ number: Int, _ connection: DemoServerConnection,
    _ connections: inout Connections
  ) {
    var connection = connection
    switch step {
    case .end: return
    case .rest: break
    case .wait(let path):
      let delay = latency.delay(for: path)
      if let sleep = latency.sleep {
        Task { await self.wait(for: number, delay, sleep) }
      } else {
        connection.wait(until: .now + delay)
      }
    }
    connections[number] = connection
  }

  /// Lets somebody else keep the time.
  private func wait(
    for connection: Int, _ delay: Duration, _ sleep: @Sendable (Duration) async throws -> Void
  ) async {
    var isWanted = true
    do { try await sleep(delay) } catch { isWanted = false }
    state.withLock { $0.due.append((connection, isWanted)) }
    ring()
  }

  private static func entry(_ connection: DemoServerConnection?) -> pollfd {
    guard let connection else { return pollfd(fd: -1, events: 0, revents: 0) }
    let events = connection.wantsToWrite ? POLLOUT : connection.wantsToRead ? POLLIN : 0
    return pollfd(fd: connection.descriptor, events: Int16(events), revents: 0)
  }

  /// Rounded up, so that the time has come after it; forever where there is none.
  private static func milliseconds(until time: Instant?) -> Int32 {
    guard let time else { return -1 }
    let (seconds, attoseconds) = Instant.now.duration(to: time).components
    let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: max(0, seconds * 1000 + part))
  }
}
