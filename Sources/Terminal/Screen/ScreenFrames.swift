import CNcurses
import Geometry

/// What stands on the screen, and what the terminal has to be sent to show the next frame. It
/// writes nothing itself.
///
///     frame ──▶ symbols for pictures that move ──▶ lines moved ──▶ ncurses ──▶ links ──▶ pictures
///
/// 1. Only what differs from the frame before is sent; after ``invalidate()`` all is.
/// 2. ncurses does not know what stands there besides its cells: lines move only while no sixel is
///    shown.
/// 3. xterm keeps sixels that were overwritten, and shows pieces of them again where lines are
///    moved, until the whole screen is erased. So it is, once, before lines are moved over them.
@MainActor final class ScreenFrames {
  private let opening: ScreenOpening
  private let synchronizesOutput: Bool
  private var window: WindowWriter
  /// Whether the terminal keeps sixels that were overwritten; rule 3.
  private let keepsSixels: Bool
  /// Whether it may have some of them now.
  private var mayHoldSixels = false
  /// What stands on the screen; nil where all is to be drawn again.
  private var previous: Canvas?
  private var pictures: PictureOutput
  /// What is shown but for pictures that move, which stand there as symbols; nil where there are
  /// none.
  private var wanted: Canvas?
  private var cursor: Point?
  /// Where the terminal's cursor stands since the last frame.
  private var corner = Point.zero
  private var cursorIsShown = false

  /// What goes to the terminal.
  struct Sent {
    var bytes: [UInt8]
    /// Whether the terminal knows other pictures than before.
    var changesPictures: Bool
  }

  init(_ opening: ScreenOpening, pictures renderer: PictureRenderer) {
    let capabilities = opening.capabilities
    self.opening = opening
    keepsSixels = capabilities.version.hasPrefix("XTerm")
    synchronizesOutput = capabilities.synchronizesOutput
    pictures = PictureOutput(renderer: renderer, version: capabilities.version)
    window = WindowWriter(
      encoder: CellEncoder(
        depth: capabilities.colorDepth, colorCount: Int(curses_color_count()),
        pairCount: Int(curses_pair_count()),
        setsPairsByNumber: opening.setsPairsByNumber, takesLinks: capabilities.takesLinks))
  }

  // MARK: Frames

  /// Takes `canvas` in, as the frame that is shown from now on, and gives back an older one for it.
  ///
  /// - Parameters:
  ///   - size: the screen's; the canvas is cut to it or stands in its upper left corner.
  ///   - place: where the cursor stands; nil for the lower left corner.
  /// - Complexity: O(cells) to compare, more for rows that differ.
  func show(
    _ canvas: inout Canvas, size: Size, cursor place: Point?, showsCursor: Bool
  ) -> Sent {
    if window.encoder.isCrowded {
      window.encoder.reset()
      invalidate()
    }
    if canvas.size != size {
      var frame = Canvas(size: size)
      frame.copy(canvas, from: canvas.bounds, to: .zero)
      canvas = frame
    }
    wanted = nil
    if let drawn = pictures.standIn(for: canvas, at: .now) {
      wanted = canvas
      canvas = drawn
    }
    if pictures.showsSixels { mayHoldSixels = keepsSixels }
    var move = move(to: canvas)
    if mayHoldSixels, wanted != nil || move != nil {
      if !canvas.cells.contains(where: \.isPicture) { eraseAll() }
      move = nil
    }
    if previous == nil { mayHoldSixels = false }
    let formerCorner = corner
    corner = place ?? Point(x: 0, y: size.height - 1)
    corner.x = min(max(0, corner.x), size.width - 1)
    corner.y = min(max(0, corner.y), size.height - 1)
    let parts = pictures.parts(for: canvas, since: previous, cursor: corner)
    let isWhole = previous == nil
    let isSynchronized = (isWhole || !parts.after.isEmpty) && synchronizesOutput
    window.encoder.pictureNumbers = parts.numbers
    window.write(canvas, since: previous, after: move)
    let older = previous ?? Canvas(size: .zero)
    previous = canvas
    canvas = older
    cursor = place
    wmove(curses_next_screen(), Int32(corner.y), Int32(corner.x))
    showCursor(showsCursor)
    // All is drawn again because something else has written to the terminal, perhaps, or because
    // its size has changed: a scroll region of the former one would stay, and what has been written
    // up to now may set one. Other programs leave more behind.
    var bytes: [UInt8] = []
    if isWhole {
      bytes = takeOutput() + opening.entry.sequence("sgr0") + opening.usualDrawing
      bytes += opening.entry.wholeScreenScrolls(rows: size.height)
    }
    if let move { bytes += move.bytes(cursor: formerCorner) }
    doupdate()
    bytes += parts.before + takeOutput() + parts.after
    if isSynchronized { bytes = Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8) }
    let changesPictures =
      parts.numbers != nil && !(parts.before.isEmpty && parts.after.isEmpty)
    return Sent(bytes: bytes, changesPictures: changesPictures)
  }

  private func showCursor(_ isShown: Bool) {
    guard isShown != cursorIsShown else { return }
    curs_set(isShown ? 1 : 0)
    cursorIsShown = isShown
  }

  /// How the terminal moves lines: not while it shows sixels, which would not move with them.
  private func move(to canvas: Canvas) -> LineMove? {
    guard opening.movesLines, !pictures.showsSixels, let previous else { return nil }
    return LineMove(from: previous, to: canvas)
  }

  /// What ncurses has written, for the terminal.
  func takeOutput() -> [UInt8] { window.encoder.expand(opening.output.take()) }

  /// Makes the next frame draw every cell again.
  func invalidate() {
    wanted = nil
    eraseAll()
  }

  private func eraseAll() {
    previous = nil
    clearok(curses_current_screen(), true)
  }

  /// The frame that is shown; nil where the next one draws all again.
  var shownCanvas: Canvas? { wanted ?? previous }

  /// Where the cursor stands, and whether it is seen.
  var shownCursor: (place: Point?, isShown: Bool) { (cursor, cursorIsShown) }

  // MARK: Pictures

  /// What comes next was moved by the reader; `goesOn` where more is known to follow.
  func announceMotion(goesOn: Bool) { pictures.announceMotion(goesOn: goesOn) }

  /// The terminal has taken the last frame.
  func frameShown() { pictures.frameShown(at: .now) }

  /// When pictures that are drawn as symbols for the time being are to be sharp; nil where none
  /// are.
  var restsAt: ContinuousClock.Instant? { pictures.restsAt }

  /// Pictures are to go on as symbols: keys wait to be read.
  func waitForKeys() { pictures.waitForKeys(at: .now) }

  /// What is to be shown when pictures that move have rested; nil where none do.
  var sharpCanvas: Canvas? { wanted }

  /// Whether sixels stand on the screen.
  var showsSixels: Bool { pictures.showsSixels }

  /// What makes the terminal forget all pictures it was sent.
  var farewell: [UInt8] { pictures.farewell }

  /// The terminal has forgotten all pictures.
  func forgetPictures() { pictures.forget() }
}
