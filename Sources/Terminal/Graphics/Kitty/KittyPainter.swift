import Geometry
import Pixels

/// Tracks the pictures that a terminal with kitty's graphics holds, and produces the commands that
/// give it those of the next frame.
///
/// 1. A picture is sent once, before the cells of the first frame that shows it.
/// 2. It is deleted once it is out of use, after the cells of the frame that no longer shows it.
///    Scrolling, covering and cutting it change only cells and send no commands.
/// 3. If the terminal holds more pictures than it should, those that have not been shown for the
///    longest time are deleted, and sent again when they are shown again.
/// 4. A picture's number has a low byte of 16 to 255, the foreground colour of its cells, and is
///    used again only after 61,440 others: a late deletion cannot hit another picture.
struct KittyPainter: PicturePainter {
  // MARK: The terminal

  /// Terminals that are known to draw placeholders: others that answer kitty's query show boxes
  /// instead.
  static func isSupported(
    by terminal: TerminalCapabilities, environment: [String: String]
  ) -> Bool { drawsPlaceholders(version: terminal.version) }

  /// Whether a terminal with this name and version (XTVERSION) is known to draw pictures in place
  /// of placeholders: kitty from 0.28 on, Ghostty, and st with kitty graphics.
  static func drawsPlaceholders(version: String) -> Bool {
    let version = version.lowercased()
    if version.hasPrefix("ghostty") || version.hasPrefix("st-graphics") { return true }
    return version.hasPrefix("kitty") && TerminalCapabilities.isVersion(version, atLeast: [0, 28])
  }

  // MARK: Pictures

  static func encode(_ source: PictureSource) async -> EncodedPicture? {
    guard let pixels = pixels(of: source), let png = await PNGEncoder.makePNG(of: pixels) else {
      return nil
    }
    return .graphic(
      .transmitted(KittyPicture(png: png, pixelSize: pixels.size, size: source.size)))
  }

  /// The pixels to send; `nil` if placeholders cannot number all cells.
  private static func pixels(of source: PictureSource) -> PixelBuffer? {
    guard source.size.width <= KittyPlaceholder.limit, source.size.height <= KittyPlaceholder.limit,
      let cell = source.method.cell, let box = source.box(cell: cell)
    else { return nil }
    let scale = source.sufficientScale(of: box)
    return source.pixels(
      scaledTo: PixelSize(
        width: max(1, Int((Double(box.width) * scale).rounded())),
        height: max(1, Int((Double(box.height) * scale).rounded()))))
  }

  // MARK: Frames

  private struct Image {
    var number: UInt32
    var bytes: Int
    var lastShown: Int
  }

  /// The most pictures at the terminal at once: the commands that delete all of them must fit into
  /// the bytes prepared for a crash.
  static let countLimit = 240

  /// The most decoded bytes at the terminal; above it, pictures that are not shown are deleted.
  let byteLimit: Int
  private var images: [UInt32: Image] = [:]
  private var frame = 0
  private var sent: UInt32 = 0

  init(byteLimit: Int = 96 << 20) { self.byteLimit = byteLimit }

  init(version: String) { self.init() }

  /// The terminal's numbers of its pictures, by their ids in the registry.
  var numbers: [UInt32: UInt32] { images.mapValues(\.number) }

  mutating func show(
    _ frame: Canvas, since old: Canvas?, cursor: Point, renderer: PictureRenderer
  ) -> PictureBytes {
    let ids = renderer.shelf.isEmpty ? [] : frame.pictures { part, _ in part.id }
    let (before, after) = show(ids, of: renderer.shelf)
    return PictureBytes(before: before, after: after, numbers: numbers)
  }

  /// The bytes to send before and after the cells of a frame that shows the pictures `ids`.
  ///
  /// - Complexity: O(pictures at the terminal), plus the bytes of those it does not have yet.
  mutating func show(
    _ ids: Set<UInt32>, of shelf: GraphicRegistry
  ) -> (before: [UInt8], after: [UInt8]) {
    frame += 1
    var after: [UInt8] = []
    for id in shelf.takeReleasedIDs() { delete(id, into: &after) }
    var before: [UInt8] = []
    for id in ids.sorted() {
      if images[id] == nil {
        guard images.count < Self.countLimit || makeRoom(for: ids, deleting: &before),
          case .transmitted(let picture) = shelf.graphic(id)
        else { continue }
        let number = nextNumber()
        images[id] = Image(number: number, bytes: picture.terminalByteCount, lastShown: frame)
        before += picture.transmission(number: number)
      }
      images[id]?.lastShown = frame
    }
    var total = images.values.reduce(0) { $0 + $1.bytes }
    if total > byteLimit {
      for id in idle(ids) where total > byteLimit {
        total -= images[id]?.bytes ?? 0
        delete(id, into: &after)
      }
    }
    return (before, after)
  }

  var farewell: [UInt8] {
    images.values.map(\.number).sorted().flatMap { KittyPicture.deletion(number: $0) }
  }

  mutating func forget() { images.removeAll() }

  /// Pictures that are not shown, starting with the one that was shown longest ago.
  private func idle(_ shown: Set<UInt32>) -> [UInt32] {
    images.filter { !shown.contains($0.key) }.sorted { $0.value.lastShown < $1.value.lastShown }
      .map(\.key)
  }

  private mutating func makeRoom(for shown: Set<UInt32>, deleting bytes: inout [UInt8]) -> Bool {
    guard let oldest = idle(shown).first else { return false }
    delete(oldest, into: &bytes)
    return true
  }

  private mutating func delete(_ id: UInt32, into bytes: inout [UInt8]) {
    guard let image = images.removeValue(forKey: id) else { return }
    bytes += KittyPicture.deletion(number: image.number)
  }

  private mutating func nextNumber() -> UInt32 {
    defer { sent &+= 1 }
    return (sent / 240 % 256) << 24 | (16 + sent % 240)
  }
}
