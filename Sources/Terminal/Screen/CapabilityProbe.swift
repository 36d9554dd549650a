import Pixels
import System

/// Asks the terminal what it can do, once, before anything is drawn.
///
/// 1. All questions go out in one write; the last is one that every terminal answers (DA1), so its
///    reply ends the wait.
/// 2. A terminal that is silent costs the deadline and nothing else; replies that come later are
///    swallowed by the input parser.
/// 3. Keys typed meanwhile are kept.
/// 4. Nothing stays on the terminal.
/// 5. Nothing is asked that a program between takes for something else: no application strings,
///    which are titles to tmux and screen, and inside screen no device control strings, which it
///    hands on to its terminal without their frames. Who answers is asked first, since the
///    environment does not name a multiplexer on the other side of ssh.
/// 6. Questions go out once, and again only after a stop, when the answers may have been dropped:
///    with two sets of answers on their way the first would end the wait, and a report of the
///    cursor in the second would be a key.
struct CapabilityProbe {
  /// A program between the terminal and this one that takes some sequences for its own.
  enum Multiplexer {
    case tmux, screen

    /// The one that tells its name and version as `version` (XTVERSION); nil for none.
    init?(version: String) {
      if version.hasPrefix("tmux") {
        self = .tmux
      } else if version.hasPrefix("screen") {
        self = .screen
      } else {
        return nil
      }
    }

    /// The one whose kind (DA2) is a letter of its name; nil for none.
    init?(kind: Int) {
      switch kind {
      case 83: self = .screen
      case 84: self = .tmux
      default: return nil
      }
    }

    /// The one that the terminal's name or a variable tells of; nil for none.
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

  /// Characters of several code points whose width tells whether they are drawn as one: a skin tone
  /// and a family.
  static let clusters = [
    "\u{1F44D}\u{1F3FD}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
  ]

  /// What is written to the terminal.
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
    // Hidden, for the moment they stand there, and as characters of the usual set.
    text += "\u{1B}7\u{1B}[8m\u{1B}(B\u{F}\u{1B}[4l"
    text += "\r\u{E9}\u{1B}[6n\u{1B}%G"  // one column in UTF-8, which it is to read from now on
    for cluster in clusters { text += "\r\(cluster)\u{1B}[6n" }
    text += "\r\u{1B}[K\u{1B}[0m\u{1B}8"
    text += "\u{1B}[c"
    return Array(text.utf8)
  }

  /// Whether a terminal of this kind can be asked: those that are known not to answer or to show
  /// the questions are not.
  static func isAllowed(term: String) -> Bool {
    let silent = ["dumb", "linux", "cons", "eterm", "ansi", "sun", "emacs", "9term", "unknown"]
    return !term.isEmpty && !isVT(term) && !silent.contains { term.hasPrefix($0) }
  }

  /// Whether `term` names one of DEC's own, such as `vt220`, and not `vte`.
  static func isVT(_ term: String) -> Bool {
    term.hasPrefix("vt") && term.dropFirst(2).first?.isNumber == true
  }

  /// How long to wait: as many milliseconds as `TIDELINE_PROBE_MILLISECONDS` says, 1 to 60,000, for
  /// lines that are slower still than ssh; else 250 ms, and a second over ssh.
  static func deadline(environment: [String: String]) -> Duration {
    if let own = environment["TIDELINE_PROBE_MILLISECONDS"].flatMap({ Int($0) }),
      (1...60_000).contains(own)
    {
      return .milliseconds(own)
    }
    let isRemote = environment["SSH_CONNECTION"] != nil || environment["SSH_TTY"] != nil
    return isRemote ? .seconds(1) : .milliseconds(250)
  }

  /// How long whoever gives the terminal back waits for answers under way: as long as one waits for
  /// the first, but 300 ms at least and five seconds at most.
  static func farewell(environment: [String: String]) -> Duration {
    min(max(deadline(environment: environment), .milliseconds(300)), .seconds(5))
  }

  /// What the replies so far say.
  private(set) var result = TerminalCapabilities()
  /// The last question is answered.
  private(set) var isComplete = false
  private(set) var provedTrueColor = false
  /// The size in pixels of all cells.
  private(set) var windowPixelSize: PixelSize?
  /// Events of keys typed meanwhile.
  private(set) var events: [InputEvent] = []
  /// Whether the terminal read UTF-8 when it was found; nil where it did not tell.
  private(set) var readsUTF8: Bool?
  private var cursorColumns: [Int] = []

  /// Asks, from the beginning. Expects raw mode.
  ///
  /// - Returns: false where the terminal takes nothing.
  mutating func ask(
    _ device: TerminalDevice, in multiplexer: Multiplexer?, parser: inout InputParser
  ) -> Bool {
    self = CapabilityProbe(events: events)
    parser.openQuestions = 1
    device.noteQuestions(areOpen: true)
    return device.write(Self.questions(in: multiplexer))
  }

  /// Waits for the answers. `parser` keeps what was typed but is not complete.
  ///
  /// - Parameter interruption: a descriptor that ends the wait as soon as it can be read; -1 for
  ///   none.
  /// - Returns: false where it did.
  mutating func wait(
    on device: TerminalDevice, parser: inout InputParser, within limit: Duration,
    interruption: Int32 = -1
  ) -> Bool {
    guard !isComplete else { return true }
    let end = device.read(within: limit, or: interruption) { bytes in
      let output = parser.feed(bytes)
      events += output.events
      for reply in output.replies { note(reply) }
      return !isComplete
    }
    if isComplete { device.noteQuestions(areOpen: false) }
    return end != .interrupted
  }

  /// Takes one reply in.
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
    case .kind(let kind): result.multiplexer = Multiplexer(kind: kind) ?? result.multiplexer
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
  /// each; nil where it is neither.
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
