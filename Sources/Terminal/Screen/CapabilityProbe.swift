import Pixels
import System

/// Queries the terminal's capabilities, once, before anything is drawn.
///
/// 1. All queries are sent in one write. The last is one that every terminal answers (DA1), so its
///    reply ends the wait.
/// 2. The first frame waits for the answers for a moment only (``patience(environment:)``). Later
///    ones change the screen when the last of them has come, or at the deadline; the input parser
///    swallows those that come even later.
/// 3. Keys typed meanwhile are kept.
/// 4. Nothing stays on the terminal.
/// 5. No query is sent that a program in between misinterprets: no application strings, which are
///    titles to tmux and screen, and inside screen no device control strings, which it passes to
///    its terminal without their frames. The first queries identify such a program, since the
///    environment does not name a multiplexer on the other side of ssh.
/// 6. Queries are sent once, and again only after a stop, when the answers may have been dropped:
///    with two sets of answers on their way the first would end the wait, and a cursor report in
///    the second would be a key.
struct CapabilityProbe {
  /// A program between the terminal and this one that interprets some sequences itself.
  ///
  /// The raw values are the kinds that they report (DA2), letters of their names.
  enum Multiplexer: Int {
    case screen = 83
    case tmux = 84

    /// The multiplexer that reports this name and version (XTVERSION), which begins as `TERM` does;
    /// `nil` for none.
    init?(version: String) { self.init(term: version, environment: [:]) }

    /// The multiplexer that `TERM` or a variable indicates; `nil` for none.
    init?(term: String, environment: [String: String]) {
      if term.hasPrefix("tmux") || environment["TMUX"]?.isEmpty == false {
        self = .tmux
      } else if term.hasPrefix("screen") || environment["STY"]?.isEmpty == false {
        self = .screen
      } else {
        return nil
      }
    }
  }

  /// Characters of several code points, a skin tone and a family: their width shows whether each is
  /// drawn as one character.
  static let clusters = [
    "\u{1F44D}\u{1F3FD}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
  ]

  /// The queries, as written to the terminal.
  static func questions(in multiplexer: Multiplexer? = nil) -> [UInt8] {
    var text = "\u{1B}[>0q\u{1B}[>c"  // XTVERSION, DA2
    if multiplexer != .screen {
      text += "\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[0m"  // DECRQSS of an RGB background
    }
    text += "\u{1B}[?2026$p"  // synchronized output
    text += "\u{1B}]10;?\u{1B}\\\u{1B}]11;?\u{1B}\\"  // foreground and background
    text += "\u{1B}]4"
    for color in 0..<TerminalColors.paletteSize { text += ";\(color);?" }
    text += "\u{1B}\\"
    text += "\u{1B}[16t\u{1B}[14t"  // pixels of a cell and of all
    // Concealed, because they are on the screen for a moment, and in the usual character set.
    text += "\u{1B}7\u{1B}[8m\u{1B}(B\u{F}\u{1B}[4l"
    text += "\r\u{E9}\u{1B}[6n\u{1B}%G"  // one column in UTF-8, which is selected from now on
    for cluster in clusters { text += "\r\(cluster)\u{1B}[6n" }
    text += "\r\u{1B}[K\u{1B}[0m\u{1B}8"
    text += "\u{1B}[c"
    return Array(text.utf8)
  }

  /// Whether a terminal of this type can be queried: not if it is known not to answer or to display
  /// the queries.
  static func isAllowed(term: String) -> Bool {
    let silent = ["dumb", "linux", "cons", "eterm", "ansi", "sun", "emacs", "9term", "unknown"]
    return !term.isEmpty && !isVT(term) && !silent.contains { term.hasPrefix($0) }
  }

  /// Whether `term` names one of DEC's terminals, such as `vt220`, and not `vte`.
  static func isVT(_ term: String) -> Bool {
    term.hasPrefix("vt") && term.dropFirst(2).first?.isNumber == true
  }

  /// How long the first frame waits: `TIDELINE_PROBE_MILLISECONDS`, 1 to 60,000, else 10 ms. Most
  /// terminals on the same machine have answered by then, so that they show no frame without the
  /// answers.
  static func patience(environment: [String: String]) -> Duration {
    ownDeadline(environment: environment) ?? .milliseconds(10)
  }

  private static func ownDeadline(environment: [String: String]) -> Duration? {
    guard let own = environment["TIDELINE_PROBE_MILLISECONDS"].flatMap({ Int($0) }),
      (1...60_000).contains(own)
    else { return nil }
    return .milliseconds(own)
  }

  /// How long to wait for the last answer before those that have come are used without it:
  /// `TIDELINE_PROBE_MILLISECONDS`, for lines that are even slower than ssh; else 250 ms, and a
  /// second over ssh.
  static func deadline(environment: [String: String]) -> Duration {
    if let own = ownDeadline(environment: environment) { return own }
    let isRemote = environment["SSH_CONNECTION"] != nil || environment["SSH_TTY"] != nil
    return isRemote ? .seconds(1) : .milliseconds(250)
  }

