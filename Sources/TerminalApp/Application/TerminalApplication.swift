import ConstraintLayout
import Geometry
import System
import Terminal
import TerminalViews
import TextLayout

/// A program on a terminal: its screen, and the loop of events and frames.
///
///     events ──▶ CommandDispatcher ──▶ views ──▶ FrameScheduler ──▶ display
///                        ▲               ▲       at most one frame per turn of the main queue:
///     configuration ──▶ Settings      arrivals   layout ▸ draw into one canvas ▸ one `present`
///
/// Frames are drawn only when something has changed: while nothing happens, no thread wakes. The
/// program ends on Ctrl-C, on `q` if no view or panel uses it, and on signals, including that of a
/// closed terminal.
@MainActor public final class TerminalApplication {
  /// The most recently created application.
  public private(set) static weak var current: TerminalApplication?
  /// The views on the screen.
  public let window: Window
  let display: any Display
  let scheduler: MainQueueScheduler
  let frames: FrameScheduler
  let dispatcher: CommandDispatcher
  /// Status messages, current and past.
  public let notices: StatusMessages
  private let userSettings: Settings
  private let programs: ApplicationPrograms
  private var hasBegun = false
  private var exit: ((Int32) -> Void)?
  /// The program's exit status; `nil` while it runs.
  public private(set) var exitStatus: Int32?

  /// A program that shows `content` on a screen opened with ``openScreen(_:)``, which its owner
  /// closes.
  ///
  /// - Parameters:
  ///   - theme: `nil`, the default, for a theme that fits the terminal's colours.
  ///   - environment: the variables that name the browser and the display, and that started
  ///     programs inherit. `REDUCE_MOTION` makes each move a single frame, and so does
  ///     `SSH_CONNECTION`, as frames then cross a network.
  public convenience init(
    _ content: View, on screen: Screen, theme: Theme? = nil,
    environment: [String: String] = ProcessEnvironment.variables
  ) {
    self.init(
      content, display: screen, scheduler: MainQueueScheduler(), theme: theme,
      environment: environment,
      starter: .system(environment: environment))
    reducesMotion =
      environment["SSH_CONNECTION"] != nil || environment["REDUCE_MOTION"]?.isEmpty == false
    screen.onCapabilitiesChange = { [weak self, weak screen] changesLayout in
      guard let self, let screen else { return }
      Self.adoptMetrics(of: screen)
      userSettings.appearance.update()
      window.displayDidChange(changesLayout: changesLayout)
    }
  }

  /// A program without a terminal that is never run, to check a configuration file: ``load(_:)``
  /// reports its problems as on a screen.
  public convenience init(checking content: View) {
    self.init(
      content, display: CanvasDisplay(size: .zero), scheduler: MainQueueScheduler(isManual: true))
  }

  init(
    _ content: View, display: any Display, scheduler: MainQueueScheduler, theme: Theme? = nil,
    environment: [String: String] = [:],
    starter: ProgramStarter = ProgramStarter { _, _ in .failure(SystemFailure(code: ENOENT)) }
  ) {
    window = Window(content, theme: Appearance.theme(theme, on: display))
    let frames = FrameScheduler(window, on: display, scheduler: scheduler)
    let notices = StatusMessages(onTell: { [weak frames] in frames?.setNeedsFrame() })
    programs = ApplicationPrograms(
      window: window, display: display, notices: notices,
      in: ProgramSurroundings(
        environment: environment, starter: starter, after: { scheduler.after($0, $1) },
        tell: { notices.tell($0, $1) }))
    dispatcher = CommandDispatcher(
      window: window, frames: frames, scheduler: scheduler, notices: notices,
      links: programs.links)
    userSettings = Settings(
      appearance: Appearance(theme, of: window, on: display), window: window, display: display,
      dispatcher: dispatcher, notices: notices)
    userSettings.table.add(programs.links.opener.settings)
    dispatcher.commands.configuration.add(
      LinkOpener.commands, of: programs.links.opener, below: .settings)
    (self.display, self.scheduler) = (display, scheduler)
    (self.frames, self.notices) = (frames, notices)
    window.application = self
    dispatcher.commands.addCommands(of: self)
    Self.current = self
  }

  // MARK: Running

  /// Opens the terminal and sets the metrics that layout needs to know.
  ///
  /// The terminal's answers about its colours and pictures may come later: an application on the
  /// screen lays out its first frame, waits for them, by default 10 ms at most, and adopts later
  /// ones by itself.
  public static func openScreen(_ configuration: ScreenConfiguration) throws(TerminalError)
    -> Screen
  {
    open(try PendingScreen(configuration))
  }

  /// Takes over a terminal that was queried, and sets the metrics that layout needs to know.
  package static func open(_ pending: PendingScreen) -> Screen {
    let screen = pending.open()
    adoptMetrics(of: screen)
    return screen
  }

  private static func adoptMetrics(of screen: Screen) {
    LayoutMetrics.cellAspect = screen.cellAspect
    TextMetrics.current.drawsWholeClusters = screen.capabilities.drawsWholeClusters
    TextMetrics.current.reordersRightToLeft = screen.capabilities.leavesRightToLeftToPrograms
  }

