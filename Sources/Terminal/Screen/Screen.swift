import CNcurses
import CTerminalRestoration
import Dispatch
import Geometry
import Pixels
import System
import TextLayout

/// The terminal as a grid of cells: draws canvases through ncurses and delivers what the user does.
///
/// One is open at a time. Rules:
/// 1. From the first byte that changes the terminal until ``close()``, every way the program can
///    end gives the terminal back.
/// 2. What crashes give back is prepared whenever it changes, and kept as it would have to be now.
/// 3. ncurses is used on the main actor alone, and for output alone: its keyboard, its mouse and
///    its signal handlers are off.
/// 4. A terminal that is gone is written to no more; the owner is told once, as `SIGHUP`.
@MainActor public final class Screen {
  /// Columns and rows.
  public private(set) var size: Size
  /// What the terminal can do, as far as it is known.
  public private(set) var capabilities: TerminalCapabilities
  /// Bytes sent by frames so far.
  public private(set) var bytesWritten = 0

  /// Makes pictures in the way this screen shows them.
  public let pictures: PictureRenderer
  /// Called when pictures made so far no longer fit: the terminal's cells have another size.
  public var onPictureMethodChange: (@MainActor () -> Void)?

  /// Called when the terminal has told its colours later than it was waited for.
  package var onColorsChange: (@MainActor () -> Void)?

  private let device: TerminalDevice
  private let signals: SignalPipe
  private let events: EventReader
  private let opening: ScreenOpening
  /// How long to wait for answers under way before the terminal is given back.
  private let answerLimit: Duration
  private var modes: TerminalModes
  private let frames: ScreenFrames
  private var isSharpeningScheduled = false
  private var state = State.open

  private enum State { case open, lent, lost, closed }

  /// Opens the terminal, asks it what it can do and takes it over.
  ///
  /// To be called before other threads read the environment: ncurses is handed the description of
  /// the terminal through it.
  public init(_ configuration: ScreenConfiguration) throws(TerminalError) {
    Self.setLocale()
    let term = configuration.environment["TERM"] ?? ""
    guard !term.isEmpty else { throw .termNotSet }
    device = try TerminalDevice()
    do throws(TerminalError) {
      // Before the terminal is changed: from then on a signal may come.
      signals = try SignalPipe()
      do throws(TerminalError) {
        opening = try ScreenOpening(
          device: device, term: term, configuration: configuration, signals: signals)
        events = EventReader(
          device: device, signals: signals, parser: opening.parser, pending: opening.events,
          isRemote: configuration.environment["SSH_CONNECTION"] != nil)
        capabilities = opening.capabilities
        size = opening.size
      } catch {
        device.restore()
        terminal_restoration_disarm()
        signals.release()
        signals.close()
        throw error
      }
    } catch {
      device.close()
      throw error
    }
    modes = opening.modes
    answerLimit = CapabilityProbe.farewell(environment: configuration.environment)
    pictures = PictureRenderer(method: opening.pictureMethod)
    frames = ScreenFrames(opening, pictures: pictures)
    TextMetrics.current.drawsWholeClusters = capabilities.drawsWholeClusters
    armRestoration()
    terminal_errors_hold()
    device.write(takingOver)
  }

  /// What a terminal is sent that is taken over: no style, the usual characters, the modes.
  private var takingOver: [UInt8] { opening.entry.sequence("sgr0") + modes.on }

  /// Colours the screen shows.
  public var colorDepth: ColorDepth { capabilities.colorDepth }
  /// Width of a cell divided by its height.
  public var cellAspect: Double { capabilities.cellAspect }

  // MARK: Events

  /// Begins to deliver events, in batches, on the main actor; those typed since the opening first.
  public func start(onEvents: @escaping @MainActor ([InputEvent]) -> Void) {
    guard state == .open, !events.isStarted else { return }
    let handlers = EventReader.Handlers(
      onReply: { [weak self] in self?.note($0) }, onSignal: { [weak self] in self?.note($0) },
      onEnd: { [weak self] in self?.lose() })
    events.start(handlers, onEvents: onEvents)
  }

  /// Late answers about cells and colours are taken; all else was asked too long ago.
  private func note(_ reply: TerminalReply) {
    switch reply {
    // Terminals keep few sixels, and what they no longer have is missing where it was uncovered.
    case .focus(true): if frames.showsSixels { redraw() }
    case .window(let numbers):
      guard numbers.count == 3, numbers[0] == 6,
        let cell = PixelSize.cell(width: numbers[2], height: numbers[1])
      else { return }
      setCell(cell)
    case .color(let number, let text):
      let before = capabilities.colors
      capabilities.colors.note(report: number, text)
      if capabilities.colors != before { onColorsChange?() }
    default: break
    }
  }

