import CNcurses
import CTerminalRestoration
import System

/// The description of a terminal, ncurses' screen on it, and what both mean together with the
/// terminal's answers.
@MainActor struct TerminalSetup {
  let entry: TerminfoEntry
  /// Resets modes that another program may have left; sent before a whole frame.
  let drawingModeReset: [UInt8]
  let curses: CursesScreen
  /// Restores the terminal's modes and style.
  let restoration: [UInt8]
  var environment: [String: String] { configuration.environment }
  private let configuration: ScreenConfiguration
  private let acceptsQueries: Bool
  private let isLinux: Bool

  /// Sends the queries if the terminal accepts any, and starts ncurses while it answers.
  ///
  /// Leaves the terminal in raw mode, even if it throws after entering it.
  init(
    device: TerminalDevice, term: String, configuration: ScreenConfiguration,
    probe: inout CapabilityProbe, parser: inout InputParser
  ) throws(TerminalError) {
    // The size is determined elsewhere (``TerminalWindow``); ncurses would read LINES and COLUMNS
    // first, which a shell may not have updated.
    use_env(false)
    let isAllowed = CapabilityProbe.isAllowed(term: term)
    // Over ssh the other side often has no entry for a new terminal; all terminals that can be
    // queried understand this one.
    guard
      let entry = TerminfoEntry(named: term, descriptor: device.output)
        ?? (isAllowed ? TerminfoEntry(named: "xterm-256color", descriptor: device.output) : nil)
    else { throw .unknownTerminal(term) }
    guard entry.string("cup") != nil else { throw .cannotMoveCursor(term) }
    self.entry = entry
    self.configuration = configuration
    acceptsQueries = isAllowed && entry.usesControlSequences
    isLinux = term.hasPrefix("linux")
    drawingModeReset = entry.drawingModeReset(
      isCommon: acceptsQueries || isLinux || CapabilityProbe.isVT(term))

    let modes = TerminalModes(
      reportsMouse: configuration.reportsMouse, reportsPaste: configuration.reportsPaste,
      isUnderstood: acceptsQueries)
    restoration = modes.off + entry.sequence("sgr0")
    device.armRestoration(restoration)
    guard device.setRaw() else { throw .system(call: "tcsetattr", errno: errno) }
    parser = InputParser(keySequences: entry.keySequences)
    if acceptsQueries {
      _ = probe.ask(device, in: Self.multiplexer(in: configuration), parser: &parser)
    }
    let window =
      device.window() ?? TerminalWindow(environment: configuration.environment, entry: entry)
    let depth = Self.colorDepth(probe, multiplexer: nil, entry: entry, configuration: configuration)
    curses = try CursesScreen(
      entry, term: term, size: window.cells, depth: depth, isUndecided: acceptsQueries,
      input: device.input)
  }

  /// The multiplexer that the environment names.
  private static func multiplexer(
    in configuration: ScreenConfiguration
  ) -> CapabilityProbe.Multiplexer? {
    CapabilityProbe.Multiplexer(
      term: configuration.environment["TERM"] ?? "", environment: configuration.environment)
  }

  /// Sends the queries again.
  ///
  /// - Returns: false if the terminal accepts no output.
  @discardableResult func ask(
    _ probe: inout CapabilityProbe, on device: TerminalDevice, parser: inout InputParser
  ) -> Bool {
    probe.ask(device, in: Self.multiplexer(in: configuration), parser: &parser)
  }

  // MARK: What the answers mean

  private static func colorDepth(
    _ probe: CapabilityProbe, multiplexer: CapabilityProbe.Multiplexer?, entry: TerminfoEntry,
    configuration: ScreenConfiguration
  ) -> ColorDepth {
    ColorDepth.detect(
      mode: configuration.colorMode, environment: configuration.environment,
      multiplexer: multiplexer, provedTrueColor: probe.provedTrueColor,
      terminfoColors: entry.number("colors"))
  }

  /// The terminal's capabilities by the answers so far.
  func capabilities(
    by probe: CapabilityProbe, window: TerminalWindow?
  ) -> TerminalCapabilities {
    var result = probe.result
    let environment = configuration.environment
    result.multiplexer = Self.multiplexer(in: configuration) ?? result.multiplexer
    result.colorDepth = Self.colorDepth(
      probe, multiplexer: result.multiplexer, entry: entry, configuration: configuration)
    if environment["TERM"]?.hasPrefix("linux") == true { result.colors = .linuxConsole }
    result.colors.isLightByEnvironment =
      environment["COLORFGBG"].flatMap { TerminalColors.isLight(colorFGBG: $0) }
    result.cellPixelSize =
      result.cellPixelSize ?? window?.cell ?? probe.windowPixelSize.flatMap { window?.cell(of: $0) }
    return result
  }

  /// The way to draw pictures.
  func pictureMethod(for capabilities: TerminalCapabilities) -> PictureMethod {
    .choose(
      configuration.pictureMode, capabilities: capabilities,
      environment: configuration.environment)
  }

  /// The modes that the screen switches on.
  func modes(by probe: CapabilityProbe, pictures: PictureMethod) -> TerminalModes {
    var modes = TerminalModes(
      reportsMouse: configuration.reportsMouse, reportsPaste: configuration.reportsPaste,
      isUnderstood: acceptsQueries)
    if acceptsQueries || isLinux {
      modes.encoding = probe.readsUTF8 == false ? .temporaryUTF8 : .utf8
    }
    modes.reportsFocus = pictures.painter?.mayLosePictures ?? false
    return modes
  }

  /// The encoder of cells in the terminal's colours.
  func encoder(for capabilities: TerminalCapabilities) -> CellEncoder {
    let depth = capabilities.colorDepth
    let known = Int(curses_color_count())
    // ncurses' screen has more colours than the terminal.
    let colors = depth <= .ansi16 ? min(known, entry.number("colors") ?? known) : known
    return CellEncoder(
      depth: depth, colorCount: colors, pairCount: Int(curses_pair_count()),
      setsPairsByNumber: curses.setsPairsByNumber, supportsLinks: capabilities.supportsLinks)
  }
}
