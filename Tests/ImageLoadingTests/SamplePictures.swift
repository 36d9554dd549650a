import Pixels

/// Small pictures made byte by byte, and changes to larger ones.
enum SamplePictures {
  // MARK: PNG

  /// 3x2 pixels: opaque, half and wholly transparent ones.
  static let pngPixels: [UInt8] = [
    255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 1,
    10, 20, 30, 255, 40, 50, 60, 255, 70, 80, 90, 255,
  ]

  static let png: [UInt8] = png(PixelSize(width: 3, height: 2), pngPixels)

  /// An RGBA PNG in stored deflate blocks.
  static func png(_ size: PixelSize, _ pixels: [UInt8]) -> [UInt8] {
    png(size, rows: pixels, bytesPerPixel: 4, kind: [8, 6])
  }

  /// 16x16 pixels of 16 bits of grey, from black to white.
  static let deepGrayPNG: [UInt8] = {
    let values = (0..<256).flatMap { [UInt8($0), UInt8($0)] }
    return png(PixelSize(width: 16, height: 16), rows: values, bytesPerPixel: 2, kind: [16, 0])
  }()

  /// - Parameter kind: the bits of a sample and the type of colour.
  private static func png(
    _ size: PixelSize, rows pixels: [UInt8], bytesPerPixel: Int, kind: [UInt8]
  ) -> [UInt8] {
    var header: [UInt8] = big(size.width)
    header += big(size.height)
    header += kind + [0, 0, 0]
    var rows: [UInt8] = []
    let length = size.width * bytesPerPixel
    for row in 0..<size.height {
      rows.append(0)
      rows += pixels[row * length..<(row + 1) * length]
    }
    var data: [UInt8] = [0x78, 0x01]
    var rest = rows[...]
    repeat {
      let part = rest.prefix(65_535)
      rest = rest.dropFirst(part.count)
      let length = little(part.count, 2)
      data.append(rest.isEmpty ? 1 : 0)
      data += length
      data += length.map { ~$0 }
      data += part
    } while !rest.isEmpty
    data += big(adler32(rows))
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    return signature + chunk("IHDR", header) + chunk("IDAT", data) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + data
    return big(data.count) + named + big(crc32(named))
  }

  private static func crc32(_ bytes: [UInt8]) -> Int {
    var crc: UInt32 = ~0
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return Int(~crc)
  }

  private static func adler32(_ bytes: [UInt8]) -> Int {
    var a = 1
    var b = 0
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }

  // MARK: GIF

  /// A 4x3 canvas; the first frame is 3x2 at (1, 1).
  static let gif: [UInt8] =
    Array("GIF89a".utf8) + [4, 0, 3, 0] + gifBody

  /// The same with an empty logical screen, so that the frame's edges count.
  static let gifWithoutScreen: [UInt8] =
    Array("GIF89a".utf8) + [0, 0, 0, 0] + gifBody

  /// The same with that many frames, all alike.
  static func gif(frames: Int) -> [UInt8] {
    var picture = Array("GIF89a".utf8) + [4, 0, 3, 0] + gifColors
    for _ in 0..<frames { picture += gifFrame }
    return picture + [0x3B]
  }

  private static let gifBody: [UInt8] = gifColors + gifFrame + [0x3B]

  private static let gifColors: [UInt8] =
    [0x81, 0, 0] + [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9]

  private static let gifFrame: [UInt8] = {
    var body: [UInt8] = [0x21, 0xF9, 4, 1, 0, 0, 2, 0]
    body += [0x2C, 1, 0, 1, 0, 3, 0, 2, 0, 0]
    // Codes of 3 bits: clear, then 0 2 1 0 2 0, each without a match, and the end; a clear between
    // keeps the codes at 3 bits.
    body += [2, 5]
    body += gifCodes([4, 0, 2, 4, 1, 0, 4, 2, 0, 5])
    body.append(0)
    return body
  }()

  private static func gifCodes(_ codes: [Int]) -> [UInt8] {
    var bits = 0
    for (index, code) in codes.enumerated() { bits |= code << (3 * index) }
    return little(bits, 5)
  }

  /// The pixels shown of `gif`: a row of red, nothing, green; a row of red, nothing, red.
  static let gifCanvas: PixelBuffer = {
    let none: [UInt8] = [0, 0, 0, 0]
    let red: [UInt8] = [255, 0, 0, 255]
    let green: [UInt8] = [0, 255, 0, 255]
    let rows = [none, none, none, none, none, red, none, green, none, red, none, red]
    return PixelBuffer(size: PixelSize(width: 4, height: 3), bytes: Array(rows.joined()))
  }()