  private func setCell(_ cell: PixelSize) {
    guard capabilities.cellPixelSize != cell else { return }
    capabilities.cellPixelSize = cell
    let method = pictures.method.withCell(cell)
    guard case .sixel = method, method != pictures.method else { return }
    pictures.method = method
    // Strips painted meanwhile for larger cells reach over others, where nothing else would erase
    // them.
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

  /// A terminal that was resized and back before anybody looked has the same size and has cut what
  /// was on it, so that it is drawn again in any case.
  private func windowChanged() {
    if !updateSize() { invalidate() }
    events.deliver([.resize(size)])
  }

  /// - Returns: whether the size has changed.
  private func updateSize() -> Bool {
    guard state == .open, let window = device.window() else { return false }
    if capabilities.reportsCellSize {
      // Dividing the window's pixels by its columns is right only where it has no margins.
      events.ask("\u{1B}[16t")
    } else if let cell = window.cell {
      setCell(cell)
    }
    // Refused where there is no memory for it.
    guard window.cells != size,
      resizeterm(Int32(window.cells.height), Int32(window.cells.width)) == OK
    else { return false }
    size = window.cells
    armRestoration()
    invalidate()
    return true
  }

  /// Whether wheel, buttons and drags are reported; the terminal's own selection then needs Shift.
  public var reportsMouse: Bool {
    get { modes.reportsMouse }
    set {
      let bytes = modes.report(mouse: newValue)
      guard state == .open, !bytes.isEmpty else { return }
      device.write(bytes)
      armRestoration()
    }
  }

  // MARK: Drawing

  /// Shows `canvas`, sending only what differs from the last frame; what is larger than the screen
  /// is cut, what is smaller stands in its upper left corner.
  ///
  /// The canvas is kept to compare the next one with. In its place comes an older one, of any size
  /// and with whatever was on it, whose memory can be drawn into again.
  ///
  /// - Parameters:
  ///   - cursor: where the cursor stands, for screen readers; nil for the lower left corner.
  ///   - showsCursor: whether it is seen.
  /// - Complexity: O(cells) to compare, more for rows that differ.
  public func present(
    _ canvas: inout Canvas, cursor: Point? = nil, showsCursor: Bool = false
  ) {
    guard state == .open else { return }
    terminal_restoration_protect_thread()
    let sent = frames.show(&canvas, size: size, cursor: cursor, showsCursor: showsCursor)
    device.write(sent.bytes)
    bytesWritten += sent.bytes.count
    if sent.changesPictures { armRestoration() }
    frames.frameShown()
    scheduleSharpening()
  }

  /// To be called before a frame that shows what the reader has moved, as by a key of a list: where
  /// the terminal takes long to draw pictures, and one move follows the other, they are drawn as
  /// symbols until the moves have rested for 100 ms. A single move is shown as it is.
  ///
  /// - Parameter goesOn: whether this frame is one of several that show the same move.
  public func willShowMove(goesOn: Bool = false) { frames.announceMotion(goesOn: goesOn) }

  /// Has pictures drawn sharp when they have rested.
  private func scheduleSharpening() {
    guard !isSharpeningScheduled, let time = frames.restsAt else { return }
    isSharpeningScheduled = true
    let delay = max(.zero, time - .now)
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(delay.wholeNanoseconds)) {
      [weak self] in
      MainActor.assumeIsolated { self?.sharpen() }
    }
  }

  private func sharpen() {
    isSharpeningScheduled = false
    guard let time = frames.restsAt, state == .open else { return }
    guard time <= .now else { return scheduleSharpening() }
    guard !device.hasInput else {
      frames.waitForKeys()
      return scheduleSharpening()
    }
    if let canvas = frames.sharpCanvas { showAgain(canvas) }
  }

  /// Draws every cell and every picture again, as they are.
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

  /// The frame that is shown; nil where the next one draws all again.
  package var shownCanvas: Canvas? { frames.shownCanvas }

