import CTerminalRestoration
import Dispatch
import System

/// Delivers input from the terminal and signals as events to the screen's owner.
///
/// 1. Events are delivered on the main actor in the order of their arrival, in batches. Those typed
///    before the owner began to listen come first.
/// 2. Nothing runs without input: descriptors wake the main actor, and a timer exists only while an
///    unfinished sequence waits for its next byte.
/// 3. A terminal that is gone is no longer read; the screen is notified once.
@MainActor final class EventReader {
  /// The screen's handlers.
  struct Handlers {
    var onReply: @MainActor (TerminalReply) -> Void
    var onSignal: @MainActor (Int32) -> Void
    /// Called when the terminal is gone.
    var onEnd: @MainActor () -> Void
  }

  private let device: TerminalDevice
  private let signals: SignalPipe
  private let keyDelay: DispatchTimeInterval
  /// How long to wait for outstanding answers before the terminal is given back.
  private let answerLimit: Duration
  private var parser: InputParser
  private var pending: [InputEvent] = []
  private var handlers: Handlers?
  private var onEvents: (@MainActor ([InputEvent]) -> Void)?
  private var inputWatch: DescriptorWatch?
  private var signalWatch: DescriptorWatch?
  private var flushTimer: (any DispatchSourceTimer)?

  /// - Parameter environment: tells whether the terminal is connected by SSH, which may deliver the
  ///   bytes of one key separately.
  init(
    device: TerminalDevice, signals: SignalPipe, parser: InputParser,
    environment: [String: String]
  ) {
    self.device = device
    self.signals = signals
    self.parser = parser
    keyDelay = .milliseconds(environment["SSH_CONNECTION"] != nil ? 100 : 40)
    answerLimit = CapabilityProbe.farewell(environment: environment)
  }

  /// Whether a listener is attached.
  var isStarted: Bool { onEvents != nil }

  func start(_ handlers: Handlers, onEvents: @escaping @MainActor ([InputEvent]) -> Void) {
    self.handlers = handlers
    self.onEvents = onEvents
    signalWatch = DescriptorWatch(signals.descriptor) { [weak self] in self?.readSignals() }
    inputWatch = DescriptorWatch(device.input) { [weak self] in self?.readInput() }
    signals.setReadsRequests(true)
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.scheduleFlush()
        self.deliver([])
      }
    }
  }

  /// Reads input again after ``stopReading()``.
  func resumeReading() {
    guard onEvents != nil, inputWatch == nil else { return }
    inputWatch = DescriptorWatch(device.input) { [weak self] in self?.readInput() }
  }

  /// Stops reading input.
  func stopReading() {
    inputWatch?.cancel()
    inputWatch = nil
    flushTimer?.cancel()
    flushTimer = nil
  }

  /// Cancels all watches and drops their handlers.
  func stop() {
    stopReading()
    signalWatch?.cancel()
    signalWatch = nil
    (handlers, onEvents) = (nil, nil)
  }

  /// Sends a query to the terminal, to be answered by a reply.
  func ask(_ question: String) {
    parser.outstandingQueries += 1
    device.noteQueries(areOpen: true)
    // Every terminal answers DA1, which marks the end of the answers.
    device.write("\(question)\u{1B}[c".utf8)
  }

  /// Sends the startup queries again.
  func ask(_ probe: inout CapabilityProbe, of setup: TerminalSetup) {
    setup.ask(&probe, on: device, parser: &parser)
  }

  /// Reads outstanding answers for `limit` at most; a signal ends the wait. Keys typed meanwhile
  /// are kept. Call it before ``start(_:onEvents:)``.
  func readAnswers(to probe: inout CapabilityProbe, within limit: Duration) {
    guard probe.isOutstanding else { return }
    probe.wait(on: device, parser: &parser, within: limit, interruption: signals.descriptor)
    pending += probe.takeEvents()
  }

  /// Reads and drops outstanding answers, within `answerLimit`: the next program that reads the
  /// terminal would take them for keys.
  func discardReplies() { device.discardReplies(to: &parser, within: answerLimit) }

  /// Delivers these events after the pending ones.
  func deliver(_ events: [InputEvent]) {
    pending += events
    guard let onEvents, !pending.isEmpty else { return }
    // Without `MainLoop` the main queue may be served by another thread each time.
    terminal_restoration_protect_thread()
    let batch = pending
    pending = []
    onEvents(batch)
  }

  /// Delivers these events in a later turn of the main queue: the owner may be handling others.
  func deliverLater(_ events: [InputEvent]) {
    pending += events
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.deliver([]) }
    }
  }

  private func readInput() {
    guard inputWatch != nil else { return }
    var events: [InputEvent] = []
    // All available input is one batch, but a terminal that never pauses must not block other work.
    for _ in 0..<16 {
      switch device.read() {
      case .bytes(let bytes):
        let expectedReplies = parser.expectsReplies
        let output = parser.feed(bytes)
        events += output.events
        for reply in output.replies { handlers?.onReply(reply) }
        if expectedReplies, !parser.expectsReplies { device.noteQueries(areOpen: false) }
        // A further read that finds nothing costs as much as reading a key.
        if bytes.count == TerminalDevice.readLimit { continue }
      case .nothing: break
      case .end:
        stopReading()
        handlers?.onEnd()
        return deliver(events + [.terminate(SIGHUP)])
      }
      break
    }
    scheduleFlush()
    deliver(events)
  }

  private func readSignals() {
    for signal in signals.take() { handlers?.onSignal(signal) }
  }

  private func scheduleFlush() {
    let delay: DispatchTimeInterval
    switch parser.wait {
    case .none:
      flushTimer?.cancel()
      flushTimer = nil
      return
    case .key: delay = keyDelay
    case .sequence: delay = .seconds(1)
    case .paste: delay = .seconds(10)
    }
    let timer = flushTimer ?? DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + delay, leeway: .milliseconds(5))
    guard flushTimer == nil else { return }
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.flushTimer?.cancel()
        self.flushTimer = nil
        let output = self.parser.flush()
        for reply in output.replies { self.handlers?.onReply(reply) }
        self.scheduleFlush()
        self.deliver(output.events)
      }
    }
    timer.activate()
    flushTimer = timer
  }
}
