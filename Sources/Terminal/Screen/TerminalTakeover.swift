import CTerminalRestoration
import Geometry

/// A terminal that a screen takes over and gives back, any number of times.
///
/// 1. From the first byte that changes the terminal until ``end()`` or ``abandon()``, the terminal
///    is restored however the program ends.
/// 2. The bytes that a crash writes to restore it are prepared in advance, and again after every
///    change of modes, size or pictures.
/// 3. Messages on standard error wait until the terminal is given back.
@MainActor struct TerminalTakeover {
  let device: TerminalDevice
  private let entry: TerminfoEntry
  private var modes: TerminalModes

  init(_ device: TerminalDevice, entry: TerminfoEntry, modes: TerminalModes) {
    self.device = device
    self.entry = entry
    self.modes = modes
  }

  /// Prepares the bytes that restore the terminal; `pictures` hide its pictures.
  func prepareRestoration(of size: Size, hiding pictures: [UInt8]) {
    device.armRestoration(pictures + entry.restoration(modesOff: modes.off, size: size))
  }

  /// Sets up the terminal: raw, in plain style, with the usual characters and the modes.
  func begin(size: Size, hiding pictures: [UInt8]) {
    prepareRestoration(of: size, hiding: pictures)
    terminal_errors_hold()
    device.setRaw()
    device.write(entry.sequence("sgr0") + modes.on)
  }

  /// The bytes that reset the terminal before ncurses leaves its screen of `rows` rows.
  func reset(rows: Int) -> [UInt8] {
    modes.off + entry.scrollRegionReset(rows: rows) + entry.sequence("sgr0")
      + entry.sequence("op") + entry.lastRowErasure(rows: rows)
  }

  /// The bytes that prepare the last row for the prompt after ncurses has left its screen.
  var promptReset: [UInt8] { entry.keypadReset + entry.promptNewline }

  /// Gives the terminal back, with its original settings.
  func end() {
    device.restore()
    abandon()
  }

  /// Ends the takeover of a terminal that is gone.
  func abandon() {
    terminal_restoration_disarm()
    terminal_errors_release()
  }

  /// Undoes what another program may have left on the terminal.
  ///
  /// - Parameter leavesScreen: whether to leave the alternate screen: entering it again saves the
  ///   cursor and modes of the main screen.
  func clean(leavingScreen leavesScreen: Bool) {
    let leaving = leavesScreen ? entry.sequence("rmcup") : []
    device.write(modes.allOff + entry.sequence("cnorm") + leaving)
  }

  /// Whether wheel, buttons and drags are reported.
  var reportsMouse: Bool { modes.reportsMouse }

  /// Switches the reports of the mouse on or off.
  ///
  /// - Returns: the bytes for the terminal; none if nothing changes.
  mutating func report(mouse: Bool) -> [UInt8] { modes.report(mouse: mouse) }

  /// Adopts modes that the terminal's answers decide: the encoding to restore, and the reports of
  /// the focus.
  ///
  /// - Returns: the bytes for the terminal; none if nothing changes.
  mutating func adopt(_ other: TerminalModes) -> [UInt8] {
    modes.encoding = other.encoding
    return modes.report(focus: other.reportsFocus)
  }

  /// Whether the terminal knows sequences that contain text, and displays none that it does not
  /// know.
  var supportsStringSequences: Bool { modes.isUnderstood }
}
