import CNcurses
import Geometry

extension TerminfoEntry {
  /// Bytes that give back a terminal of `size` without ncurses: modes off, whole screen scrolls,
  /// plain style, cursor visible in the last row, the screen that was there before.
  ///
  /// A sequence or a string that was broken off is ended before them.
  @MainActor func restoration(modesOff: [UInt8], size: Size) -> [UInt8] {
    var bytes: [UInt8] = modesOff.isEmpty ? [] : Array("\u{1B}\\".utf8)
    bytes += modesOff
    bytes += wholeScreenScrolls(rows: size.height)
    bytes += sequence("sgr0")
    bytes += sequence("op")
    bytes += sequence("cnorm")
    bytes += clearedLastRow(rows: size.height)
    bytes += sequence("rmcup")
    bytes += usualKeypad
    // Whatever ended the program may have something to say.
    if string("rmcup") == nil { bytes += [0x0D, 0x0A] }
    return bytes
  }

  /// Clears the last of `rows` rows and leaves the cursor at its beginning: where the screen that
  /// was there before does not come back, a prompt goes there.
  @MainActor func clearedLastRow(rows: Int) -> [UInt8] {
    expanded("cup", rows - 1, 0) + sequence("el")
  }

  /// A line of its own for a prompt where the last one could not be cleared.
  var lineForPrompt: [UInt8] {
    string("rmcup") == nil && string("el") == nil ? [0x0D, 0x0A] : []
  }

  /// What undoes what another program may have left: marks and origin of the margins at the sides
  /// and above, inserting, no wrapping, another set of characters. The cursor may go to the upper
  /// left corner; whoever draws next clears the screen.
  ///
  /// - Parameter isCommon: whether the terminal knows the sequences of DEC's terminals, whatever the
  ///   entry has of them.
  func usualDrawing(isCommon: Bool) -> [UInt8] {
    guard isCommon else { return sequence("rmir") + sequence("smam") + sequence("rmacs") }
    let common = "\u{1B}[?69l\u{1B}[?6l\u{1B}[?7h\u{1B}[4l\u{1B}[20l\u{1B}(B\u{F}"
    return Array(common.utf8) + sequence("rmacs")
  }

  /// Whether its cursor is moved by a control sequence (`ESC [`), as in all that a terminal of today
  /// understands.
  var usesControlSequences: Bool { sequence("cup").starts(with: [0x1B, 0x5B]) }

  /// Leaves the application keypad, which a terminal of today enters when it is taken for one whose
  /// cursor is moved by `ESC =`, as for an adm3a. What a terminal shows of it that does not know it
  /// is blanked. Empty for all others.
  var usualKeypad: [UInt8] {
    sequence("cup").starts(with: [0x1B, 0x3D]) ? Array("\u{1B}>\r  \r".utf8) : []
  }

  /// Lets all rows scroll, however many there are by now where that can be said, else `rows`. The
  /// cursor goes to the upper left corner.
  @MainActor func wholeScreenScrolls(rows: Int) -> [UInt8] {
    if hasCommonRegions { return Array("\u{1B}[r".utf8) }
    return expanded("csr", 0, rows - 1)
  }

  /// Whether its scroll regions are set as most terminals have it.
  var hasCommonRegions: Bool { sequence("csr") == Array("\u{1B}[%i%p1%d;%p2%dr".utf8) }

  /// Whether lines can be moved in a part of the screen as in most terminals: by deleting and
  /// inserting some in a scroll region.
  var movesLines: Bool {
    let deletes = [sequence("dl"), sequence("dl1")]
    return hasCommonRegions
      && (deletes[0] == Array("\u{1B}[%p1%dM".utf8) || deletes[1] == Array("\u{1B}[M".utf8))
  }

  /// A string with two numbers filled in, its marks for delays left out. ncurses keeps what it fills
  /// in.
  @MainActor private func expanded(_ capability: String, _ first: Int, _ second: Int) -> [UInt8] {
    let value = sequence(capability)
    guard !value.isEmpty else { return [] }
    return String(decoding: value, as: UTF8.self).withCString {
      guard let text = terminfo_expand($0, Int32(first), Int32(second)) else { return [] }
      return Array(String(cString: text).utf8)
    }
  }
}
