import Geometry
import Pixels
import TestSupport
import Testing

@testable import Terminal

/// Pictures by iTerm2's protocol.
@Suite struct InlinePictureTests {
  private func noise(
    _ size: PixelSize, isOpaque: Bool = true, seed: UInt64 = 1
  ) -> PixelBuffer {
    var random = SeededGenerator(seed: seed)
    let opaque: UInt64 = isOpaque ? 0xFF00_0000_FF00_0000 : 0
    let words = (0..<(size.width * size.height + 1) / 2).map { _ in
      (random.next() | opaque).littleEndian
    }
    let bytes = words.withUnsafeBytes { Array($0.prefix(size.width * size.height * 4)) }
    return PixelBuffer(size: size, bytes: bytes)
  }

  private func source(_ pixels: PixelBuffer, size: Size, cell: PixelSize) -> PictureSource {
    PictureSource(
      pixels: pixels, size: size, mask: .none,
      method: PictureMethod(.iterm2, cell: cell, symbols: .trueColor))
  }

  private func sequence(_ bytes: [UInt8]) -> InlinePictureSequence? {
    InlinePictureSequence(bytes, row: 0, column: 0)
  }

  private func terminal(_ version: String, sixel: Bool = false) -> TerminalCapabilities {
    var terminal = TerminalCapabilities(colorDepth: .trueColor)
    terminal.version = version
    terminal.drawsSixels = sixel
    terminal.cellPixelSize = PixelSize(width: 8, height: 16)
    return terminal
  }

  // MARK: Terminals

  /// Terminals that report sixels as well get inline pictures only if they are known by name.
  @Test(arguments: [
    ("iTerm2 3.4.22", PictureMode.iterm2), ("iTerm2 3.6.10", .iterm2),
    ("WezTerm 20240203-110809-5046fc22", .iterm2), ("Konsole 23.08.5", .sixel),
    ("mintty 3.7.0", .sixel), ("xterm.js(5.5.0)", .sixel), ("foot(1.16.2)", .sixel),
    ("kitty(0.35.2)", .kitty), ("", .sixel),
  ]) func knownTerminalsDrawInlinePictures(version: String, mode: PictureMode) {
    let chosen = PictureMethod.choose(
      .auto, capabilities: terminal(version, sixel: true), environment: ["TERM": "xterm-256color"])
    #expect(chosen.mode == mode)
  }

