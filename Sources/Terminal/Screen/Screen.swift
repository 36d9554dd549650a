import CNcurses
import CTerminalRestoration
import Dispatch
import FoundationEssentials
import Geometry
import Pixels
import System
import TextLayout

/// The terminal as a grid of cells: draws canvases through ncurses and delivers the user's input.
///
/// One is open at a time. Rules:
/// 1. From the first byte that changes the terminal until ``close()``, the terminal is restored
///    however the program ends (`TerminalTakeover`).
/// 2. ncurses is used on the main actor only, and for output only: its keyboard, its mouse and its
///    signal handlers are off.
/// 3. A terminal that is gone is no longer written to; the owner is notified once, by `SIGHUP`.
@MainActor public final class Screen {
  /// Columns and rows.
  public private(set) var size: Size
  /// The known capabilities of the terminal.
  public private(set) var capabilities: TerminalCapabilities
  /// The bytes sent by frames so far.
  public var bytesWritten: Int { frames.byteCount }

  /// Renders pictures by the method of this screen.
  public let pictures: PictureRenderer
  /// Called when pictures rendered so far no longer fit: the terminal's cells have another size, or
  /// it has answered after the first frame that it draws pictures in another way.
  public var onPictureMethodChange: (@MainActor () -> Void)?

  /// Called when ``capabilities`` have changed by answers that came after the screen was opened;
  /// with true if layout depends on the change, with false if only drawing does.
  package var onCapabilitiesChange: (@MainActor (_ changesLayout: Bool) -> Void)?

  private let signals: SignalPipe
  private let events: EventReader
  private var takeover: TerminalTakeover
  private let frames: ScreenFrames
  private var probe: CapabilityProbe
  private var isSharpeningScheduled = false
  private var state = State.open

  private enum State { case open, lent, lost, closed }

  /// Opens the terminal, queries its capabilities and takes it over.
  ///
  /// Call it before other threads read the environment: ncurses receives the description of the
  /// terminal through it.
  ///
  /// - Throws: `TerminalError` if there is no usable terminal, or a system call fails.
  public convenience init(_ configuration: ScreenConfiguration) throws(TerminalError) {
    let pending = try PendingScreen(configuration)
    self.init(pending)
    awaitAnswers(within: CapabilityProbe.deadline(environment: configuration.environment))
    probe.giveUp()
  }

  /// Takes over a terminal that was queried, with the capabilities by the answers that have come.
  init(_ pending: PendingScreen) {
    let setup = pending.setup
    (probe, signals) = (pending.probe, pending.signals)
    events = EventReader(
      device: pending.device, signals: signals, parser: pending.parser,
      environment: pending.environment)
    events.readAnswers(to: &probe, within: .zero)
    let window = pending.device.window()
    let found = setup.capabilities(by: probe, window: window)
    let method = setup.pictureMethod(for: found)
    capabilities = found
    size = setup.curses.resized(to: window)
    takeover = TerminalTakeover(
      pending.device, entry: setup.entry, modes: setup.modes(by: probe, pictures: method))
    pictures = pending.pictures
    pictures.method = method
    frames = ScreenFrames(setup, capabilities: found, pictures: pictures)
    TextMetrics.current.drawsWholeClusters = found.drawsWholeClusters
    takeover.begin(size: size, hiding: frames.farewell)
  }

  private var device: TerminalDevice { takeover.device }

  /// The number of colours that the screen shows.
  public var colorDepth: ColorDepth { capabilities.colorDepth }
  /// The width of a cell divided by its height.
  public var cellAspect: Double { capabilities.cellAspect }

  // MARK: Events

  /// Begins to deliver events, in batches, on the main actor, first those typed since the opening.
  public func start(onEvents: @escaping @MainActor ([InputEvent]) -> Void) {
    guard state == .open, !events.isStarted else { return }
    let handlers = EventReader.Handlers(
      onReply: { [weak self] in self?.note($0) }, onSignal: { [weak self] in self?.note($0) },
      onEnd: { [weak self] in self?.lose() })
    events.start(handlers, onEvents: onEvents)
    scheduleDeadline()
  }

