/// The modes of a terminal that a screen uses, and the bytes that switch them on and off.
struct TerminalModes {
  /// Whether wheel, buttons and drags are reported.
  var reportsMouse: Bool
  /// Whether pasted text is reported as one event.
  var reportsPaste: Bool
  /// Whether a return of the focus to the window is reported: content other than cells may be gone.
  var reportsFocus = false
  /// The encoding selected while the program runs.
  var encoding = Encoding.originalEncoding
  /// Whether the terminal knows these modes; if not, none of them are sent.
  let isUnderstood: Bool

  /// The encoding selected on the terminal.
  enum Encoding {
    /// Not changed.
    case originalEncoding
    /// UTF-8, and left so.
    case utf8
    /// UTF-8 while the program runs, then the terminal's default again.
    case temporaryUTF8
  }

  private static let focusOn = "\u{1B}[?1004h"
  private static let focusOff = "\u{1B}[?1004l"
  // Buttons and wheel, drags, and coordinates in decimal.
  private static let mouseOn = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"
  private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"

  /// The bytes that switch the modes on.
  var on: [UInt8] {
    let selection = encoding == .originalEncoding ? "" : "\u{1B}%G"
    guard isUnderstood else { return Array(selection.utf8) }
    let mouse = reportsMouse ? Self.mouseOn : ""
    let focus = reportsFocus ? Self.focusOn : ""
    return Array((selection + mouse + (reportsPaste ? "\u{1B}[?2004h" : "") + focus).utf8)
  }

  /// The bytes that switch the modes off, and end a frame that was cut short.
  var off: [UInt8] {
    guard isUnderstood else { return [] }
    let mouse = reportsMouse ? Self.mouseOff : ""
    let focus = reportsFocus ? Self.focusOff : ""
    let selection = encoding == .temporaryUTF8 ? "\u{1B}%@" : ""
    return Array(
      ("\u{1B}[?2026l" + mouse + (reportsPaste ? "\u{1B}[?2004l" : "") + focus + selection).utf8)
  }

  /// The bytes that also switch off modes that other programs may have left on.
  var allOff: [UInt8] {
    // Motion without a button, and two older formats of coordinates.
    isUnderstood ? Array("\u{1B}[?1003l\u{1B}[?1005l\u{1B}[?1015l".utf8) + off : []
  }

  /// Switches the reports of the mouse on or off.
  ///
  /// - Returns: the bytes for the terminal; none if nothing changes.
  mutating func report(mouse: Bool) -> [UInt8] {
    guard mouse != reportsMouse else { return [] }
    reportsMouse = mouse
    return isUnderstood ? Array((mouse ? Self.mouseOn : Self.mouseOff).utf8) : []
  }

  /// Switches the reports of the focus on or off.
  ///
  /// - Returns: the bytes for the terminal; none if nothing changes.
  mutating func report(focus: Bool) -> [UInt8] {
    guard focus != reportsFocus else { return [] }
    reportsFocus = focus
    return isUnderstood ? Array((focus ? Self.focusOn : Self.focusOff).utf8) : []
  }
}
