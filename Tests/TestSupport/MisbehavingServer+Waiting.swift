import Glibc
import Synchronization

/// A condition for which a server's thread may wait; once open it stays open.
public final class ServerGate: Sendable {
  /// The reading end of a pipe, so that a thread can wait for it and a socket at once: it is
  /// readable when the writing end is closed.
  let descriptor: Int32
  private let writingEnd: Mutex<Int32?>

  public init() {
    var ends: [Int32] = [-1, -1]
    let status = pipe(&ends)
    precondition(status == 0, "no descriptors are left for a pipe")
    descriptor = ends[0]
    writingEnd = Mutex(ends[1])
  }

  deinit {
    open()
    close(descriptor)
  }

  public func open() {
    writingEnd.withLock { end in
      if let end { close(end) }
      end = nil
    }
  }
}

enum ServerPoll {
  enum Ready { case first, second, third }

  /// The descriptor that is ready, preferably a later one: a gate counts before a socket. A socket
  /// whose peer hung up is readable.
  static func readable(_ socket: Int32, or gates: ServerGate...) -> Ready {
    poll([socket] + gates.map(\.descriptor), for: POLLIN)
  }

  static func writable(_ socket: Int32, or gate: ServerGate) -> Ready {
    poll([socket, gate.descriptor], for: POLLOUT)
  }

  /// Whether neither the socket nor the gate becomes ready within `milliseconds`.
  static func isQuiet(_ socket: Int32, _ gate: ServerGate, milliseconds: Int32) -> Bool {
    var entries = [socket, gate.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    return Glibc.poll(&entries, nfds_t(entries.count), milliseconds) == 0
  }

  private static func poll(_ descriptors: [Int32], for event: Int32) -> Ready {
    var entries = descriptors.enumerated().map { index, descriptor in
      pollfd(fd: descriptor, events: Int16(index == 0 ? event : POLLIN), revents: 0)
    }
    while true {
      let count = Glibc.poll(&entries, nfds_t(entries.count), -1)
      if count < 0, errno == EINTR { continue }
      if entries.count > 2, entries[2].revents != 0 { return .third }
      if entries.count > 1, entries[1].revents != 0 { return .second }
      return .first
    }
  }
}

/// Separate threads: blocking ones would starve the pool that the tests run on.
enum ServerThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  static func start(_ run: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let body = Unmanaged.passRetained(Body(run))
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    if status == 0 { pthread_detach(thread) } else { body.release() }
  }
}
