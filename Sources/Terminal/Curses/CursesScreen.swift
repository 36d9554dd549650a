import CNcurses
import Geometry
import System

/// ncurses' screen on a terminal: it receives cells, and its output goes to memory.
@MainActor struct CursesScreen {
  /// Columns and rows at the start.
  let size: Size
  /// Whether this program, and not ncurses, has the terminal move lines.
  let movesLines: Bool
  /// Whether ncurses has accepted an entry that sets pairs of colours by their numbers.
  let setsPairsByNumber: Bool
  private let handle: OpaquePointer
  private let output: CursesOutput

  /// - Parameters:
  ///   - term: the name of the terminal, for errors.
  ///   - isUndecided: whether the terminal's colours, links and pictures are known only later: the
  ///     screen then suits all of them.
  ///   - input: the descriptor for keys.
  init(
    _ entry: TerminfoEntry, term: String, size wanted: Size, depth: ColorDepth, isUndecided: Bool,
    input: Int32
  ) throws(TerminalError) {
    movesLines = entry.movesLines
    var drawn = movesLines ? entry.withoutMovingLines() : entry
    // ncurses knows nothing of pictures that are painted over cells.
    if isUndecided { drawn = drawn.withoutMovingLines().withoutMovingCharacters() }
    output = try CursesOutput()
    guard
      let handle = Self.newTerminal(
        drawn.withSize(wanted), depth: isUndecided ? .trueColor : depth, output: output,
        input: input)
    else {
      output.close()
      throw .unknownTerminal(term)
    }
    self.handle = handle
    setsPairsByNumber =
      terminfo_string("scp").map { $0.pointee == CChar(PairSequences.mark) } ?? false
    Self.configureCurses(output)
    resizeterm(Int32(wanted.height), Int32(wanted.width))
    let curses = curses_next_screen()
    size = Size(width: Int(getmaxx(curses)), height: Int(getmaxy(curses)))
  }

  /// The size after adopting that of `window`, if it has changed meanwhile and is known.
  func resized(to window: TerminalWindow?) -> Size {
    guard let cells = window?.cells, cells != size,
      resizeterm(Int32(cells.height), Int32(cells.width)) == OK
    else { return size }
    return cells
  }

  /// The bytes that ncurses has written since the last call.
  ///
  /// - Complexity: O(n) in the bytes, and three system calls.
  func takeOutput() -> [UInt8] { output.take() }

  /// Deletes the screen.
  func close() {
    delscreen(handle)
    output.close()
  }

  /// Starts ncurses with the colours of the terminal's depth; with those of the entry itself if
  /// ncurses refuses more.
  private static func newTerminal(
    _ entry: TerminfoEntry, depth: ColorDepth, output: CursesOutput, input: Int32
  ) -> OpaquePointer? {
    guard let output = fdopen(output.descriptor, "w"), let input = fdopen(input, "r") else {
      return nil
    }
    let known = entry.number("colors") ?? 0
    var derived = entry.withAbsoluteCursorMotionOnly()
    switch depth {
    case .trueColor: derived = derived.settingPairsByNumber(colors: 1 << 24)
    case .indexed256: derived = derived.settingPairsByNumber(colors: known < 256 ? 256 : nil)
    // Terminals of few colours may have sequences of their own.
    case .ansi16, .none: break
    }
    if let handle = derived.whileInstalled({ newterm(derived.name, output, input) }) {
      return handle
    }
    return newterm(entry.name, output, input)
  }

  private static func configureCurses(_ output: CursesOutput) {
    // Until a screen has been left once, ncurses assumes that others write to the terminal, too,
    // and writes its output after every cursor movement.
    endwin()
    _ = output.take()
    doupdate()
    raw()
    noecho()
    nonl()
    start_color()
    use_default_colors()
    let window = curses_next_screen()
    // Lets ncurses move lines, if this program does not.
    idlok(window, true)
    leaveok(window, false)
    keypad(window, false)
    // Do not interrupt drawing to look for keys: they are read elsewhere.
    typeahead(-1)
    curs_set(0)
  }
}
