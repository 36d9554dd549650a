/// The pixels of a painted picture, compared cell by cell: two different sections of one picture
/// are equal in the cells that are equal.
struct PaintedPixels {
  private let width: Int
  private let height: Int
  /// The components of a colour with a marker bit; 0 if nothing is drawn.
  private var pixels: [UInt32]

  /// Decodes sixels, or an inline picture, which is stretched over its cells.
  init(_ strip: [UInt8], cellWidth: Int, cellHeight: Int) {
    if let inline = InlinePictureSequence(strip, row: 0, column: 0) {
      self.init(inline, cellWidth: cellWidth, cellHeight: cellHeight)
    } else {
      self.init(strip)
    }
  }

  /// Takes the nearest pixel of the picture for each pixel of its cells.
  private init(_ picture: InlinePictureSequence, cellWidth: Int, cellHeight: Int) {
    (width, height) = (picture.columns * cellWidth, picture.rows * cellHeight)
    pixels = [UInt32](repeating: 0, count: width * height)
    guard let file = picture.file else { return }
    let bytes = file.pixels
    guard bytes.count == file.width * file.height * 4 else { return }
    for y in 0..<height {
      for x in 0..<width {
        let at = ((y * file.height / height) * file.width + x * file.width / width) * 4
        if bytes[at + 3] > 0 { pixels[y * width + x] = Self.pixel(bytes[at..<at + 3]) }
      }
    }
  }

  /// A colour in percent, as sixels encode it, with a marker bit.
  private static func pixel(_ color: ArraySlice<UInt8>) -> UInt32 {
    color.reduce(UInt32(1)) { $0 << 8 | (UInt32($1) * 100 + 127) / 255 }
  }

  /// Decodes the bytes between the introducer and the terminator. Pixels outside the raster are
  /// ignored.
  init(_ strip: [UInt8]) {
    var reader = Reader(bytes: strip)
    reader.skip(past: UInt8(ascii: "q"))
    guard reader.take(UInt8(ascii: "\"")) else {
      (width, height, pixels) = (0, 0, [])
      return
    }
    let raster = reader.numbers()
    width = raster.count == 4 ? min(raster[2], 1 << 14) : 0
    height = raster.count == 4 ? min(raster[3], 1 << 14) : 0
    pixels = [UInt32](repeating: 0, count: width * height)
    paint(&reader)
  }

  private mutating func paint(_ reader: inout Reader) {
    var colors: [Int: UInt32] = [:]
    var color: UInt32 = 0
    var (x, y) = (0, 0)
    while let next = reader.next() {
      switch next {
      case UInt8(ascii: "#"):
        let values = reader.numbers()
        let number = values.first ?? 0
        if values.count == 5 {
          colors[number] =
            1 << 24 | UInt32(values[2] & 255) << 16 | UInt32(values[3] & 255) << 8
            | UInt32(values[4] & 255)
        } else {
          color = colors[number] ?? UInt32.max
        }
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, y) = (0, y + 6)
      case UInt8(ascii: "!"):
        let count = reader.numbers().first ?? 0
        if let sixel = reader.next() { draw(sixel, color, x: x, y: y, count: count) }
        x += count
      default:
        draw(next, color, x: x, y: y, count: 1)
        x += 1
      }
    }
  }

  private mutating func draw(_ sixel: UInt8, _ color: UInt32, x: Int, y: Int, count: Int) {
    guard (63...126).contains(sixel), x < width else { return }
    let bits = sixel - 63
    for bit in 0..<6 where bits >> UInt8(bit) & 1 == 1 && y + bit < height {
      for column in x..<min(width, x + count) { pixels[(y + bit) * width + column] = color }
    }
  }

  /// A hash of the content of the cell at `row` and `column` (64-bit FNV-1a).
  func cell(row: Int, column: Int, cellWidth: Int, cellHeight: Int) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for y in (row * cellHeight)..<((row + 1) * cellHeight) {
      for x in (column * cellWidth)..<((column + 1) * cellWidth) {
        let pixel = x < width && y < height ? pixels[y * width + x] : 0
        hash = (hash ^ UInt64(pixel)) &* 0x100_0000_01B3
      }
    }
    return hash
  }

  /// The result of ``cell(row:column:cellWidth:cellHeight:)`` for a cell of a single colour.
  static func flatCell(_ color: [UInt8], cellWidth: Int, cellHeight: Int) -> UInt64 {
    let pixel = pixel(color.prefix(3))
    return (0..<(cellWidth * cellHeight)).reduce(UInt64(0xCBF2_9CE4_8422_2325)) { hash, _ in
      (hash ^ UInt64(pixel)) &* 0x100_0000_01B3
    }
  }

  private struct Reader {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> UInt8? {
      guard index < bytes.count, bytes[index] != 0x1B else { return nil }
      defer { index += 1 }
      return bytes[index]
    }

    mutating func take(_ byte: UInt8) -> Bool {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
      return true
    }

    /// Moves after the first such byte; the introducer's escape may be skipped, too.
    mutating func skip(past byte: UInt8) {
      index = (bytes.firstIndex(of: byte) ?? bytes.count - 1) + 1
    }

    mutating func numbers() -> [Int] {
      var result = [0]
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
          let digit = Int(bytes[index] - UInt8(ascii: "0"))
          result[result.count - 1] = min(1 << 20, result[result.count - 1] * 10 + digit)
        case UInt8(ascii: ";"): result.append(0)
        default: return result
        }
        index += 1
      }
      return result
    }
  }
}
