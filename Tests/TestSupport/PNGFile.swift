import CZlib

/// A PNG of eight bits a channel without interlacing: red, green and blue, with or without alpha.
public struct PNGFile: Sendable {
  public let width: Int
  public let height: Int
  /// Bytes of a pixel: 3 or 4.
  public let depth: Int
  private let packed: [UInt8]

  /// `nil` unless `bytes` are a PNG from its signature to its end mark, whose chunks all have their
  /// stated length and checksum.
  public init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
    func number(at place: Int) -> Int { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
    var place = 8
    var (size, depth) = ((width: 0, height: 0), 0)
    var packed: [UInt8] = []
    while place + 12 <= bytes.count {
      let length = number(at: place)
      guard place + 12 + length <= bytes.count else { return nil }
      let name = String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self)
      let checked = Array(bytes[(place + 4)..<(place + 8 + length)])
      guard Int(crc32(0, checked, uInt(checked.count))) == number(at: place + 8 + length) else {
        return nil
      }
      switch name {
      case "IHDR" where length == 13:
        size = (number(at: place + 8), number(at: place + 12))
        guard bytes[place + 16] == 8, bytes[place + 20] == 0 else { return nil }
        depth = [2: 3, 6: 4][bytes[place + 17]] ?? 0
      case "IDAT": packed += checked.dropFirst(4)
      default: break
      }
      place += 12 + length
      if name == "IEND" { break }
    }
    guard place == bytes.count, size.width > 0, size.height > 0, depth > 0 else { return nil }
    (width, height) = size
    (self.depth, self.packed) = (depth, packed)
  }

  /// The bytes of a PNG whose pixels are stored without compression.
  ///
  /// - Parameter row: red, green and blue of the pixels of each row.
  public static func stored(width: Int, height: Int, row: (_ y: Int) -> [UInt8]) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity((width * 3 + 1) * height)
    for y in 0..<height {
      rows.append(0)
      rows.append(contentsOf: row(y))
    }
    var count = compressBound(uLong(rows.count)) + uLong(rows.count) / 1_000
    var packed = [UInt8](repeating: 0, count: Int(count))
    let status = compress2(&packed, &count, rows, uLong(rows.count), Z_NO_COMPRESSION)
    precondition(status == Z_OK, "zlib has no room for what it stores")
    let header = bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", Array(packed.prefix(Int(count)))) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + body
    return bigEndian(body.count) + content
      + bigEndian(Int(crc32(0, content, uInt(content.count))))
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// The bytes of all rows, each after the number of its filter; `nil` if their number is wrong.
  private var rows: [UInt8]? {
    let whole = (width * depth + 1) * height
    var count = uLongf(whole)
    var rows = [UInt8](repeating: 0, count: whole)
    guard uncompress(&rows, &count, packed, uLong(packed.count)) == Z_OK, count == whole else {
      return nil
    }
    return rows
  }

  /// Red, green and blue of the upper left pixel, which no filter changes; empty if the pixels are
  /// damaged.
  public var firstPixel: [UInt8] { rows.map { Array($0[1...3]) } ?? [] }

  /// Red, green, blue and alpha of all pixels; empty if they are damaged, or filtered other than by
  /// none or Paeth's.
  public var pixels: [UInt8] {
    guard var rows else { return [] }
    let stride = width * depth + 1
    var pixels: [UInt8] = []
    for y in 0..<height {
      let start = y * stride + 1
      guard rows[start - 1] == 0 || rows[start - 1] == 4 else { return [] }
      for x in 0..<(width * depth) where rows[start - 1] == 4 {
        let left = x < depth ? 0 : Int(rows[start + x - depth])
        let up = y == 0 ? 0 : Int(rows[start - stride + x])
        let corner = x < depth || y == 0 ? 0 : Int(rows[start - stride + x - depth])
        let middle = left + up - corner
        let nearest = [left, up, corner].min { abs(middle - $0) < abs(middle - $1) }
        rows[start + x] &+= UInt8(nearest ?? 0)
      }
      for x in 0..<width {
        let pixel = rows[(start + x * depth)..<(start + (x + 1) * depth)]
        pixels += depth == 4 ? Array(pixel) : Array(pixel) + [255]
      }
    }
    return pixels
  }
}