  /// Has the terminal put text, in base64, into its clipboard (OSC 52); it may refuse, and does not
  /// say so.
  ///
  /// - Returns: false where the terminal is known not to take any.
  package func copy(base64: String) -> Bool {
    let isBase64 = base64.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || [0x2B, 0x2F, 0x3D].contains($0)
    }
    guard state == .open, isBase64, opening.takesStrings else { return false }
    device.write(Array("\u{1B}]52;c;\(base64)\u{1B}\\".utf8))
    return true
  }

  // MARK: Life

  private func armRestoration() {
    device.armRestoration(
      frames.farewell + opening.entry.restoration(modesOff: modes.off, size: size))
  }

  /// Gives the terminal back and stops the process and its pipeline as Ctrl-Z does; returns when it
  /// is continued. `.resumed` follows, after `.resize` where the size has changed.
  public func suspend() { stop(by: SIGTSTP, wholeGroup: true) }

  private func stop(by signal: Int32, wholeGroup: Bool) {
    guard state == .open else { return }
    leave()
    SignalPipe.stop(by: signal, wholeGroup: wholeGroup)
    enter()
  }

  /// Gives the terminal to another program, as to a shell by ``suspend()``, until ``takeBack(isInOrder:)``:
  /// meanwhile no keys are read and no frames are sent, and signals that keys send are ignored.
  /// Those that end the process are delivered.
  ///
  /// - Returns: the terminal's descriptors; nil where it is gone.
  package func lend() -> (input: Int32, output: Int32)? {
    guard state == .open else { return nil }
    events.stopReading()
    leave()
    state = .lent
    // Should this program crash: the other one may have changed anything.
    device.armRestoration(opening.entry.restoration(modesOff: modes.off, size: size))
    signals.setLent(true)
    signals.setReadsRequests(events.isStarted)
    return (device.input, device.output)
  }

  /// The program that has the terminal was stopped: stops this one, too, so that the shell has it
  /// with the settings it was found with; returns when it is continued.
  package func stopWhileLent() {
    guard state == .lent else { return }
    device.withSettingsGivenBack { SignalPipe.stop(by: SIGTSTP, wholeGroup: true) }
  }

  /// Takes the terminal back from another program, whatever that has left behind, and has all drawn
  /// again. `.resumed` follows, after `.resize` where the size has changed.
  ///
  /// - Parameter isInOrder: whether the program has ended well, and so has left the screen that it
  ///   took.
  package func takeBack(isInOrder: Bool) {
    guard state == .lent else { return }
    signals.setReadsRequests(false)
    signals.setLent(false)
    state = .open
    // What the terminal keeps with its main screen is kept anew when that is left again.
    let leaving = isInOrder ? [] : opening.entry.sequence("rmcup")
    device.write(modes.allOff + opening.entry.sequence("cnorm") + leaving)
    enter()
    events.readAgain()
  }

  /// After a stop that could not be caught: the shell has changed the terminal meanwhile.
  private func recover() {
    guard state == .open else { return }
    device.write(frames.farewell)
    frames.forgetPictures()
    endwin()
    device.write(frames.takeOutput())
    enter()
  }

  /// From here on signals that end the process do so at once: there is nothing to be done before.
  private func leave() {
    signals.setReadsRequests(false)
    let entry = opening.entry
    var bytes = frames.farewell + modes.off + entry.wholeScreenScrolls(rows: size.height)
    bytes += entry.sequence("sgr0") + entry.sequence("op")
    bytes += entry.clearedLastRow(rows: size.height)
    frames.forgetPictures()
    if !frames.shownCursor.isShown { curs_set(1) }
    endwin()
    device.write(bytes + frames.takeOutput() + entry.usualKeypad + entry.lineForPrompt)
    events.dropAnswers(within: answerLimit)
    device.restore()
    terminal_restoration_disarm()
    terminal_errors_release()
  }

  private func enter() {
    armRestoration()
    terminal_errors_hold()
    device.setRaw()
    device.write(takingOver)
    let isResized = updateSize()
    // The alternate screen first: terminals that keep the cursor's visibility with the main screen
    // would bring it back hidden.
    doupdate()
    curs_set(frames.shownCursor.isShown ? 1 : 0)
    device.write(frames.takeOutput())
    invalidate()
    signals.setReadsRequests(events.isStarted)
    events.deliverLater(isResized ? [.resize(size), .resumed] : [.resumed])
  }

  /// The terminal is gone: nothing more is read from it or written to it.
  private func lose() {
    state = .lost
    terminal_restoration_disarm()
    terminal_errors_release()
  }

  /// Gives the terminal back for good. Doing it again changes nothing.
  public func close() {
    guard state != .closed else { return }
    if state == .lent { takeBack(isInOrder: false) }
    if state == .open { leave() }
    state = .closed
    events.stop()
    signals.release()
    terminal_errors_close()
    delscreen(opening.handle)
    opening.output.close()
    // The sources may still be looking at the descriptors until their cancellation has run.
    let (device, signals) = (device, signals)
    DispatchQueue.main.async {
      device.close()
      signals.close()
    }
  }

  /// ncurses counts columns by the C library, which knows wide characters in a UTF-8 locale only.
  private static func setLocale() {
    setlocale(LC_CTYPE, "")
    if String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
  }
}