  /// A terminal that reports its name is known by that alone: variables are inherited by terminals
  /// that are started from another one.
  @Test(arguments: [
    ("", ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], PictureMode.iterm2),
    ("", ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .iterm2),
    ("", ["TERM": "wezterm", "TERM_PROGRAM": "WezTerm"], .iterm2),
    ("", ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm2),
    ("", ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"], .symbols),
    ("", ["TERM": "alacritty", "TERM_PROGRAM": "WezTerm"], .symbols),
    ("foot(1.16.2)", ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .symbols),
    ("", ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app", "TMUX": "/tmp/x"], .symbols),
    ("iTerm2 3.6.10", ["TERM": "screen-256color", "LC_TERMINAL": "iTerm2"], .symbols),
  ]) func unnamedTerminalsAreKnownByVariables(
    version: String, environment: [String: String], mode: PictureMode
  ) {
    let chosen = PictureMethod.choose(
      .auto, capabilities: terminal(version), environment: environment)
    #expect(chosen.mode == mode)
  }

  // MARK: Sequences

  @Test(arguments: Rounds.seeds(20)) func anyBlockShowsItsPart(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let cell = PixelSize(
      width: Int.random(in: 1...9, using: &random), height: Int.random(in: 1...19, using: &random))
    let size = Size(
      width: Int.random(in: 1...9, using: &random), height: Int.random(in: 1...7, using: &random))
    let pixels = noise(
      PixelSize(width: size.width * cell.width, height: size.height * cell.height),
      isOpaque: Bool.random(using: &random), seed: seed)
    let picture = try #require(InlinePicture(source(pixels, size: size, cell: cell)))
    #expect(picture.cell == cell && picture.symbols.size == size)
    for round in 0..<10 {
      let (first, left) = (
        Int.random(in: 0..<size.height, using: &random),
        Int.random(in: 0..<size.width, using: &random)
      )
      let isWhole = round == 0
      let rows =
        isWhole ? 0..<size.height : first..<Int.random(in: first + 1...size.height, using: &random)
      let columns =
        isWhole ? 0..<size.width : left..<Int.random(in: left + 1...size.width, using: &random)
      let drawn = try #require(sequence(picture.block(rows: rows, columns: columns)))
      #expect(drawn.violations == [], "seed \(seed)")
      #expect((drawn.rows, drawn.columns) == (rows.count, columns.count), "seed \(seed)")
      let part = pixels.cropped(
        x: columns.lowerBound * cell.width, y: rows.lowerBound * cell.height,
        to: PixelSize(width: columns.count * cell.width, height: rows.count * cell.height))
      let file = try #require(drawn.file)
      #expect((file.width, file.height) == (part.size.width, part.size.height), "seed \(seed)")
      #expect(file.pixels == part.bytes, "seed \(seed): \(rows), \(columns)")
    }
    #expect(picture.block(rows: size.height..<size.height + 2, columns: 0..<1) == [])
    #expect(picture.block(rows: 0..<1, columns: size.width..<size.width + 1) == [])
  }

  /// Pixels that cannot be compressed, in cells of all sizes.
  @Test(arguments: [
    (Size(width: 64, height: 31), PixelSize(width: 8, height: 16)),
    (Size(width: 20, height: 20), PixelSize(width: 20, height: 42)),
    (Size(width: 300, height: 2), PixelSize(width: 7, height: 15)),
    (Size(width: 2, height: 300), PixelSize(width: 7, height: 15)),
    (Size(width: 4, height: 3), PixelSize(width: 255, height: 255)),
    (Size(width: 1, height: 900), PixelSize(width: 1, height: 18)),
  ]) func noSequenceIsTooLarge(size: Size, cell: PixelSize) async throws {
    for isOpaque in [true, false] {
      let pixels = noise(
        PixelSize(width: size.width * cell.width, height: size.height * cell.height),
        isOpaque: isOpaque)
      let renderer = PictureRenderer(
        method: PictureMethod(.iterm2, cell: cell, symbols: .trueColor))
      let picture = await renderer.picture(of: pixels, size: size)
      var frame = Canvas(size: Size(width: size.width, height: size.height + 1))
      frame.copy(picture.cells, from: picture.cells.bounds, to: .zero)
      var painter = InlinePainter(version: "")
      let bytes = painter.show(frame, since: nil, cursor: .zero, renderer: renderer).after
      let sequences = sequences(in: bytes)
      #expect(!sequences.isEmpty)
      #expect(sequences.allSatisfy { $0.violations == [] })
      #expect(sequences.reduce(0) { $0 + $1.rows * $1.columns } == size.width * size.height)
    }
  }

  /// The sequences with their positions, by the cursor movements before them.
  private func sequences(in bytes: [UInt8]) -> [InlinePictureSequence] {
    var result: [InlinePictureSequence] = []
    var (row, column) = (0, 0)
    var rest = bytes[...]
    while let start = rest.firstIndex(of: 0x1B) {
      rest = rest[start...]
      let isString = rest.dropFirst().first == UInt8(ascii: "]")
      let body = rest.dropFirst(2)
      let end =
        isString
        ? body.firstIndex(of: 0x1B).map { $0 + 2 }
        : body.firstIndex(of: UInt8(ascii: "H")).map { $0 + 1 }
      guard let end else { break }
      if isString {
        if let found = InlinePictureSequence(Array(rest[..<end]), row: row, column: column) {
          result.append(found)
        }
      } else {
        let numbers = String(decoding: body[..<(end - 1)], as: UTF8.self).split(separator: ";")
          .compactMap { Int($0) }
        if numbers.count == 2 { (row, column) = (numbers[0] - 1, numbers[1] - 1) }
      }
      rest = rest[end...]
    }
    return result
  }

  /// The terminal enlarges by itself.
  @Test func noMorePixelsAreSentThanThereAre() throws {
    let pixels = noise(PixelSize(width: 40, height: 30))
    let picture = try #require(
      InlinePicture(
        source(pixels, size: Size(width: 40, height: 15), cell: PixelSize(width: 8, height: 16))))
    let whole = try #require(sequence(picture.block(rows: 0..<15, columns: 0..<40))?.file)
    #expect((whole.width, whole.height) == (40, 30))
    let part = try #require(sequence(picture.block(rows: 4..<6, columns: 3..<40))?.file)
    #expect((part.width, part.height) == (37, 4))
  }

