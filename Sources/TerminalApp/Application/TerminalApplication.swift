import ConstraintLayout
import Geometry
import System
import Terminal
import TerminalViews
import TextLayout

/// A program on a terminal: what is on its screen, and the loop of events and frames.
///
///     events, arrivals ──▶ views ──▶ at most one frame per turn of the main queue
///                                      layout ▸ draw into one canvas ▸ one `present`
///
/// Frames are drawn only when something has changed: a screen nobody touches wakes nobody. The
/// program ends on Ctrl-C, on `q` where no panel is open, and by signals, also that of a closed
/// terminal.
@MainActor public final class TerminalApplication {
  /// The one that was made last.
  public private(set) static weak var current: TerminalApplication?
  /// What is on the screen.
  public let window: Window
  let display: any Display
  let turns: Turns
  /// What is told in the status line, and was.
  public let notices: Notices
  /// Commands of the program, which come after those of all views.
  public let commands = CommandTable()
  /// Commands that a ``ConfigurationFile`` may hold; they can be typed after `:` as well.
  public let configurationCommands = CommandTable()
  /// What `set NAME VALUE` changes.
  public let settings = SettingTable()
  /// Commands that modal panels let through, with the settings: those of the system, and some of
  /// `commands`.
  let systemCommands = CommandTable()
  let panelCommands = CommandTable()
  /// Commands that panels with status lines of their own let through besides.
  let pageCommands = CommandTable()
  /// Whether moves are shown in one frame, where they end.
  public var reducesMotion: Bool
  /// Whether Ctrl-C ends the program, with 130, whatever else is to be done; true by default. Else
  /// it is a key like others.
  public var endsOnInterrupt = true
  /// What waits while rows are only passed.
  public var requestGates: [any RequestGate] = []
  /// When what is waiting may be asked for, while rows are only passed.
  var requestsHeldUntil: ContinuousClock.Instant?
  var isReleaseScheduled = false
  let appearance: Appearance
  /// What links are opened by, and text is copied by.
  let opener: LinkOpener
  let lender: TerminalLender
  let clipboard: Clipboard
  private(set) var observers: [any FrameObserver] = []

  var keys = KeyReader()
  /// What was typed after `:`, the oldest first.
  var promptHistory: [String] = []
  var queue = EventQueue()
  /// Whom keys are meant for, until a command may have changed that.
  var keyTarget: KeyTarget?
  /// What is left in the queue goes on in a later turn.
  var isWorkScheduled = false
  var isFrameScheduled = false
  var isPreparing = false
  var isDrawing = false
  var pace = FramePace()
  /// Drawn into by every frame, after the screen has taken the one before.
  var canvas = Canvas(size: .zero)
  lazy var idleWork = IdleWork(after: Self.idleDelay, on: turns) { [weak self] in
    self?.workIdle() ?? false
  }
  private var hasBegun = false
  private var exit: CheckedContinuation<Int32, Never>?
  /// What the program ends with; nil while it runs.
  public private(set) var exitStatus: Int32?

  static let redrawName = "redraw"
  /// Rows and columns below which there is no room to show anything.
  static let minimumSize = Size(width: 8, height: 2)
  /// Quiet time before what is not needed now is done, and how long a slice of that may take.
  static let idleDelay = Duration.milliseconds(400)
  static let idleSlice = Duration.microseconds(1_500)

  /// A program that shows `content` on a screen opened with ``openScreen(_:)``, which its owner
  /// closes.
  ///
  /// - Parameters:
  ///   - theme: nil, the default, for one that fits the terminal's colours.
  ///   - environment: variables that say whether moves are shown in one frame:
  ///     `REDUCE_MOTION`, and `SSH_CONNECTION`, as there each frame is sent far.
  public convenience init(
    _ content: View, on screen: Screen, theme: Theme? = nil,
    environment: [String: String] = ProcessEnvironment.variables
  ) {
    self.init(
      content, display: screen, turns: Turns(), theme: theme, environment: environment,
      starter: .system(environment: environment))
    reducesMotion =
      environment["SSH_CONNECTION"] != nil || environment["REDUCE_MOTION"]?.isEmpty == false
    screen.onColorsChange = { [weak self] in self?.appearance.update() }
  }

