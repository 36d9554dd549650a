import CNcurses
import Geometry

extension TerminfoEntry {
  /// The bytes that restore a terminal of `size` without ncurses: modes off, the whole screen
  /// scrolls, plain style, the cursor visible in the last row, the main screen.
  ///
  /// If there are modes to switch off, the bytes begin with ST, which ends a sequence or string
  /// that was cut short.
  @MainActor func restoration(modesOff: [UInt8], size: Size) -> [UInt8] {
    var bytes: [UInt8] = modesOff.isEmpty ? [] : Array("\u{1B}\\".utf8)
    bytes += modesOff
    bytes += scrollRegionReset(rows: size.height)
    bytes += sequence("sgr0")
    bytes += sequence("op")
    bytes += sequence("cnorm")
    bytes += lastRowErasure(rows: size.height)
    bytes += sequence("rmcup")
    bytes += keypadReset
    // The program may print a message after this.
    if string("rmcup") == nil { bytes += [0x0D, 0x0A] }
    return bytes
  }

  /// Clears the last of `rows` rows and leaves the cursor at its beginning, for the prompt, on a
  /// terminal without an alternate screen.
  @MainActor func lastRowErasure(rows: Int) -> [UInt8] {
    expanded("cup", rows - 1, 0) + sequence("el")
  }

  /// A new line for the prompt, if the terminal can neither restore the main screen nor clear the
  /// last row.
  var promptNewline: [UInt8] {
    string("rmcup") == nil && string("el") == nil ? [0x0D, 0x0A] : []
  }

  /// Resets modes that another program may have left: side margins, origin mode, insert mode, no
  /// wrapping, newline mode, another character set. It may move the cursor to the upper left
  /// corner.
  ///
  /// - Parameter isCommon: whether the terminal knows the sequences of DEC's terminals, even if the
  ///   entry does not name them.
  func drawingModeReset(isCommon: Bool) -> [UInt8] {
    guard isCommon else { return sequence("rmir") + sequence("smam") + sequence("rmacs") }
    let common = "\u{1B}[?69l\u{1B}[?6l\u{1B}[?7h\u{1B}[4l\u{1B}[20l\u{1B}(B\u{F}"
    return Array(common.utf8) + sequence("rmacs")
  }

  /// Whether the cursor is moved by a control sequence (`ESC [`), as in all current terminals.
  var usesControlSequences: Bool { sequence("cup").starts(with: [0x1B, 0x5B]) }

  /// Leaves application keypad mode. A current terminal enters it if `TERM` names a terminal whose
  /// cursor is moved by `ESC =`, such as an adm3a. Terminals that do not know the sequence show a
  /// part of it, which is blanked. Empty for all other entries.
  var keypadReset: [UInt8] {
    sequence("cup").starts(with: [0x1B, 0x3D]) ? Array("\u{1B}>\r  \r".utf8) : []
  }

  /// Resets the scroll region to the whole screen: to the terminal's current height if scroll
  /// regions are set by the usual sequence, else to `rows`. The cursor moves to the upper left
  /// corner.
  @MainActor func scrollRegionReset(rows: Int) -> [UInt8] {
    if hasStandardScrollRegions { return Array("\u{1B}[r".utf8) }
    return expanded("csr", 0, rows - 1)
  }

  /// Whether scroll regions are set by the usual sequence, DECSTBM.
  var hasStandardScrollRegions: Bool { sequence("csr") == Array("\u{1B}[%i%p1%d;%p2%dr".utf8) }

  /// Whether the terminal can move lines in a part of the screen with the usual sequences, which
  /// delete and insert lines in a scroll region. A terminal that deletes lines is assumed to insert
  /// them, too.
  var movesLines: Bool {
    let deletes = [sequence("dl"), sequence("dl1")]
    return hasStandardScrollRegions
      && (deletes[0] == Array("\u{1B}[%p1%dM".utf8) || deletes[1] == Array("\u{1B}[M".utf8))
  }

  /// A string capability with its two parameters filled in and its delays removed. On the main
  /// actor, because ncurses returns it in a static buffer.
  @MainActor private func expanded(_ capability: String, _ first: Int, _ second: Int) -> [UInt8] {
    let value = sequence(capability)
    guard !value.isEmpty else { return [] }
    return String(decoding: value, as: UTF8.self).withCString {
      guard let text = terminfo_expand($0, Int32(first), Int32(second)) else { return [] }
      return Array(String(cString: text).utf8)
    }
  }
}
