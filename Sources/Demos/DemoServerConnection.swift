/// One client of the demo server: its requests are read, answered after their wait, and written,
/// one after the other.
struct DemoServerConnection {
  typealias Instant = SuspendingClock.Instant

  /// What the loop has to do for it next.
  enum Step {
    /// Wait before the request is answered.
    case wait(path: String)
    /// Nothing until the socket is ready.
    case rest
    /// Close the connection.
    case end
  }

  private enum Phase {
    case reading
    /// Until the loop answers; the time is nil where somebody else keeps it.
    case waiting(DemoServerRequest, until: Instant?)
    case writing([UInt8], from: Int, staysOpen: Bool)
  }

  private let socket: DemoServerDescriptor
  private var input: [UInt8] = []
  private var phase = Phase.reading

  init(_ socket: DemoServerDescriptor) { self.socket = socket }

  var descriptor: Int32 { socket.number }

  /// Whether it waits for bytes. A client that asks ahead is listened to as far as one head goes,
  /// so that its leaving is noticed and nothing more is kept.
  var wantsToRead: Bool {
    if case .writing = phase { false } else { input.count < DemoServerRequest.limit }
  }

  var wantsToWrite: Bool { if case .writing = phase { true } else { false } }

  /// When to answer; nil where nothing waits for a time.
  var deadline: Instant? { if case .waiting(_, let until) = phase { until } else { nil } }

  /// The path that an answer is due for.
  var path: String? { if case .waiting(let request, _) = phase { request.path } else { nil } }

  mutating func read() -> Step {
    let room = DemoServerRequest.limit - input.count
    switch socket.receive(into: &input, limit: room) {
    case .bytes: return advance()
    case .wouldBlock: return .rest
    case .gone: return .end
    }
  }

  /// The request's wait ends then.
  mutating func wait(until time: Instant) {
    if case .waiting(let request, _) = phase { phase = .waiting(request, until: time) }
  }

  /// Answers the request that waits.
  mutating func answer(_ answer: DemoServerAnswer) -> Step {
    guard case .waiting(let request, _) = phase else { return .rest }
    return write(answer, staysOpen: request.staysOpen)
  }

  /// Goes on writing.
  mutating func write() -> Step {
    guard case .writing(let bytes, var from, let staysOpen) = phase else { return .rest }
    while from < bytes.count {
      switch socket.transmit(bytes[from...]) {
      case .bytes(let count): from += count
      case .wouldBlock:
        phase = .writing(bytes, from: from, staysOpen: staysOpen)
        return .rest
      case .gone: return .end
      }
    }
    guard staysOpen else { return .end }
    phase = .reading
    return advance()
  }

  /// Takes up the next request, where it is complete.
  private mutating func advance() -> Step {
    guard case .reading = phase else { return .rest }
    switch DemoServerRequest.parse(input) {
    case .incomplete: return .rest
    case .nonsense:
      return write(DemoServerAnswer(.badRequest), staysOpen: false)
    case .request(let request, let length):
      input.removeFirst(length)
      guard request.method == "GET" else {
        return write(DemoServerAnswer(.notAllowed), staysOpen: false)
      }
      phase = .waiting(request, until: nil)
      return .wait(path: request.path)
    }
  }

  private mutating func write(_ answer: DemoServerAnswer, staysOpen: Bool) -> Step {
    phase = .writing(answer.bytes(staysOpen: staysOpen), from: 0, staysOpen: staysOpen)
    return write()
  }
}
