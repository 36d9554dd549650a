/// What a screen has the terminal report, and the bytes that switch it on and off.
struct TerminalModes {
  /// Wheel, buttons and drags.
  var reportsMouse: Bool
  /// Pasted text as one event.
  var reportsPaste: Bool
  /// That the window is used again: what stood there besides cells may be gone.
  var reportsFocus = false
  /// Whether characters are to be read as UTF-8.
  var encoding = Encoding.asFound
  /// Whether the terminal knows these modes; one that does not is sent none of them.
  let isUnderstood: Bool

  /// What a terminal reads characters as.
  enum Encoding {
    /// Not for the program to say.
    case asFound
    /// UTF-8, as perhaps before.
    case utf8
    /// UTF-8, and afterwards what it was before: the terminal's own.
    case utf8Meanwhile
  }

  // Buttons and wheel, drags, and coordinates in decimal.
  private static let mouseOn = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"
  private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"

  /// Bytes that switch on what is wanted.
  var on: [UInt8] {
    let selection = encoding == .asFound ? "" : "\u{1B}%G"
    guard isUnderstood else { return Array(selection.utf8) }
    let mouse = reportsMouse ? Self.mouseOn : ""
    let focus = reportsFocus ? "\u{1B}[?1004h" : ""
    return Array((selection + mouse + (reportsPaste ? "\u{1B}[?2004h" : "") + focus).utf8)
  }

  /// Bytes that switch off what was, and the end of a frame that was cut short.
  var off: [UInt8] {
    guard isUnderstood else { return [] }
    let mouse = reportsMouse ? Self.mouseOff : ""
    let focus = reportsFocus ? "\u{1B}[?1004l" : ""
    let selection = encoding == .utf8Meanwhile ? "\u{1B}%@" : ""
    return Array(
      ("\u{1B}[?2026l" + mouse + (reportsPaste ? "\u{1B}[?2004l" : "") + focus + selection).utf8)
  }

  /// Bytes that switch off what other programs may have switched on besides.
  var allOff: [UInt8] {
    // Moves without a button, and two older forms of coordinates.
    isUnderstood ? Array("\u{1B}[?1003l\u{1B}[?1005l\u{1B}[?1015l".utf8) + off : []
  }

  /// Has the mouse reported from now on, or no longer.
  ///
  /// - Returns: the bytes that tell the terminal; none where nothing changes.
  mutating func report(mouse: Bool) -> [UInt8] {
    guard mouse != reportsMouse else { return [] }
    reportsMouse = mouse
    return isUnderstood ? Array((mouse ? Self.mouseOn : Self.mouseOff).utf8) : []
  }
}