  private func note(_ reply: TerminalReply) {
    if probe.isOutstanding {
      probe.note(reply)
      if probe.isComplete { return adoptAnswers() }
      guard probe.isOverdue else { return }
    }
    switch reply {
    // Terminals keep few pictures; those that they have dropped are missing when the window is
    // uncovered.
    case .focus(true): if frames.showsPaintedPictures { redraw() }
    case .window(let numbers):
      guard numbers.count == 3, numbers[0] == 6,
        let cell = PixelSize.cell(width: numbers[2], height: numbers[1])
      else { return }
      setCell(cell)
    case .color(let number, let text):
      let before = capabilities.colors
      capabilities.colors.note(report: number, text)
      if capabilities.colors != before { onCapabilitiesChange?(false) }
    default: break
    }
  }

  /// Waits for outstanding answers, by default at most 10 ms, and adopts those that have come.
  ///
  /// Call it after laying out the first frame: the frame is laid out again only if the answers
  /// change the layout.
  package func awaitAnswers() {
    awaitAnswers(within: CapabilityProbe.patience(environment: frames.setup.environment))
  }

  private func awaitAnswers(within limit: Duration) {
    guard state == .open, probe.isOutstanding else { return }
    events.readAnswers(to: &probe, within: limit)
    adoptAnswers()
  }