  /// A program without a terminal that is never run: ``load(_:)`` says what is wrong with a file of
  /// settings, as on a screen.
  public convenience init(checking content: View) {
    self.init(content, display: CanvasDisplay(size: .zero), turns: Turns(areManual: true))
  }

  init(
    _ content: View, display: any Display, turns: Turns, theme: Theme? = nil,
    notices: Notices = Notices(), environment: [String: String] = [:],
    starter: ProgramStarter = ProgramStarter { _, _ in .failure(SystemFailure(code: ENOENT)) }
  ) {
    self.notices = notices
    // Told later than whoever asked for it has been answered.
    let tell = Telling()
    lender = TerminalLender(
      display: display, starter: starter, after: { turns.after($0, $1) })
    opener = LinkOpener(
      environment: environment, starter: starter, lender: lender,
      after: { turns.after($0, $1) }, tell: tell.tell)
    clipboard = Clipboard(
      environment: environment, starter: starter, after: { turns.after($0, $1) },
      send: { display.copy(base64: $0) }, tell: tell.tell)
    window = Window(content, theme: Appearance.theme(theme, on: display))
    appearance = Appearance(theme, of: window, on: display)
    self.display = display
    self.turns = turns
    reducesMotion = true
    window.application = self
    tell.application = self
    addCommands()
    Self.current = self
  }

  // MARK: Running

  /// Opens the terminal, with what layout has to know of it.
  public static func openScreen(_ configuration: ScreenConfiguration) throws(TerminalError)
    -> Screen
  {
    let screen = try Screen(configuration)
    LayoutMetrics.cellAspect = screen.cellAspect
    TextMetrics.current.drawsWholeClusters = screen.capabilities.drawsWholeClusters
    TextMetrics.current.reordersRightToLeft = screen.capabilities.leavesRightToLeftToPrograms
    return screen
  }

  /// Opens the terminal, shows `content` until the user leaves, and gives the terminal back.
  ///
  /// - Parameters:
  ///   - focus: the view that keys are meant for at first; the first that can have it by default.
  ///   - theme: nil, the default, for one that fits the terminal's colours.
  ///   - configuration: what the user has bound keys to; nothing by default.
  /// - Returns: the exit status: 0, 130 after Ctrl-C, 128 + n after signal n, or what ``end(_:)``
  ///   says.
  /// - Throws: `TerminalError` where there is no terminal that can be used.
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
  /// - Returns: the exit status, as ``run(_:focus:theme:configuration:)`` returns it.
  public func run() async -> Int32 {
    begin()
    // The end waits for no thread but the main one.
    return await withTaskExecutorPreference(MainQueueExecutor.shared) {
      await withCheckedContinuation { continuation in
        if let exitStatus { return continuation.resume(returning: exitStatus) }
        exit = continuation
      }
    }
  }

  /// A view has come onto the screen.
  func didAdd(_ view: View) {
    guard hasBegun else { return }
    view.forEachView { ($0 as? any FrameWorking)?.applicationStarted() }
  }

  func begin() {
    hasBegun = true
    window.layout(size: display.size)
    window.forEachWorker { $0.applicationStarted() }
    display.start { [weak self] events in self?.handle(events) }
    setNeedsFrame()
  }

  /// Leaves the screen with this exit status.
  public func end(_ status: Int32 = 0) {
    guard exitStatus == nil else { return }
    exitStatus = status
    lender.end { [weak self] in
      self?.exit?.resume(returning: status)
      self?.exit = nil
    }
  }

  // MARK: Commands