  /// How long to wait for outstanding answers before the terminal is given back: as long as
  /// ``deadline(environment:)``, but at least 300 ms and at most 5 s.
  static func farewell(environment: [String: String]) -> Duration {
    min(max(deadline(environment: environment), .milliseconds(300)), .seconds(5))
  }

  /// The capabilities according to the replies so far.
  private(set) var result = TerminalCapabilities()
  /// Whether queries were sent, and the last one is not answered.
  var isOutstanding: Bool { isAsked && !isComplete }
  /// Whether the deadline has passed: single answers then count at once.
  private(set) var isOverdue = false
  private var isAsked = false
  /// Whether the last query is answered.
  private(set) var isComplete = false
  /// Whether the terminal reported back the RGB background that the queries set.
  private(set) var provedTrueColor = false
  /// The size of the whole text area in pixels.
  private(set) var windowPixelSize: PixelSize?
  /// Events of keys typed meanwhile.
  private(set) var events: [InputEvent] = []
  /// Whether the terminal was in UTF-8 mode at the start; `nil` if unknown.
  private(set) var readsUTF8: Bool?
  private var cursorColumns: [Int] = []

  /// Sends the queries and drops the results of earlier ones. Expects raw mode.
  ///
  /// - Returns: false if the terminal accepts no output.
  mutating func ask(
    _ device: TerminalDevice, in multiplexer: Multiplexer?, parser: inout InputParser
  ) -> Bool {
    let (events, isOverdue) = (self.events, self.isOverdue)
    self = CapabilityProbe()
    (self.events, self.isOverdue) = (events, isOverdue)
    isAsked = true
    parser.outstandingQueries = 1
    device.noteQueries(areOpen: true)
    return device.write(Self.questions(in: multiplexer))
  }

  /// Waits for the answers. `parser` keeps unfinished input.
  ///
  /// - Parameter interruption: a descriptor that ends the wait as soon as it is readable; -1 for
  ///   none.
  mutating func wait(
    on device: TerminalDevice, parser: inout InputParser, within limit: Duration,
    interruption: Int32 = -1
  ) {
    guard !isComplete else { return }
    _ = device.read(within: limit, or: interruption) { bytes in
      let output = parser.feed(bytes)
      events += output.events
      for reply in output.replies { note(reply) }
      return !isComplete
    }
    if isComplete { device.noteQueries(areOpen: false) }
  }

  /// Notes that the deadline has passed.
  mutating func giveUp() { isOverdue = true }

  /// Takes the events of keys typed meanwhile.
  mutating func takeEvents() -> [InputEvent] {
    defer { events = [] }
    return events
  }

  /// Records a reply.
  mutating func note(_ reply: TerminalReply) {
    switch reply {
    case .attributes(let attributes):
      result.drawsSixels = attributes.dropFirst().contains(4)
      isComplete = true
    case .mode(2026, let state): result.synchronizesOutput = state == 1 || state == 2
    case .mode: break
    case .version(let version):
      result.version = version
      result.multiplexer = Multiplexer(version: version) ?? result.multiplexer
    case .kind(let kind): result.multiplexer = Multiplexer(rawValue: kind) ?? result.multiplexer
    case .setting(let setting):
      provedTrueColor = setting.contains("48:2:") || setting.contains("48;2;")
    case .cursor(_, let column):
      guard readsUTF8 != nil else {
        readsUTF8 = column == 2
        return
      }
      cursorColumns.append(column)
      result.drawsWholeClusters =
        cursorColumns.count == Self.clusters.count && cursorColumns.allSatisfy { $0 == 3 }
    case .window(let numbers):
      guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return }
      if numbers[0] == 6 {
        result.cellPixelSize = .cell(width: numbers[2], height: numbers[1])
        result.reportsCellSize = result.cellPixelSize != nil
      }
      if numbers[0] == 4 { windowPixelSize = PixelSize(width: numbers[2], height: numbers[1]) }
    case .color(let number, let text): result.colors.note(report: number, text)
    case .focus: break
    }
  }
}

extension RGB {
  /// From `rgb:rrrr/gggg/bbbb` or `rgba:rrrr/gggg/bbbb/aaaa` with one to four hexadecimal digits
  /// each; `nil` if it is neither.
  init?(colorReport text: String) {
    guard let colon = text.firstIndex(of: ":"), ["rgb", "rgba"].contains(text[..<colon]) else {
      return nil
    }
    let parts = text[text.index(after: colon)...].split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count == (text[..<colon] == "rgb" ? 3 : 4) else { return nil }
    var values: [UInt8] = []
    for part in parts.prefix(3) {
      guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit),
        let value = Int(part, radix: 16)
      else { return nil }
      let maximum = (1 << (4 * part.utf8.count)) - 1
      values.append(UInt8((value * 255 + maximum / 2) / maximum))
    }
    self.init(values[0], values[1], values[2])
  }
}
