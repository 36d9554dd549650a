import CNcurses
import Dispatch
import Geometry
import Pixels
import System
import TextLayout

/// The terminal as a grid of cells: draws canvases through ncurses and delivers what the user does.
///
/// One is open at a time. Rules:
/// 1. From the first byte that changes the terminal until ``close()``, every way the program can end
///    gives the terminal back.
/// 2. Nothing runs while nothing happens: descriptors wake the main actor, and a timer exists only
///    while an unfinished sequence waits for its next byte.
/// 3. ncurses is used on the main actor alone, and for output alone: its keyboard, its mouse and its
///    signal handlers are off.
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

  private let configuration: ScreenConfiguration
  let device: TerminalDevice
  let handle: OpaquePointer
  let cursesOutput: CursesOutput
  let signals: SignalPipe
  /// Bytes that switch the mouse and pastes on and off; empty on terminals that do not know them.
  let modes: (on: [UInt8], off: [UInt8])
  let entry: TerminfoEntry
  /// What gives the terminal back without ncurses.
  var restoration: [UInt8]
  private let keyDelay: DispatchTimeInterval

  private var parser: InputParser
  private var window: WindowWriter
  private var previous: Canvas?
  var pictureOutput: PictureOutput
  var cursorIsShown = false
  var state = State.open
  var pendingEvents: [InputEvent]
  var onEvents: (@MainActor ([InputEvent]) -> Void)?
  var inputWatch: DescriptorWatch?
  var signalWatch: DescriptorWatch?
  var flushTimer: (any DispatchSourceTimer)?

  enum State { case open, lost, closed }

  /// Opens the terminal, asks it what it can do and takes it over.
  ///
  /// To be called before other threads read the environment: ncurses is handed the description of
  /// the terminal through it.
  public init(_ configuration: ScreenConfiguration) throws(TerminalError) {
    self.configuration = configuration
    Self.setLocale()
    let term = configuration.environment["TERM"] ?? ""
    guard !term.isEmpty else { throw .termNotSet }
    let method: PictureMethod
    device = try TerminalDevice()
    do throws(TerminalError) {
      // Before the terminal is changed: from then on a signal may come.
      signals = try SignalPipe()
      do throws(TerminalError) {
        let opening = try ScreenOpening(
          device: device, term: term, configuration: configuration, signals: signals)
        parser = opening.parser
        pendingEvents = opening.events
        capabilities = opening.capabilities
        method = opening.pictureMethod
        modes = opening.modes
        entry = opening.entry
        restoration = opening.entry.restoration(modesOff: opening.modes.off, size: opening.size)
        handle = opening.handle
        cursesOutput = opening.output
        size = opening.size
      } catch {
        device.restore()
        TerminalRestoration.disarm()
        signals.release()
        signals.close()
        throw error
      }
    } catch {
      device.close()
      throw error
    }
    pictures = PictureRenderer(method: method)
    pictureOutput = PictureOutput(renderer: pictures)
    window = WindowWriter(
      encoder: CellEncoder(
        depth: capabilities.colorDepth, colorCount: Int(curses_color_count()),
        pairCount: Int(curses_pair_count())))
    TextMetrics.current.drawsWholeClusters = capabilities.drawsWholeClusters
    let isRemote = configuration.environment["SSH_CONNECTION"] != nil
    keyDelay = .milliseconds(isRemote ? 100 : 40)
    TerminalRestoration.arm(device, bytes: restoration)
    TerminalRestoration.holdErrors()
    device.write(takingOver)
  }

  /// What a terminal is sent that is taken over: no style, the usual characters, the modes.
  var takingOver: [UInt8] { entry.sequence("sgr0") + modes.on }

  /// Colours the screen shows.
  public var colorDepth: ColorDepth { capabilities.colorDepth }
  /// Width of a cell divided by its height.
  public var cellAspect: Double { capabilities.cellAspect }

  // MARK: Events

  /// Begins to deliver events, in batches, on the main actor; those typed since the opening first.
  public func start(onEvents: @escaping @MainActor ([InputEvent]) -> Void) {
    guard state == .open, self.onEvents == nil else { return }
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

  func deliver(_ events: [InputEvent]) {
    pendingEvents += events
    guard let onEvents, !pendingEvents.isEmpty else { return }
    // Without `MainLoop` the main queue may be served by another thread each time.
    TerminalRestoration.protectThread()
    let batch = pendingEvents
    pendingEvents = []
    onEvents(batch)
  }

  private func readInput() {
    guard state == .open else { return }
    var events: [InputEvent] = []
    // What is there now is one batch, but a terminal that never pauses does not hold up the rest.
    for _ in 0..<16 {
      switch device.read() {
      case .bytes(let bytes):
        let output = parser.feed(bytes)
        events += output.events
        for reply in output.replies { note(reply) }
        // Asking whether there is more costs as much as reading a key.
        if bytes.count == TerminalDevice.readLimit { continue }
      case .nothing: break
      case .end:
        lose()
        events.append(.terminate(SIGHUP))
      }
      break
    }
    scheduleFlush()
    deliver(events)
  }

  /// Late answers that change how cells are measured are taken; all else was asked too long ago.
  private func note(_ reply: TerminalReply) {
    guard case .window(let numbers) = reply, numbers.count == 3, numbers[0] == 6,
      let cell = PixelSize.cell(width: numbers[2], height: numbers[1])
    else { return }
    setCell(cell)
  }

  private func setCell(_ cell: PixelSize) {
    guard capabilities.cellPixelSize != cell else { return }
    capabilities.cellPixelSize = cell
    let method = pictures.method.withCell(cell)
    guard case .sixel = method, method != pictures.method else { return }
    pictures.method = method
    // Strips painted meanwhile for larger cells reach over others, where nothing else would erase them.
    invalidate()
    onPictureMethodChange?()
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
    }
    let timer = flushTimer ?? DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + delay, leeway: .milliseconds(5))
    guard flushTimer == nil else { return }
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.flushTimer?.cancel()
        self.flushTimer = nil
        self.deliver(self.parser.flush().events)
      }
    }
    timer.activate()
    flushTimer = timer
  }

  private func readSignals() {
    for signal in signals.take() {
      switch signal {
      case SIGWINCH: windowChanged()
      case SIGCONT: recover()
      case _ where SignalPipe.stops(signal): stop(by: signal, wholeGroup: false)
      default: deliver([.terminate(signal)])
      }
    }
  }

  /// A terminal that was resized and back before anybody looked has the same size and has cut what was
  /// on it, so that it is drawn again in any case.
  private func windowChanged() {
    let events = updateSize()
    if events.isEmpty { invalidate() }
    deliver(events.isEmpty ? [.resize(size)] : events)
  }

  func updateSize() -> [InputEvent] {
    guard state == .open, let window = device.window() else { return [] }
    if capabilities.reportsCellSize {
      // Dividing the window's pixels by its columns is right only where it has no margins.
      device.write("\u{1B}[16t".utf8)
    } else if let cell = window.cell {
      setCell(cell)
    }
    // Refused where there is no memory for it.
    guard window.cells != size,
      resizeterm(Int32(window.cells.height), Int32(window.cells.width)) == OK
    else { return [] }
    size = window.cells
    armRestoration()
    invalidate()
    return [.resize(size)]
  }

  // MARK: Drawing

  /// Shows `canvas`, sending only what differs from the last frame; what is larger than the screen
  /// is cut, what is smaller stands in its upper left corner.
  ///
  /// The canvas is kept to compare the next one with. In its place comes an older one, of any size and
  /// with whatever was on it, whose memory can be drawn into again.
  ///
  /// - Parameters:
  ///   - cursor: where the cursor stands, for screen readers; nil for the lower left corner.
  ///   - showsCursor: whether it is seen.
  /// - Complexity: O(cells) to compare, more for rows that differ.
  public func present(
    _ canvas: inout Canvas, cursor: Point? = nil, showsCursor: Bool = false
  ) {
    guard state == .open else { return }
    TerminalRestoration.protectThread()
    if window.encoder.isCrowded {
      window.encoder.reset()
      invalidate()
    }
    if canvas.size != size {
      var frame = Canvas(size: size)
      frame.copy(canvas, from: canvas.bounds, to: .zero)
      canvas = frame
    }
    let parts = pictureOutput.parts(for: canvas, since: previous)
    let isWhole = previous == nil
    let isSynchronized =
      (isWhole || !parts.after.isEmpty) && capabilities.synchronizesOutput
    window.encoder.pictureNumbers = parts.numbers
    window.write(canvas, since: previous)
    let older = previous ?? Canvas(size: .zero)
    previous = canvas
    canvas = older
    let place = cursor ?? Point(x: 0, y: size.height - 1)
    wmove(
      curses_next_screen(), Int32(min(max(0, place.y), size.height - 1)),
      Int32(min(max(0, place.x), size.width - 1)))
    if showsCursor != cursorIsShown {
      curs_set(showsCursor ? 1 : 0)
      cursorIsShown = showsCursor
    }
    // All is drawn again because something else has written to the terminal, perhaps, or because its
    // size has changed: a scroll region of the former one would stay, and what has been written up to
    // now may set one.
    var bytes: [UInt8] = []
    if isWhole {
      bytes = takeOutput() + entry.sequence("sgr0")
      bytes += entry.wholeScreenScrolls(rows: size.height)
    }
    doupdate()
    bytes += parts.before + takeOutput() + parts.after
    if isSynchronized { bytes = Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8) }
    device.write(bytes)
    // What carries the bytes across to the terminal may have to run on this core: it goes first.
    sched_yield()
    bytesWritten += bytes.count
    if parts.numbers != nil, !parts.before.isEmpty || !parts.after.isEmpty { armRestoration() }
  }

  /// What ncurses has written, for the terminal.
  func takeOutput() -> [UInt8] { window.encoder.sequences.expand(cursesOutput.take()) }

  /// Makes the next frame draw every cell again.
  public func invalidate() {
    guard state == .open else { return }
    previous = nil
    clearok(curses_current_screen(), true)
  }

  /// ncurses counts columns by the C library, which knows wide characters in a UTF-8 locale only.
  private static func setLocale() {
    setlocale(LC_CTYPE, "")
    if String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
  }
}