  /// Opens the terminal, shows `content` until the user leaves, and restores the terminal.
  ///
  /// - Parameters:
  ///   - focus: the view that has the focus at first; by default the first that can have it.
  ///   - theme: `nil`, the default, for a theme that fits the terminal's colours.
  ///   - configuration: the user's key bindings and settings; none by default.
  /// - Returns: the exit status: 0, 130 after Ctrl-C, 128 + n after signal n, or the argument of
  ///   ``end(_:)``.
  /// - Throws: `TerminalError` if there is no usable terminal.
  @discardableResult
  public static func run(
    _ content: View, focus: (any Responder)? = nil, theme: Theme? = nil,
    configuration: ConfigurationFile? = nil
  ) async throws(TerminalError) -> Int32 {
    let environment = ProcessEnvironment.variables
    let screen = try openScreen(ScreenConfiguration(environment: environment))
    defer { screen.close() }
    let application = TerminalApplication(content, on: screen, theme: theme)
    if let focus { application.window.focus(focus) }
    if let configuration { application.load(configuration) }
    return await application.run()
  }

  /// Shows the content until the user leaves.
  ///
  /// - Returns: the exit status, as for ``run(_:focus:theme:configuration:)``.
  public func run() async -> Int32 {
    begin()
    // Ending needs no thread but the main one.
    return await withTaskExecutorPreference(MainQueueExecutor.shared) {
      await withCheckedContinuation { continuation in
        if let exitStatus { return continuation.resume(returning: exitStatus) }
        exit = { continuation.resume(returning: $0) }
      }
    }
  }

  /// A view was added to the screen.
  func didAdd(_ view: View) {
    guard hasBegun else { return }
    view.forEachView { $0.asResponder?.applicationStarted() }
  }

  func begin() {
    hasBegun = true
    window.layout(size: display.size)
    window.forEachResponder { $0.applicationStarted() }
    frames.layOutFirstFrame()
    display.awaitAnswers()
    display.start { [weak self] events in self?.handle(events) }
    setNeedsFrame()
  }

  /// Ends the program with this exit status.
  public func end(_ status: Int32 = 0) {
    guard exitStatus == nil else { return }
    exitStatus = status
    frames.stop()
    dispatcher.stop()
    programs.runner.stopAll()
    programs.lender.end { [weak self] in
      self?.exit?(status)
      self?.exit = nil
    }
  }

  /// Handles events from the display.
  func handle(_ events: [InputEvent]) {
    if let status = dispatcher.handle(events) { end(status) }
  }

  /// The screen after `events`, without a terminal: for tests of views.
  ///
  /// - Parameter size: columns and rows.
  /// - Complexity: that of drawing the frames.
  public static func render(
    _ content: View, size: Size, events: [InputEvent] = [], theme: Theme = .standard
  ) -> Canvas {
    let display = CanvasDisplay(size: size)
    let scheduler = MainQueueScheduler(isManual: true)
    let application = TerminalApplication(
      content, display: display, scheduler: scheduler, theme: theme)
    application.begin()
    scheduler.run()
    for event in events {
      if case .resize(let size) = event { display.resize(to: size) }
      application.handle([event])
      scheduler.run()
    }
    return display.shown
  }

  // MARK: Commands

  /// The program's own commands, looked up after those of all views.
  public var commands: CommandTable { dispatcher.commands.own }

  /// Commands that a ``ConfigurationFile`` may hold; they can also be typed after `:`.
  public var configurationCommands: CommandTable { dispatcher.commands.configuration }

  /// Whether Ctrl-C ends the program at once, with status 130; `true` by default. Otherwise it is a
  /// key like others.
  public var endsOnInterrupt: Bool {
    get { dispatcher.endsOnInterrupt }
    set { dispatcher.endsOnInterrupt = newValue }
  }

  /// The lines of the help page: the keys of the focused view as they are bound, and the settings.
  ///
  /// - Complexity: O(commands).
  public var help: [CommandTable.HelpLine] {
    window.documentedTables.flatMap { $0.help(with: dispatcher.bindings) } + settings.help
  }

  /// Changes when keys are bound; until then, a computed hint stays valid.
  package var keyHintRevision: Int { dispatcher.bindings.revision }

  /// The most important keys as the user has bound them, with their effects: `n p pictures q back`.
  /// Commands without keys are left out.
  ///
  /// - Parameter parts: commands with their default keys, and their effect.
  package func keyHint(
    _ parts: [(commands: [(name: String, keys: KeySequence)], text: String)]
  ) -> String {
    dispatcher.bindings.hint(parts)
  }

  /// Shows `text` in the status line until the next key and, unless it is a hint, records it.
  public func tell(_ text: String, _ kind: StatusMessages.Kind = .information) {
    notices.tell(text, kind)
  }

  /// The key of a command as the user has bound it; empty if it has none.
  ///
  /// - Parameter usual: the command's default key.
  package func keyLabel(of name: String, _ usual: KeySequence) -> String {
    dispatcher.bindings.labels([(name, usual)]).first ?? ""
  }

