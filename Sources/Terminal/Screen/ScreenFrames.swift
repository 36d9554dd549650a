import CNcurses
import Geometry

/// The content of the screen, and the bytes that change it to the next frame. It writes nothing
/// itself.
///
///     frame ──▶ symbols for moving pictures ──▶ moved lines ──▶ ncurses ──▶ links ──▶ pictures
///
/// 1. Only differences from the previous frame are sent; after ``invalidate()`` all of it is.
/// 2. ncurses knows only the cells on the screen: lines move only while no pictures are painted
///    over cells.
/// 3. xterm keeps sixels that were overwritten, and shows pieces of them again when lines are
///    moved, until the whole screen is erased. So the screen is erased once before lines are moved
///    over them.
@MainActor final class ScreenFrames {
  let setup: TerminalSetup
  private var synchronizesOutput = false
  private var window: WindowWriter
  /// Whether the terminal keeps pictures that were overwritten; rule 3.
  private var keepsOldPictures = false
  /// Whether it may hold some of them now.
  private var mayHoldOldPictures = false
  /// The canvas on the screen; `nil` if all of it is to be redrawn.
  private var previous: Canvas?
  private var pictures: PictureOutput
  /// The frame with its moving pictures, which are on the screen as symbols; `nil` if there are
  /// none.
  private var wanted: Canvas?
  private var cursor: Point?
  /// The position of the terminal's cursor after the last frame.
  private var corner = Point.zero
  private var cursorIsShown = false
  /// The bytes of all frames so far.
  private(set) var byteCount = 0

  /// The bytes of a frame.
  struct Sent {
    var bytes: [UInt8]
    /// Whether the terminal's set of pictures changes.
    var changesPictures: Bool
  }

  init(
    _ setup: TerminalSetup, capabilities: TerminalCapabilities, pictures renderer: PictureRenderer
  ) {
    self.setup = setup
    pictures = PictureOutput(renderer: renderer, version: capabilities.version)
    window = WindowWriter(encoder: setup.encoder(for: capabilities))
    adopt(capabilities)
  }

  private func adopt(_ capabilities: TerminalCapabilities) {
    keepsOldPictures = capabilities.version.hasPrefix("XTerm")
    synchronizesOutput = capabilities.synchronizesOutput
  }

  /// Draws by other capabilities of the terminal from the next frame on, which redraws everything.
  /// The pictures on the screen must be hidden before.
  func redraw(by capabilities: TerminalCapabilities) {
    pictures = PictureOutput(renderer: pictures.renderer, version: capabilities.version)
    // Numbers of pairs have other colours from here on.
    window.encoder.reset()
    window = WindowWriter(encoder: setup.encoder(for: capabilities))
    adopt(capabilities)
    invalidate()
  }

  // MARK: Frames

  /// Makes `canvas` the current frame, and replaces it with an older one.
  ///
  /// - Parameters:
  ///   - size: of the screen; the canvas is cut to it or placed in its upper left corner.
  ///   - place: the cursor's position; `nil` for the lower left corner.
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
    if pictures.showsPaintedPictures { mayHoldOldPictures = keepsOldPictures }
    var move = move(to: canvas)
    if mayHoldOldPictures, wanted != nil || move != nil {
      if !canvas.cells.contains(where: \.isPicture) { eraseAll() }
      move = nil
    }
    if previous == nil { mayHoldOldPictures = false }
    let formerCorner = corner
    corner = place ?? Point(x: 0, y: size.height - 1)
    corner.x = min(max(0, corner.x), size.width - 1)
    corner.y = min(max(0, corner.y), size.height - 1)
    let parts = pictures.bytes(for: canvas, since: previous, cursor: corner)
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
    // The frame is redrawn because another program may have written to the terminal, or because its
    // size has changed: a scroll region of the former size would remain, and the output up to now
    // may set one. Other programs leave more behind.
    var bytes: [UInt8] = []
    if isWhole {
      bytes = takeOutput() + setup.entry.sequence("sgr0") + setup.drawingModeReset
      bytes += setup.entry.scrollRegionReset(rows: size.height)
    }
    doupdate()
    // A move of lines begins with the plain style.
    let output = takeOutput(isPlain: move != nil && parts.before.isEmpty)
    if let move {
      let movesFirst = parts.before.isEmpty && LineMove.beginsWithCursorMove(output)
      bytes += move.bytes(cursor: movesFirst ? nil : formerCorner)
    }
    bytes += parts.before + output + parts.after
    if isSynchronized { bytes = Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8) }
    byteCount += bytes.count
    let changesPictures =
      parts.numbers != nil && !(parts.before.isEmpty && parts.after.isEmpty)
    return Sent(bytes: bytes, changesPictures: changesPictures)
  }

  private func showCursor(_ isShown: Bool) {
    guard isShown != cursorIsShown else { return }
    curs_set(isShown ? 1 : 0)
    cursorIsShown = isShown
  }

  /// The terminal's move of lines; none while it shows pictures painted over cells, which would not
  /// move along.
  private func move(to canvas: Canvas) -> LineMove? {
    guard setup.curses.movesLines, !pictures.showsPaintedPictures, let previous else {
      return nil
    }
    return LineMove(from: previous, to: canvas)
  }

  /// ncurses' output, converted for the terminal.
  ///
  /// - Parameter isPlain: whether the terminal is in plain style before it.
  func takeOutput(isPlain: Bool = false) -> [UInt8] {
    window.encoder.expand(setup.curses.takeOutput(), isPlain: isPlain)
  }

  /// Makes the next frame draw every cell again.
  func invalidate() {
    wanted = nil
    eraseAll()
  }

  private func eraseAll() {
    previous = nil
    clearok(curses_current_screen(), true)
  }

  /// The frame on the screen; `nil` if the next one redraws all of it.
  var shownCanvas: Canvas? { wanted ?? previous }

  /// The position and the visibility of the cursor.
  var shownCursor: (place: Point?, isShown: Bool) { (cursor, cursorIsShown) }

  // MARK: Pictures

  /// Announces that the next frame shows a move by the user; `goesOn` if more frames of that move
  /// follow.
  func announceMotion(goesOn: Bool) { pictures.announceMotion(goesOn: goesOn) }

  /// Notes that the terminal has received the last frame.
  func frameShown() { pictures.frameShown(at: .now) }

  /// The time at which pictures that are drawn as symbols during a motion become sharp; `nil` if
  /// there are none.
  var sharpeningTime: ContinuousClock.Instant? { pictures.sharpeningTime }

  /// Keeps pictures as symbols because keys are waiting to be read.
  func postponeSharpening() { pictures.postponeSharpening(at: .now) }

  /// The frame to show when moving pictures have come to rest; `nil` if there are none.
  var sharpCanvas: Canvas? { wanted }

  /// Whether pictures painted over their cells are on the screen.
  var showsPaintedPictures: Bool { pictures.showsPaintedPictures }

  /// The bytes that hide all pictures for good.
  var farewell: [UInt8] { pictures.farewell }

  /// Notes that the terminal no longer holds any pictures.
  func forgetPictures() { pictures.forget() }

  /// Ends ncurses for good.
  func close() { setup.curses.close() }
}
