import Dispatch
import Glibc

/// A program running in a pseudo-terminal, with its screen.
///
/// An actor on a separate thread: waiting blocks in `poll`, and must not keep one of the few
/// threads that Swift's tasks share from running a server in this process that the program uses. No
/// code here sleeps; every wait is for a condition, with a deadline, woken by the descriptor.
public actor TerminalSession {
  /// How long a condition may take to hold: long, since a test machine may be busy.
  public static let patience = Duration.seconds(120)

  private let executor: QueueExecutor
  private let terminal: PseudoTerminal
  private let child: ChildProcess
  private let screen: VirtualScreen
  private var stream: TerminalStream
  private var outgoing: ArraySlice<UInt8> = []
  /// Answers that are not sent yet; `nil` if they are sent at once.
  private var held: [UInt8]?
  private var isClosed = false
  /// All output of the program, or its output since ``forgetTranscript()``.
  public private(set) var transcript: [UInt8] = []
  /// The bytes that the program has written in all.
  public private(set) var byteCount = 0

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Starts the program at `path` in a terminal of `size`. TERM comes from `personality`.
  ///
  /// - Parameter window: the size that the terminal reports, if it differs.
  public init(
    path: String, arguments: [String] = [], environment: [String: String],
    workingFolder: String? = nil, size: TerminalSize = TerminalSize(columns: 80, rows: 24),
    window: TerminalSize? = nil, personality: TerminalPersonality = .xterm
  ) throws {
    executor = QueueExecutor()
    screen = VirtualScreen(columns: size.columns, rows: size.rows)
    stream = TerminalStream(personality: personality, size: size)
    let terminal = try PseudoTerminal(size: window ?? size)
    var environment = environment
    environment["TERM"] = personality.term
    // On a busy machine answers may come later than a program would wait for a real terminal.
    if personality.answersQueries, !personality.holdsAnswers {
      environment["TIDELINE_PROBE_MILLISECONDS"] = "20000"
    }
    held = personality.holdsAnswers ? [] : nil
    child = try ChildProcess(
      path: path, arguments: arguments, environment: environment, workingFolder: workingFolder,
      descriptors: [.open(terminal.path), .duplicate(0), .duplicate(0)], newSession: true)
    self.terminal = terminal
  }

  deinit { child.send(signal: SIGKILL, group: true) }

  public nonisolated var processID: Int32 { child.processID }

  // MARK: The user's input

  /// Types `text`; see ``TerminalKey`` for keys that are not characters.
  public func send(_ text: String) {
    outgoing += Array(text.utf8)
    writePending()
  }

  public func resize(columns: Int, rows: Int) throws {
    var size = stream.size
    size.columns = columns
    size.rows = rows
    try resize(to: size)
  }

  /// Sets another size of the window, of its cells, or of both, as after a change of font. The
  /// present size changes nothing and is not signalled.
  public func resize(to size: TerminalSize) throws {
    guard size != stream.size else { return }
    stream.size = size
    screen.resize(columns: size.columns, rows: size.rows)
    stream.links?.resize(columns: size.columns, rows: size.rows)
    try terminal.resize(to: size)
  }

  /// Reports `window` to the program as its size; the screen is unchanged.
  public func report(window: TerminalSize) throws { try terminal.resize(to: window) }

  /// Sends a signal to the program.
  public func send(signal: Int32) { child.send(signal: signal) }

  /// The bytes of answers that are not sent yet.
  public var heldAnswers: Int { held?.count ?? 0 }

  /// Sends the answers so far, and later ones at once.
  public func releaseAnswers() {
    outgoing += held ?? []
    held = nil
    writePending()
  }

  /// Drops the answers so far, and sends later ones at once.
  public func dropAnswers() { held = nil }

  // MARK: The visible screen

  /// The screen after all input that has arrived by now.
  public var snapshot: ScreenSnapshot {
    drain()
    return currentSnapshot()
  }

  /// Waits until `condition` holds for the screen and returns that screen.
  ///
  /// - Throws: `HarnessError.timedOut` with the screen, or `.exited` if the program ends first.
  @discardableResult
  public func waitFor(
    _ what: String, within patience: Duration = TerminalSession.patience,
    _ condition: @Sendable (ScreenSnapshot) -> Bool
  ) throws -> ScreenSnapshot {
    let deadline = ContinuousClock.now + patience
    while true {
      let snapshot = self.snapshot
      if condition(snapshot) { return snapshot }
      if let status = child.exitStatus, isClosed {
        throw HarnessError.exited(status, waitingFor: what, screen: snapshot.text)
      }
      guard awaitActivity(until: deadline) else {
        throw HarnessError.timedOut(waitingFor: what, screen: self.snapshot.text)
      }
    }
  }

  /// Waits until the program has written `text`, by bytes, anywhere on the screen, after the first
  /// `count` of its bytes.
  public func waitFor(
    written text: String, after count: Int = 0, within patience: Duration = TerminalSession.patience
  ) throws {
    let deadline = ContinuousClock.now + patience
    while !hasWritten(text, after: count) {
      guard awaitActivity(until: deadline), !(isClosed && child.exitStatus != nil) else {
        throw HarnessError.timedOut(waitingFor: "the bytes of \"\(text)\"", screen: snapshot.text)
      }
    }
  }

  /// Whether the program has written `text` by now, after the first `count` of its bytes.
  public func hasWritten(_ text: String, after count: Int = 0) -> Bool {
    drain()
    guard count <= transcript.count else { return false }
    return transcript[count...].withUnsafeBytes { ByteSearch.isFound(text, in: $0) }
  }

  /// Waits until the screen contains `text`.
  @discardableResult
  public func waitFor(text: String, within patience: Duration = TerminalSession.patience) throws
    -> ScreenSnapshot
  {
    try waitFor("the text \"\(text)\"", within: patience) { $0.contains(text) }
  }

  /// Waits until `condition` holds and the program has then written nothing for `quiet`, without
  /// waiting for a processor.
  ///
  /// - Throws: as ``waitFor(_:within:_:)``; the condition must still hold at the end.
  @discardableResult
  public func settle(
    _ what: String = "a screen at rest", quiet: Duration = .milliseconds(60),
    within patience: Duration = TerminalSession.patience,
    _ condition: @Sendable (ScreenSnapshot) -> Bool = { _ in true }
  ) throws -> ScreenSnapshot {
    let deadline = ContinuousClock.now + patience
    while true {
      try waitFor(what, within: deadline - .now, condition)
      let count = transcript.count
      let silence = ContinuousClock.now + quiet
      while awaitActivity(until: silence) && transcript.count == count && !isClosed {}
      let snapshot = self.snapshot
      if transcript.count == count, !isAnyThreadAtWork(), condition(snapshot) {
        return snapshot
      }
      guard ContinuousClock.now < deadline else {
        throw HarnessError.timedOut(waitingFor: what, screen: snapshot.text)
      }
    }
  }

  /// Waits for the program's end and reads all its output before it.
  @discardableResult
  public func waitForExit(within patience: Duration = TerminalSession.patience) throws
    -> ExitStatus
  {
    let deadline = ContinuousClock.now + patience
    while child.exitStatus == nil {
      guard awaitActivity(until: deadline) else {
        throw HarnessError.timedOut(waitingFor: "the program's end", screen: snapshot.text)
      }
    }
    drain()
    return child.exitStatus ?? .exited(-1)
  }

  /// Waits for the program's end without reading its output: like a terminal that hangs.
  public func waitForExitWithoutReading(
    within patience: Duration = TerminalSession.patience
  ) throws -> ExitStatus {
    let deadline = ContinuousClock.now + patience
    while child.exitStatus == nil {
      guard ContinuousClock.now < deadline else {
        throw HarnessError.timedOut(waitingFor: "the program's end, unread", screen: "")
      }
      awaitEnd(milliseconds: 100)
    }
    return child.exitStatus ?? .exited(-1)
  }

  /// Types `text` again and again, without reading the program's output, until its main thread
  /// sleeps although keys are waiting: it hangs in a call.
  public func typeUntilItHangs(
    _ text: String, within patience: Duration = TerminalSession.patience
  ) throws {
    let deadline = ContinuousClock.now + patience
    var count = 0
    // Often enough to be sure that it was not about to wake up.
    while count < 5 {
      guard ContinuousClock.now < deadline, child.exitStatus == nil else {
        throw HarnessError.timedOut(waitingFor: "the program to hang", screen: "")
      }
      if count == 0 { _ = terminal.write(Array(text.utf8)[...]) }
      awaitEnd(milliseconds: 20)
      count = try terminal.unreadByPrograms() > 0 && !wantsToRun ? count + 1 : 0
    }
  }

  private func awaitEnd(milliseconds: Int32) {
    var waiting = pollfd(fd: child.endDescriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&waiting, 1, milliseconds)
  }

  /// Whether the terminal echoes typed characters and waits for whole lines, as for a shell. A
  /// full-screen program turns this off and must turn it on again.
  public func isCooked() throws -> Bool {
    let flags = try terminal.attributes().c_lflag
    return flags & tcflag_t(ECHO) != 0 && flags & tcflag_t(ICANON) != 0
  }

  // MARK: Long runs

  /// Reads the program's output for `time`.
  ///
  /// - Throws: `HarnessError.exited` if the program ends meanwhile.
  public func watch(for time: Duration) throws {
    let deadline = ContinuousClock.now + time
    while awaitActivity(until: deadline) { try requireRunning("nothing in particular") }
  }

  /// Waits until the program has written nothing for `quiet` and its main thread is not running;
  /// returns false if that does not happen.
  ///
  /// - Throws: `HarnessError.exited` if the program ends meanwhile.
  public func pause(quiet: Duration, within patience: Duration) throws -> Bool {
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline {
      let count = byteCount
      let silence = ContinuousClock.now + quiet
      while byteCount == count, awaitActivity(until: silence) { try requireRunning("a pause") }
      if byteCount == count, !wantsToRun { return true }
    }
    return false
  }

  /// Throws an error with the present screen if the program has ended.
  func requireRunning(_ what: String) throws {
    guard let status = child.exitStatus, isClosed else { return }
    throw HarnessError.exited(status, waitingFor: what, screen: snapshot.text)
  }

  /// Drops the records of the past, which are too large in a long run.
  public func forgetTranscript() {
    transcript = []
    stream.forgetPictures()
  }

  /// Makes the terminal handle these bytes as the program's: for tests of checks that find damage.
  public func inject(_ bytes: [UInt8]) { outgoing += stream.pass(bytes, to: screen) }

  /// The open link, to which the next character would belong: `id=…;address`.
  public var openLink: String? { stream.links?.open }

  // MARK: Pictures

  /// The screen with the content of its pictures.
  public var drawnScreen: DrawnScreen {
    DrawnScreen(
      snapshot, pictures: screen.pictures, cellWidth: stream.size.cellWidth,
      cellHeight: stream.size.cellHeight)
  }

  /// The images at a terminal with kitty's graphics.
  public var kittyImages: KittyImages { stream.kittyImages }

  /// Sixel pictures the program has sent so far, in order.
  public var sixels: [SixelStrip] { stream.sixels }
  /// The program's moves of lines within a scroll region, in order.
  public var lineMoves: [LineMovement] { stream.lineMoves }
  /// Inline pictures the program has sent so far, in order.
  public var inlinePictures: [InlinePictureSequence] { stream.inlinePictures }
  /// The part of a painted picture in each cell of the screen that has not been overwritten since.
  public var paintedCells: [[PaintedCell?]] { screen.pictures }
  /// Graphics commands the program has sent so far, in order, without queries.
  public var kittyCommands: [KittyCommand] { stream.kittyCommands }

  // MARK: The descriptor

  private func currentSnapshot() -> ScreenSnapshot {
    var snapshot = screen.snapshot()
    snapshot.modes = stream.modes
    stream.links?.mark(&snapshot)
    return snapshot
  }

  /// Reads and answers all output that has arrived; of a program that never stops writing, only as
  /// much as lets the caller check its deadline.
  private func drain() {
    let end = byteCount + 1 << 22
    while byteCount < end, case .bytes(let bytes) = readOnce() {
      transcript += bytes
      byteCount += bytes.count
      let answers = stream.pass(bytes, to: screen)
      if held == nil { outgoing += answers } else { held? += answers }
      writePending()
    }
  }

  private func readOnce() -> PseudoTerminal.Reading {
    let reading = terminal.read()
    if case .closed = reading { isClosed = true }
    return reading
  }

  private func writePending() {
    while !outgoing.isEmpty {
      let count = terminal.write(outgoing)
      guard count > 0 else { return }
      outgoing = outgoing.dropFirst(count)
    }
  }

  /// Waits until the program writes, can be written to or ends; false when `deadline` has passed.
  private func awaitActivity(until deadline: ContinuousClock.Instant) -> Bool {
    let remaining = deadline - .now
    guard remaining > .zero else { return false }
    let milliseconds =
      remaining.components.seconds * 1000
      + remaining.components.attoseconds / 1_000_000_000_000_000
    let events = Int16(POLLIN) | (outgoing.isEmpty ? 0 : Int16(POLLOUT))
    // A descriptor that has ended or is closed is always ready, and would cause a busy loop.
    var waiting: [pollfd] = []
    if child.exitStatus == nil {
      waiting.append(pollfd(fd: child.endDescriptor, events: Int16(POLLIN), revents: 0))
    }
    if !isClosed { waiting.append(pollfd(fd: terminal.descriptor, events: events, revents: 0)) }
    // The program may have ended since the caller checked: there is nothing left to wait for.
    guard !waiting.isEmpty else { return true }
    if poll(&waiting, nfds_t(waiting.count), Int32(clamping: milliseconds + 1)) > 0 {
      writePending()
      drain()
    }
    return true
  }
}

/// Runs an actor's work serially on a thread that may block.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "tideline.tests.terminal")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