  // MARK: Settings

  /// The settings that `set NAME VALUE` changes.
  public var settings: SettingTable { userSettings.table }

  /// Performs the commands of a file, except those that fail. The first failure is shown, at most
  /// 50 others are recorded.
  ///
  /// Call this after adding all settings and the views that have the commands.
  ///
  /// - Returns: a line for each failure, with the file's name and the line's number, if it has one.
  /// - Complexity: O(n) in the bytes of the file, of which ``ConfigurationFile/maximumBytes`` are
  ///   read at most.
  @discardableResult public func load(_ file: ConfigurationFile) -> [String] {
    userSettings.load(file)
  }

  /// The background that the user chose colours for; without effect if the program has a theme of
  /// its own.
  public var themeChoice: ThemeChoice {
    get { userSettings.appearance.choice }
    set { userSettings.appearance.choice = newValue }
  }

  /// Uses a theme by its name: one of ``ThemeChoice``, or one that the loaded file makes; without
  /// effect if there is none of that name, or if the program has a theme of its own.
  package func useTheme(named name: String) {
    try? userSettings.appearance.choose(name)
  }

  /// Whether a move is shown in a single frame, at its end.
  public var reducesMotion: Bool {
    get { userSettings.reducesMotion }
    set { userSettings.reducesMotion = newValue }
  }

  /// Whether a move may be shown in several frames.
  var showsMotion: Bool { !reducesMotion && display.showsWholeFrames }

  // MARK: Frames

  /// The terminal's screen; `nil` without a terminal.
  package var screen: Screen? { display as? Screen }

  /// The number of colours that the display shows.
  public var colorDepth: ColorDepth { display.colorDepth }

  /// The bytes sent by frames so far.
  public var bytesWritten: Int { display.bytesWritten }

  /// Requests a frame, drawn after all work that is queued on the main queue now.
  public func setNeedsFrame() { frames.setNeedsFrame() }

  /// Requests a frame for something that arrived by itself, such as a picture or new rows: several
  /// arrivals share one.
  public func setNeedsFrameSoon() { frames.setNeedsFrameSoon() }

  /// Requests a frame that completes what the last one showed unfinished, such as the pixels of a
  /// picture whose place is visible: it waits no longer than that frame took.
  package func setNeedsCompletingFrame() { frames.setNeedsFrameSoon(completing: true) }

  /// Has views prepare content for the next frames, a piece in each turn of the main queue.
  public func prepareAhead() { frames.prepareAhead() }

  /// Adds a gate that holds back requests while rows are scrolled past; it is retained.
  public func add(_ gate: any RequestGate) { frames.add(gate) }

  /// Adds an observer of frames; it is retained.
  public func add(_ observer: any FrameObserver) { frames.add(observer) }

  /// Removes an observer.
  public func remove(_ observer: any FrameObserver) { frames.remove(observer) }

  // MARK: Links and programs

  var links: LinkHandler { programs.links }

  /// Hands `text` to a program on its standard input, without a shell, and shows the first line
  /// that it prints, or how it failed.
  ///
  /// - Parameter onTerminal: whether the program has the terminal until it ends.
  /// - Complexity: O(n) in the text.
  package func pipe(_ text: [UInt8], to words: [String], onTerminal: Bool) {
    programs.pipe.hand(text, to: words, onTerminal: onTerminal)
  }

  /// The output of a program, started without a shell and detached from the terminal. It is killed
  /// when the task is cancelled.
  ///
  /// - Parameters:
  ///   - limit: the bytes that it may print; with more it is killed.
  ///   - patience: the time that it may take; then it is killed.
  package func output(
    of words: [String], limit: Int, within patience: Duration
  ) async -> Result<[UInt8], ProgramFailure> {
    await programs.runner.output(of: words, limit: limit, within: patience)
  }

  /// Opens a link in the user's browser, or shows why not. Without a display for a browser, as over
  /// ssh, the address is shown and copied.
  ///
  /// - Complexity: O(n) in the address.
  public func open(_ link: Link) { links.open(link) }

  /// Shows links with their addresses in a panel, where they can be opened and copied.
  ///
  /// - Complexity: O(n) in the links.
  public func showLinks(_ links: [Link]) { programs.links.show(links) }

  /// Copies a link's address, or shows why not.
  public func copyAddress(of link: Link) { links.copyAddress(of: link) }

  /// Copies `text` to the clipboard, and shows how, or why not.
  ///
  /// - Parameter name: the name in the status line, as `link`.
  /// - Complexity: O(n) in the text.
  public func copy(_ text: String, as name: String) { links.copy(text, as: name) }
}

extension TerminalCapabilities {
  /// Whether the terminal is known to draw cells in the order they are sent. Others reorder
  /// right-to-left text by themselves, or do not report their name.
  fileprivate var leavesRightToLeftToPrograms: Bool {
    ["XTerm", "foot", "Alacritty", "WezTerm", "st", "tmux"].contains { version.hasPrefix($0) }
  }
}
