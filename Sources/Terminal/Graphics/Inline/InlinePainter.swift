import FoundationEssentials
import Geometry
import Pixels

/// Draws pictures by iTerm2's protocol for inline pictures (OSC 1337, `File`).
///
/// 1. A block is one sequence: a PNG of its pixels, which the terminal stretches over its columns
///    and rows.
/// 2. No sequence is too large: iTerm2 from 3.5 on and mintty drop those of more than 1 MiB, and
///    iTerm2 numbers the rows and columns of a picture in a byte each.
/// 3. WezTerm and mintty are asked not to move the cursor (`doNotMoveCursor`). iTerm2 moves it past
///    the picture, so each sequence is sent with its own position.
struct InlinePainter: BlockPainter {
  /// The most bytes of a sequence.
  static let sequenceLimit = 1 << 20
  /// The most pixels of a sequence: with four incompressible bytes each and one for each line, in
  /// base64, they stay below ``sequenceLimit``.
  static let pixelLimit = 180_000
  /// The most columns and rows of a sequence.
  static let sideLimit = 255

  /// Whether the terminal is iTerm2 or WezTerm, which draw inline pictures in more colours than
  /// sixels. Other terminals that draw them have sixels or kitty's graphics too.
  ///
  /// - Parameter environment: if the terminal reports no name, `TERM_PROGRAM` and `LC_TERMINAL`
  ///   are read, unless `TERM` names a terminal started from such a one.
  static func isSupported(
    by terminal: TerminalCapabilities, environment: [String: String]
  ) -> Bool {
    guard terminal.version.isEmpty else {
      let version = terminal.version.lowercased()
      return version.hasPrefix("iterm2") || version.hasPrefix("wezterm")
    }
    let term = environment["TERM"] ?? ""
    guard term.hasPrefix("xterm") || term.hasPrefix("wezterm") else { return false }
    return ["iTerm.app", "WezTerm"].contains(environment["TERM_PROGRAM"])
      || environment["LC_TERMINAL"] == "iTerm2"
  }

  static func encode(_ source: PictureSource) -> EncodedPicture? {
    InlinePicture(source).map { .graphic(.painted($0)) }
  }

  var blocks = PaintedBlocks()

  init(version: String) {}

  func largestPiece(columns: Int, samples: PixelSize) -> Size? {
    Self.largestPiece(columns: columns, samples: samples)
  }

  fileprivate static func largestPiece(columns: Int, samples: PixelSize) -> Size {
    let cells = max(1, pixelLimit / (samples.width * samples.height))
    let width = min(columns, sideLimit, cells)
    return Size(width: width, height: min(sideLimit, max(1, cells / width)))
  }
}

/// A picture, any block of whose cells can be drawn as one sequence. Those that draw all of it are
/// made in advance, others on demand.
final class InlinePicture: PaintedPicture {
  let cell: PixelSize
  let samples: PixelSize
  let symbols: Canvas
  private let size: Size
  private let pixels: PixelBuffer
  /// The sequences by their columns and rows.
  private let sequences: [Rect: [UInt8]]

  /// `nil` if the picture is too large for a terminal, or there is no memory.
  ///
  /// - Complexity: O(pixels of the source and of the result).
  init?(_ source: PictureSource) {
    guard let cell = source.method.cell, let box = source.box(cell: cell) else { return nil }
    let scale = source.sufficientScale(of: box)
    let samples = PixelSize(
      width: max(1, Int((Double(cell.width) * scale).rounded(.up))),
      height: max(1, Int((Double(cell.height) * scale).rounded(.up))))
    let size = source.size
    let pixels = source.pixels(
      scaledTo: PixelSize(
        width: size.width * samples.width, height: size.height * samples.height))
    let whole = PaintedBlocks.Block(
      x: 0, y: 0, id: 0, rows: 0..<size.height, columns: 0..<size.width)
    var sequences: [Rect: [UInt8]] = [:]
    for piece in whole.pieces(
      atMost: InlinePainter.largestPiece(columns: size.width, samples: samples))
    {
      let area = Self.area(rows: piece.rows, columns: piece.columns)
      let sequence = Self.sequence(of: area, pixels: pixels, samples: samples)
      guard !sequence.isEmpty else { return nil }
      sequences[area] = sequence
    }
    self.cell = cell
    symbols = SymbolPainter.cells(of: source)
    (self.size, self.samples, self.pixels, self.sequences) = (size, samples, pixels, sequences)
  }

  var byteCount: Int {
    let cells = symbols.cells.count * MemoryLayout<CanvasCell>.stride
    return sequences.values.reduce(pixels.bytes.count + cells) { $0 + $1.count }
  }

  /// - Complexity: O(bytes) for the blocks made in advance, else O(pixels).
  func block(rows: Range<Int>, columns: Range<Int>) -> [UInt8] {
    let rows = rows.clamped(to: 0..<size.height)
    let columns = columns.clamped(to: 0..<size.width)
    guard !rows.isEmpty, !columns.isEmpty else { return [] }
    let area = Self.area(rows: rows, columns: columns)
    return sequences[area] ?? Self.sequence(of: area, pixels: pixels, samples: samples)
  }

  private static func area(rows: Range<Int>, columns: Range<Int>) -> Rect {
    Rect(
      origin: Point(x: columns.lowerBound, y: rows.lowerBound),
      size: Size(width: columns.count, height: rows.count))
  }

  /// The bytes that draw these cells at the cursor; empty if there is no memory.
  private static func sequence(
    of area: Rect, pixels: PixelBuffer, samples: PixelSize
  ) -> [UInt8] {
    let part = pixels.cropped(
      x: area.minX * samples.width, y: area.minY * samples.height,
      to: PixelSize(width: area.width * samples.width, height: area.height * samples.height))
    guard let png = PNGEncoder.png(part) else { return [] }
    var bytes = Array(
      ("\u{1B}]1337;File=inline=1;width=\(area.width);height=\(area.height)"
        + ";preserveAspectRatio=0;size=\(png.count);doNotMoveCursor=1:").utf8)
    bytes += Data(png).base64EncodedData()
    bytes += "\u{1B}\\".utf8
    return bytes
  }
}
