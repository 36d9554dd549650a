import CNcurses
import Geometry

extension TerminfoEntry {
  /// The bytes that restore a terminal of `size` without ncurses: modes off, the whole screen
  /// scrolls, plain style, the cursor visible in the last row, the main screen.
  ///
  /// With modes to switch off, they first end a sequence or string that was cut short.
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
    // A message may follow the end of the program.
    if string("rmcup") == nil { bytes += [0x0D, 0x0A] }
    return bytes
  }

  /// Clears the last of `rows` rows and leaves the cursor at its beginning, for the prompt, on a
  /// terminal without an alternate screen.
  @MainActor func lastRowErasure(rows: Int) -> [UInt8] {
    expanded("cup", rows - 1, 0) + sequence("el")
  }

  /// A new line for the prompt, if the terminal can neither restore nor clear the last row.
  var promptNewline: [UInt8] {
    string("rmcup") == nil && string("el") == nil ? [0x0D, 0x0A] : []
  }

  /// Resets modes that another program may have left: side margins, origin mode, insert mode, no
  /// wrapping, newline mode, another character set. It may move the cursor to the upper left corner.
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

  /// Leaves the application keypad. A current terminal enters it if `TERM` names one whose cursor
  /// is moved by `ESC =`, such as an adm3a. Terminals that do not know the sequence show a part of
  /// it, which is blanked. Empty for all other entries.
  var keypadReset: [UInt8] {
    sequence("cup").starts(with: [0x1B, 0x3D]) ? Array("\u{1B}>\r  \r".utf8) : []
  }

  /// Makes all rows scroll: all rows that the terminal has now if the entry can express that, else
  /// `rows`. The cursor moves to the upper left corner.
  @MainActor func scrollRegionReset(rows: Int) -> [UInt8] {
    if hasStandardScrollRegions { return Array("\u{1B}[r".utf8) }
    return expanded("csr", 0, rows - 1)
  }

  /// Whether scroll regions are set by the usual sequence.
  var hasStandardScrollRegions: Bool { sequence("csr") == Array("\u{1B}[%i%p1%d;%p2%dr".utf8) }

  /// Whether the terminal moves lines in a part of the screen by the usual sequences: deleting and
  /// inserting lines in a scroll region.
  var movesLines: Bool {
    let deletes = [sequence("dl"), sequence("dl1")]
    return hasStandardScrollRegions
      && (deletes[0] == Array("\u{1B}[%p1%dM".utf8) || deletes[1] == Array("\u{1B}[M".utf8))
  }

  /// A string with two numbers filled in and its delays left out. ncurses returns it in a static
  /// buffer.
  @MainActor private func expanded(_ capability: String, _ first: Int, _ second: Int) -> [UInt8] {
    let value = sequence(capability)
    guard !value.isEmpty else { return [] }
    return String(decoding: value, as: UTF8.self).withCString {
      guard let text = terminfo_expand($0, Int32(first), Int32(second)) else { return [] }
      return Array(String(cString: text).utf8)
    }
  }
}