  private func addCommands() {
    let commandLine = Command<TerminalApplication>(
      "command-line", ":", help: "command by name"
    ) { application, call in application.openPrompt(for: call) }
    let quit = Command<TerminalApplication>("quit", help: "") { application, _ in application.end()
    }
    let help = Command<TerminalApplication>("help", "?", "f1", help: "this page") {
      $0.openHelp(for: $1)
    }
    let messages = Command<TerminalApplication>(
      "messages", help: "what was told in the status line, the newest first"
    ) { application, _ in application.openMessages() }
    commands.add(
      [
        help,
        Command("back", "q", help: "back; at the top, quit") { application, _ in
          application.end()
        },
        commandLine, quit,
        messages,
        Command("next-view", "tab", help: "") { application, _ in
          application.window.moveFocus() ? .done : .passed
        },
        Command("previous-view", "shift-tab", help: "") { application, _ in
          application.window.moveFocus(by: -1) ? .done : .passed
        },
      ], of: self)
    addConfigurationCommands()
    settings.add(appearance.settings)
    addLinkSettings()
    panelCommands.add([commandLine, quit, messages], of: self)
    pageCommands.add([help, Command("back", "q", help: "back") { _, _ in .passed }], of: self)
    systemCommands.add(
      [
        Command(Self.redrawName, "ctrl-l", help: "redraw the screen") { application, _ in
          application.display.invalidate()
        },
        Command("suspend", "ctrl-z", help: "suspend") { application, _ in
          application.display.suspend()
        },
      ], of: self)
  }

  /// What keys do where the focus is, as they are bound, and what settings there are: the lines of
  /// the help page.
  ///
  /// - Complexity: O(commands).
  public var help: [CommandTable.HelpLine] {
    window.documentedTables.flatMap { $0.help(with: keys.bindings) } + settings.help
  }

  private func openHelp(for call: CommandCall) {
    let provider = window.helpProvider
    let page = HelpPage.text(
      title: provider?.helpTitle ?? "", notes: provider?.helpNotes ?? [], lines: help)
    window.present(HelpView(page))
  }

  private func openMessages() -> CommandOutcome {
    guard !notices.log.isEmpty else { return .refused("nothing was told yet") }
    window.present(HelpView(notices.page))
    return .done
  }

  // MARK: What others see

  /// Where it is shown; nil without a terminal.
  package var screen: Screen? { display as? Screen }
  /// Colours the screen shows.
  public var colorDepth: ColorDepth { display.colorDepth }
  /// For which background the user wants colours; without effect where the program has a theme of
  /// its own.
  public var themeChoice: ThemeChoice {
    get { appearance.choice }
    set { appearance.choice = newValue }
  }
  /// Bytes sent by frames so far.
  public var bytesWritten: Int { display.bytesWritten }

  /// Whether a move may be shown in several frames.
  var showsMotion: Bool { !reducesMotion && display.showsWholeFrames }

  /// Has `observer` hear of each frame; it is retained.
  public func add(_ observer: any FrameObserver) { observers.append(observer) }
  /// Has it hear of none any more.
  public func remove(_ observer: any FrameObserver) { observers.removeAll { $0 === observer } }
}

/// Passes on what the parts of an application have to tell, which are made before it is.
@MainActor private final class Telling {
  weak var application: TerminalApplication?

  func tell(_ text: String, _ kind: Notices.Kind) { application?.tell(text, kind) }
}

/// Waits while rows are only passed, so that nothing is asked for that nobody will see.
@MainActor public protocol RequestGate: AnyObject {
  /// From now on nothing is asked for.
  func deferRequests()
  /// What is still wanted is asked for.
  func resumeRequests()
}

/// Hears of frames.
@MainActor public protocol FrameObserver: AnyObject {
  /// A frame is about to be laid out and drawn.
  func frameBegins()
  /// The frame is shown, and what follows it is arranged.
  func frameEnded()
}

extension TerminalCapabilities {
  /// Whether the terminal is known to draw cells in the order they are sent. The others reorder
  /// right-to-left text by themselves, or do not tell who they are.
  fileprivate var leavesRightToLeftToPrograms: Bool {
    ["XTerm", "foot", "Alacritty", "WezTerm", "st", "tmux"].contains { version.hasPrefix($0) }
  }
}