  // MARK: Frames

  /// Pictures are painted where they are new, and each sequence has its position.
  @Test func aFrameSendsWhatItNeeds() async {
    let cell = PixelSize(width: 8, height: 16)
    let renderer = PictureRenderer(method: PictureMethod(.iterm2, cell: cell, symbols: .trueColor))
    var painter = InlinePainter(version: "iTerm2 3.6.10")
    let picture = await renderer.picture(
      of: noise(PixelSize(width: 32, height: 48)), size: Size(width: 4, height: 3))
    let size = Size(width: 10, height: 6)
    func frame(_ place: Point?) -> Canvas {
      var frame = Canvas(size: size)
      if let place { frame.copy(picture.cells, from: picture.cells.bounds, to: place) }
      return frame
    }
    func show(_ new: Canvas, _ old: Canvas?) -> [UInt8] {
      let bytes = painter.show(new, since: old, cursor: Point(x: 1, y: 5), renderer: renderer)
      #expect(bytes.before == [] && bytes.numbers == nil)
      return bytes.after
    }
    let first = show(frame(Point(x: 2, y: 1)), nil)
    #expect(painter.showsPaintedPictures)
    #expect(first.starts(with: "\u{1B}[2;3H\u{1B}]1337;File=inline=1;width=4;height=3;".utf8))
    #expect(Array(first.suffix(6)) == Array("\u{1B}[6;2H".utf8))
    #expect(sequences(in: first).map { [$0.row, $0.column, $0.rows] } == [[1, 2, 3]])
    #expect(show(frame(Point(x: 2, y: 1)), frame(Point(x: 2, y: 1))) == [])
    // The last row of the screen is left out.
    let moved = show(frame(Point(x: 2, y: 3)), frame(Point(x: 2, y: 1)))
    #expect(sequences(in: moved).map { [$0.row, $0.column, $0.rows] } == [[3, 2, 2]])
    #expect(show(frame(nil), frame(Point(x: 2, y: 3))) == [])
    #expect(!painter.showsPaintedPictures && painter.farewell == [])
  }

  /// Its replacement is being rendered.
  @Test func aPictureForOtherCellsIsLeftOut() async {
    let renderer = PictureRenderer(
      method: PictureMethod(.iterm2, cell: PixelSize(width: 8, height: 16), symbols: .trueColor))
    let picture = await renderer.picture(
      of: noise(PixelSize(width: 32, height: 48)), size: Size(width: 4, height: 3))
    renderer.method = renderer.method.withCell(PixelSize(width: 9, height: 18))
    var frame = Canvas(size: Size(width: 10, height: 6))
    frame.copy(picture.cells, from: picture.cells.bounds, to: .zero)
    var painter = InlinePainter(version: "")
    let bytes = painter.show(frame, since: nil, cursor: .zero, renderer: renderer)
    #expect(bytes.after == [] && painter.showsPaintedPictures)
  }
}