  // MARK: JPEG

  /// Removes the Exif segments.
  static func withoutEXIF(_ jpeg: [UInt8]) -> [UInt8] {
    var out = Array(jpeg.prefix(2))
    var place = 2
    while place + 4 <= jpeg.count, jpeg[place] == 0xFF, jpeg[place + 1] != 0xDA {
      let length = Int(jpeg[place + 2]) << 8 | Int(jpeg[place + 3])
      let segment = jpeg[place..<min(jpeg.count, place + 2 + length)]
      if jpeg[place + 1] != 0xE1 { out += segment }
      place += 2 + length
    }
    return out + jpeg[place...]
  }

  /// Adds an Exif segment with that orientation in front.
  static func withEXIF(_ jpeg: [UInt8], orientation: Int, isBig: Bool) -> [UInt8] {
    func number(_ value: Int, _ length: Int) -> [UInt8] {
      isBig ? little(value, length).reversed() : little(value, length)
    }
    let order = Array((isBig ? "MM" : "II").utf8)
    var tiff = order
    for (value, length) in [
      (42, 2), (8, 4), (2, 2),
      (0x0100, 2), (4, 2), (1, 4), (640, 4),
      (0x0112, 2), (3, 2), (1, 4), (orientation, 2), (0, 2),
      (0, 4),
    ] { tiff += number(value, length) }
    let segment = Array("Exif\0\0".utf8) + tiff
    var out: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1]
    out += big(segment.count + 2).suffix(2)
    out += segment
    out += jpeg.dropFirst(2)
    return out
  }

  // MARK: WebP

  /// An animation whose frames, one or several, are that still.
  static func animatedWebP(
    _ still: [UInt8], canvas: PixelSize, at place: (x: Int, y: Int), frames: Int = 1
  ) -> [UInt8] {
    var frame: [UInt8] = []
    if frames > 0 {
      let size = size(ofWebP: still)
      for value in [place.x / 2, place.y / 2, size.width - 1, size.height - 1, 100] {
        frame += little(value, 3)
      }
      frame.append(0)
      frame += still.dropFirst(12)
    }
    var extended: [UInt8] = [0x02, 0, 0, 0]
    extended += little(canvas.width - 1, 3)
    extended += little(canvas.height - 1, 3)
    var body = Array("WEBP".utf8)
    body += riff("VP8X", extended)
    body += riff("ANIM", [0, 0, 0, 0, 0, 0])
    for _ in 0..<frames { body += riff("ANMF", frame) }
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }

  private static func size(ofWebP still: [UInt8]) -> PixelSize {
    func number(_ place: Int) -> Int { Int(still[place]) | Int(still[place + 1]) << 8 }
    // Lossless ones begin with both sides, less one, in 14 bits each.
    guard still[15] == UInt8(ascii: "L") else {
      return PixelSize(width: number(26), height: number(28))
    }
    let sides = number(21) | number(23) << 16
    return PixelSize(width: sides & 0x3FFF + 1, height: sides >> 14 & 0x3FFF + 1)
  }

  /// One colour, (9, 8, 7), in a lossless still of a few bytes: each of its five codes has one
  /// symbol.
  static func losslessWebP(_ size: PixelSize) -> [UInt8] {
    var bits = [UInt8](repeating: 0, count: 16)
    var place = 0
    func put(_ value: Int, _ length: Int) {
      for bit in 0..<length {
        bits[place / 8] |= UInt8(value >> bit & 1) << UInt8(place % 8)
        place += 1
      }
    }
    for (value, length) in [(size.width - 1, 14), (size.height - 1, 14), (1, 1), (0, 3)] {
      put(value, length)
    }
    // No transforms, no cache of colours, no groups of codes.
    put(0, 3)
    // Green, red, blue, alpha and distance: simple codes of one symbol of 8 bits.
    for symbol in [8, 9, 7, 255, 0] {
      put(0b101, 3)
      put(symbol, 8)
    }
    let body = Array("WEBP".utf8) + riff("VP8L", [0x2F] + bits)
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }

  private static func riff(_ name: String, _ data: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
  }

  // MARK: Numbers

  private static func big(_ value: Int) -> [UInt8] { little(value, 4).reversed() }

  private static func little(_ value: Int, _ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