  /// Uses the answers that have come by the deadline if the last one has not.
  private func scheduleDeadline() {
    guard probe.isOutstanding, !probe.isOverdue else { return }
    let deadline = CapabilityProbe.deadline(environment: frames.setup.environment)
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(deadline.wholeNanoseconds)) {
      [weak self] in
      MainActor.assumeIsolated { self?.endWait() }
    }
  }

  private func endWait() {
    guard probe.isOutstanding else { return }
    probe.giveUp()
    adoptAnswers()
  }

  /// Draws by the answers so far, which have come after the screen was opened.
  private func adoptAnswers() {
    guard state == .open else { return }
    let found = frames.setup.capabilities(by: probe, window: device.window())
    let method = frames.setup.pictureMethod(for: found)
    device.write(takeover.adopt(frames.setup.modes(by: probe, pictures: method)))
    defer { prepareRestoration() }
    guard found != capabilities || method != pictures.method else { return }
    device.write(frames.farewell)
    frames.forgetPictures()
    let hasOtherMethod = method != pictures.method
    let changesLayout = hasOtherMethod || found.cellAspect != cellAspect
    capabilities = found
    pictures.method = method
    TextMetrics.current.drawsWholeClusters = found.drawsWholeClusters
    frames.redraw(by: found)
    if hasOtherMethod { onPictureMethodChange?() }
    if let onCapabilitiesChange {
      onCapabilitiesChange(changesLayout)
    } else if events.isStarted {
      events.deliver([.resize(size)])
    }
  }

  private func setCell(_ cell: PixelSize) {
    guard capabilities.cellPixelSize != cell else { return }
    capabilities.cellPixelSize = cell
    let method = pictures.method.withCell(cell)
    guard method.paintsOverCells, method != pictures.method else { return }
    pictures.method = method
    // Strips painted meanwhile for larger cells extend over other cells, from which nothing else
    // would erase them.
    invalidate()
    onPictureMethodChange?()
  }

  private func note(_ signal: Int32) {
    switch signal {
    case SIGWINCH: windowChanged()
    case SIGCONT: recover()
    case _ where SignalPipe.stops(signal): stop(by: signal, wholeGroup: false)
    default: events.deliver([.terminate(signal)])
    }
  }

  /// Redraws in any case: a terminal that was resized and back before its size was read has the
  /// same size, but has cut its content.
  private func windowChanged() {
    if !updateSize() { invalidate() }
    events.deliver([.resize(size)])
  }

  /// - Returns: whether the size has changed.
  private func updateSize() -> Bool {
    guard state == .open, let window = device.window() else { return false }
    if capabilities.reportsCellSize {
      // Dividing the window's pixels by its columns is right only if the window has no margins.
      events.ask("\u{1B}[16t")
    } else if let cell = window.cell {
      setCell(cell)
    }
    // Fails if there is no memory for it.
    guard window.cells != size,
      resizeterm(Int32(window.cells.height), Int32(window.cells.width)) == OK
    else { return false }
    size = window.cells
    prepareRestoration()
    invalidate()
    return true
  }

  /// Whether wheel, buttons and drags are reported; the terminal's own selection then needs Shift.
  public var reportsMouse: Bool {
    get { takeover.reportsMouse }
    set {
      let bytes = takeover.report(mouse: newValue)
      guard state == .open, !bytes.isEmpty else { return }
      device.write(bytes)
      prepareRestoration()
    }
  }

  // MARK: Drawing

  /// Shows `canvas`, sending only its differences from the last frame. A larger canvas is cut to
  /// the screen, a smaller one is placed in its upper left corner.
  ///
  /// The canvas is kept for comparison with the next one. In exchange the caller gets an older
  /// canvas, of any size and content, whose memory can be drawn into again.
  ///
  /// - Parameters:
  ///   - cursor: the cursor's position, for screen readers; `nil` for the lower left corner.
  ///   - showsCursor: whether the cursor is visible.
  /// - Complexity: O(cells) to compare, more for rows that differ.
  public func present(
    _ canvas: inout Canvas, cursor: Point? = nil, showsCursor: Bool = false
  ) {
    guard state == .open else { return }
    terminal_restoration_protect_thread()
    let sent = frames.show(&canvas, size: size, cursor: cursor, showsCursor: showsCursor)
    device.write(sent.bytes)
    if sent.changesPictures { prepareRestoration() }
    frames.frameShown()
    scheduleSharpening()
  }

  /// Announces that the next frame shows a move by the user, such as scrolling by a key. If the
  /// terminal takes long to draw pictures and moves follow one another, pictures are drawn as
  /// symbols until no move has come for 100 ms. A single move is shown unchanged.
  ///
  /// - Parameter goesOn: whether this frame is one of several that show the same move.
  public func willShowMove(goesOn: Bool = false) { frames.announceMotion(goesOn: goesOn) }

  /// Schedules drawing pictures sharp when their motion has ended.
  private func scheduleSharpening() {
    guard !isSharpeningScheduled, let time = frames.sharpeningTime else { return }
    isSharpeningScheduled = true
    let delay = max(.zero, time - .now)
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(delay.wholeNanoseconds)) {
      [weak self] in
      MainActor.assumeIsolated { self?.sharpen() }
    }
  }

  private func sharpen() {
    isSharpeningScheduled = false
    guard let time = frames.sharpeningTime, state == .open else { return }
    guard time <= .now else { return scheduleSharpening() }
    guard !device.hasInput else {
      frames.postponeSharpening()
      return scheduleSharpening()
    }
    if let canvas = frames.sharpCanvas { showAgain(canvas) }
  }

  /// Draws every cell and every picture again.
  private func redraw() {
    guard let canvas = shownCanvas else { return }
    invalidate()
    showAgain(canvas)
  }

  private func showAgain(_ canvas: Canvas) {
    var canvas = canvas
    let (place, isShown) = frames.shownCursor
    present(&canvas, cursor: place, showsCursor: isShown)
  }

  /// Makes the next frame draw every cell again.
  public func invalidate() {
    if state == .open { frames.invalidate() }
  }

  /// The frame on the screen; `nil` if the next one redraws all of it.
  package var shownCanvas: Canvas? { frames.shownCanvas }

  /// Has the terminal copy text to its clipboard (OSC 52). It may refuse without saying so.
  ///
  /// - Returns: false if the terminal is known not to accept text.
  package func copy(_ text: String) -> Bool {
    guard state == .open, takeover.supportsStringSequences else { return false }
    device.write("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{1B}\\".utf8)
    return true
  }

  // MARK: Life

  private func prepareRestoration() {
    takeover.prepareRestoration(of: size, hiding: frames.farewell)
  }

  /// Gives the terminal back and stops the process and its pipeline, as Ctrl-Z does; returns when
  /// it is continued. `.resumed` follows, after `.resize` if the size has changed.
  public func suspend() { stop(by: SIGTSTP, wholeGroup: true) }

  private func stop(by signal: Int32, wholeGroup: Bool) {
    guard state == .open else { return }
    leave()
    SignalPipe.stop(by: signal, wholeGroup: wholeGroup)
    enter()
  }

  /// Gives the terminal to another program until ``takeBack(isInOrder:)``, as ``suspend()`` gives
  /// it to the shell. Until then no keys are read, no frames are sent, and signals sent by keys are
  /// ignored; signals that end the process are delivered.
  ///
  /// - Returns: the terminal's descriptors; `nil` if it is gone.
  package func lend() -> (input: Int32, output: Int32)? {
    guard state == .open else { return nil }
    events.stopReading()
    leave()
    state = .lent
    // In case this program crashes: the other one may have changed anything.
    takeover.prepareRestoration(of: size, hiding: [])
    signals.setIgnoresTypedSignals(true)
    signals.setReadsRequests(events.isStarted)
    return (device.input, device.output)
  }

  /// Stops this program after the one that has the terminal was stopped, so that the shell gets the
  /// terminal with its original settings; returns when it is continued.
  package func stopWhileLent() {
    guard state == .lent else { return }
    device.withOriginalSettings { SignalPipe.stop(by: SIGTSTP, wholeGroup: true) }
  }

  /// Takes the terminal back from another program, whatever state it left, and redraws everything.
  /// `.resumed` follows, after `.resize` if the size has changed.
  ///
  /// - Parameter isInOrder: whether the program ended regularly, and so has left its alternate
  ///   screen.
  package func takeBack(isInOrder: Bool) {
    guard state == .lent else { return }
    signals.setReadsRequests(false)
    signals.setIgnoresTypedSignals(false)
    state = .open
    takeover.clean(leavingScreen: !isInOrder)
    // Keys typed to the other program. Not later: `enter` asks the terminal, and the answer is not
    // to be dropped with them.
    device.dropInput()
    enter()
    events.resumeReading()
  }

  /// Takes the terminal over again after a stop that could not be caught: the shell has changed it.
  private func recover() {
    guard state == .open else { return }
    device.write(frames.farewell)
    frames.forgetPictures()
    endwin()
    device.write(frames.takeOutput())
    enter()
  }

  /// Gives the terminal back. From here on signals that end the process do so at once: the program
  /// has nothing left to do first.
  private func leave() {
    signals.setReadsRequests(false)
    let bytes = frames.farewell + takeover.reset(rows: size.height)
    frames.forgetPictures()
    if !frames.shownCursor.isShown { curs_set(1) }
    endwin()
    device.write(bytes + frames.takeOutput() + takeover.promptReset)
    events.discardReplies()
    takeover.end()
  }

  private func enter() {
    takeover.begin(size: size, hiding: frames.farewell)
    // The answers were dropped with the stop.
    if probe.isOutstanding { events.ask(&probe, of: frames.setup) }
    let isResized = updateSize()
    // Enters the alternate screen first: terminals that keep the cursor's visibility with the main
    // screen would otherwise restore it hidden.
    doupdate()
    curs_set(frames.shownCursor.isShown ? 1 : 0)
    device.write(frames.takeOutput())
    invalidate()
    signals.setReadsRequests(events.isStarted)
    events.deliverLater(isResized ? [.resize(size), .resumed] : [.resumed])
  }

  /// Notes that the terminal is gone: it is no longer read or written to.
  private func lose() {
    state = .lost
    takeover.abandon()
  }

  /// Gives the terminal back for good. Further calls have no effect.
  public func close() {
    guard state != .closed else { return }
    if state == .lent { takeBack(isInOrder: false) }
    if state == .open { leave() }
    state = .closed
    events.stop()
    signals.release()
    terminal_errors_close()
    frames.close()
    // The sources may use the descriptors until their cancellation has run.
    let (device, signals) = (device, signals)
    DispatchQueue.main.async {
      device.close()
      signals.close()
    }
  }
}
