import CNcurses
import CTerminalRestoration
import System

/// Takes a terminal over: finds its description, queries its capabilities, and passes both to
/// ncurses.
@MainActor struct TerminalSetup {
  let parser: InputParser
  /// Events typed while the terminal was queried.
  let events: [InputEvent]
  let capabilities: TerminalCapabilities
  let pictureMethod: PictureMethod
  /// The modes that the screen switches on.
  let modes: TerminalModes
  let entry: TerminfoEntry
  /// Resets modes that another program may have left; sent before a whole frame.
  let drawingModeReset: [UInt8]
  let curses: CursesScreen

  /// Leaves the terminal in raw mode, even if it throws after entering it.
  init(
    device: TerminalDevice, term: String, configuration: ScreenConfiguration, signals: SignalPipe
  ) throws(TerminalError) {
    // The size is determined elsewhere (``TerminalWindow``); ncurses would read LINES and COLUMNS
    // first, which a shell may not have updated.
    use_env(false)
    let acceptsQueries = CapabilityProbe.isAllowed(term: term)
    // Over ssh the other side often has no entry for a new terminal; all terminals that can be
    // queried understand this one.
    guard
      let entry = TerminfoEntry(named: term, descriptor: device.output)
        ?? (acceptsQueries
          ? TerminfoEntry(named: "xterm-256color", descriptor: device.output) : nil)
    else { throw .unknownTerminal(term) }
    guard entry.string("cup") != nil else { throw .cannotMoveCursor(term) }
    let isXtermLike = acceptsQueries && entry.usesControlSequences
    let isLinux = term.hasPrefix("linux")
    drawingModeReset = entry.drawingModeReset(
      isCommon: isXtermLike || isLinux || CapabilityProbe.isVT(term))

    var modes = TerminalModes(
      reportsMouse: configuration.reportsMouse, reportsPaste: configuration.reportsPaste,
      isUnderstood: isXtermLike)
    let restoration = modes.off + entry.sequence("sgr0")
    device.armRestoration(restoration)
    guard device.setRaw() else { throw .system(call: "tcsetattr", errno: errno) }
    var parser = InputParser(keySequences: entry.keySequences)
    var probe = CapabilityProbe()
    if isXtermLike {
      let limit = CapabilityProbe.deadline(environment: configuration.environment)
      let multiplexer = CapabilityProbe.Multiplexer(
        term: term, environment: configuration.environment)
      var isAsked = probe.ask(device, in: multiplexer, parser: &parser)
      while isAsked,
        !probe.wait(on: device, parser: &parser, within: limit, interruption: signals.descriptor)
      {
        let coming = signals.take()
        if coming.contains(where: SignalPipe.stops) {
          // Outstanding answers would end up on the shell's line.
          _ = probe.wait(on: device, parser: &parser, within: min(limit, .milliseconds(300)))
        }
        if Self.answer(coming, on: device, restoration: restoration), !probe.isComplete {
          isAsked = probe.ask(device, in: multiplexer, parser: &parser)
        }
      }
    }
    self.parser = parser
    events = probe.events
    if isXtermLike || isLinux {
      modes.encoding = probe.readsUTF8 == false ? .temporaryUTF8 : .utf8
    }
    let window = device.window()
    let found = Self.capabilities(
      probe, entry: entry, window: window, configuration: configuration)
    capabilities = found
    pictureMethod = .choose(
      configuration.pictureMode, capabilities: found, environment: configuration.environment)
    modes.reportsFocus = pictureMethod.painter?.mayLosePictures ?? false
    self.modes = modes

    let wanted = window ?? TerminalWindow(environment: configuration.environment, entry: entry)
    curses = try CursesScreen(
      entry, term: term, size: wanted.cells, capabilities: found,
      paintsOverCells: pictureMethod.paintsOverCells, input: device.input)
    self.entry = entry
  }

  /// Handles the signals that came while the terminal was queried: a request to stop, or a
  /// continuation after a stop that could not be caught. The size is read later in any case.
  ///
  /// - Returns: whether the process was stopped, so that answers may be lost.
  private static func answer(
    _ signals: [Int32], on device: TerminalDevice, restoration: [UInt8]
  ) -> Bool {
    let stop = signals.first(where: SignalPipe.stops)
    if let stop {
      device.write(restoration)
      device.dropInput()
      device.restore()
      terminal_restoration_disarm()
      SignalPipe.stop(by: stop, wholeGroup: false)
      device.armRestoration(restoration)
    }
    device.setRaw()
    return stop != nil || signals.contains(SIGCONT)
  }

  private static func capabilities(
    _ probe: CapabilityProbe, entry: TerminfoEntry, window: TerminalWindow?,
    configuration: ScreenConfiguration
  ) -> TerminalCapabilities {
    var result = probe.result
    let environment = configuration.environment
    result.multiplexer =
      CapabilityProbe.Multiplexer(term: environment["TERM"] ?? "", environment: environment)
      ?? result.multiplexer
    result.colorDepth = ColorDepth.detect(
      mode: configuration.colorMode, environment: environment,
      multiplexer: result.multiplexer, provedTrueColor: probe.provedTrueColor,
      terminfoColors: entry.number("colors"))
    if environment["TERM"]?.hasPrefix("linux") == true { result.colors = .linuxConsole }
    result.colors.isLightByEnvironment =
      environment["COLORFGBG"].flatMap { TerminalColors.isLight(colorFGBG: $0) }
    result.cellPixelSize =
      result.cellPixelSize ?? window?.cell ?? probe.windowPixelSize.flatMap { window?.cell(of: $0) }
    return result
  }
}
