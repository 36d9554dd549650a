import Geometry
import Pixels

/// A way in which terminals draw pictures: how a picture is encoded, and the bytes that show and
/// hide it.
///
///     pixels ──encode──▶ cells, and a graphic in the registry ──show──▶ bytes around the cells
///
/// 1. ``PictureMode`` lists all painters; `auto` asks each whether it suits the terminal, by the
///    answers that have come.
/// 2. Pictures are encoded on any thread, without state.
/// 3. An instance belongs to one screen. It tracks what the terminal holds of the pictures, and is
///    called once for each frame.
///
/// A painter whose terminal draws at the cursor, over the cells of the screen, is a
/// ``BlockPainter``. The defaults are those of a painter that sends nothing besides cells.
protocol PicturePainter: SendableMetatype {
  // MARK: The terminal

  /// Whether a terminal is known to draw such pictures correctly if there is no multiplexer.
  static func isSupported(
    by terminal: TerminalCapabilities, environment: [String: String]
  ) -> Bool
  /// The size of the terminal's cells in pixels; `nil` if pictures are not drawn in pixels.
  static func cellSize(on terminal: TerminalCapabilities) -> PixelSize?
  /// Whether pictures are painted over their cells after ncurses has drawn a frame: then neither
  /// lines nor characters can be moved, and another cell size needs other pictures.
  static var paintsOverCells: Bool { get }
  /// Whether terminals may drop pictures that are on the screen. They are painted again when the
  /// window gets the focus.
  static var mayLosePictures: Bool { get }

  // MARK: Pictures

  /// Encodes a picture, neither side of which is empty; `nil` if it is too large for the terminal,
  /// or memory runs out. It is then drawn as symbols. Another thread may do a part of the work.
  ///
  /// - Complexity: O(pixels of the source and of the result).
  static func encode(_ source: PictureSource) async -> EncodedPicture?

  // MARK: Frames

  /// - Parameter version: the terminal's name and version (XTVERSION).
  init(version: String)
  /// Whether the last frame shows pictures that are painted over their cells.
  var showsPaintedPictures: Bool { get }
  /// The bytes that show the pictures of a frame and hide all others.
  ///
  /// - Parameters:
  ///   - old: the canvas on the screen; `nil` if all of it is redrawn.
  ///   - cursor: the cursor's position after the frame's cells.
  /// - Complexity: O(cells), and O(1) while there are no pictures.
  mutating func show(
    _ frame: Canvas, since old: Canvas?, cursor: Point, renderer: PictureRenderer
  ) -> PictureBytes
  /// The bytes that hide all pictures for good.
  var farewell: [UInt8] { get }
  /// Notes that the terminal no longer holds any pictures.
  mutating func forget()
}

extension PicturePainter {
  static func cellSize(on terminal: TerminalCapabilities) -> PixelSize? {
    terminal.cellPixelSize ?? PictureMethod.defaultCellSize
  }
  static var paintsOverCells: Bool { false }
  static var mayLosePictures: Bool { false }

  var showsPaintedPictures: Bool { false }
  mutating func show(
    _ frame: Canvas, since old: Canvas?, cursor: Point, renderer: PictureRenderer
  ) -> PictureBytes { PictureBytes() }
  var farewell: [UInt8] { [] }
  mutating func forget() {}
}

/// An encoded picture.
enum EncodedPicture: Sendable {
  /// Cells that need nothing else.
  case cells(Canvas)
  /// The data from which the terminal draws it.
  case graphic(GraphicRegistry.Graphic)
}

/// The bytes of a frame's pictures.
struct PictureBytes {
  /// Sent before the frame's cells.
  var before: [UInt8] = []
  /// Sent after the frame's cells.
  var after: [UInt8] = []
  /// The terminal's numbers of its pictures, by their ids in the registry; `nil` if it draws no
  /// placeholders.
  var numbers: [UInt32: UInt32]?
}
