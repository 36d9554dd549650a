import Pixels

extension PixelBuffer {
  /// The picture as a PNG whose data is not compressed, for others to read.
  package var png: [UInt8] {
    func bigEndian(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      let body = Array(name.utf8) + data
      var check: UInt32 = .max
      for byte in body {
        check ^= UInt32(byte)
        for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1 }
      }
      return bigEndian(UInt32(data.count)) + body + bigEndian(~check)
    }
    var data: [UInt8] = [0x78, 0x01]
    var (low, high): (UInt32, UInt32) = (1, 0)
    for y in 0..<size.height {
      // A row is a stored block of its own: a filter, then its pixels.
      let row = [0] + bytes[(y * size.width * 4)..<((y + 1) * size.width * 4)]
      let count = UInt16(row.count)
      data.append(y == size.height - 1 ? 1 : 0)
      for part in [count, ~count] {
        data += [UInt8(truncatingIfNeeded: part), UInt8(truncatingIfNeeded: part >> 8)]
      }
      data += row
      for byte in row {
        low = (low + UInt32(byte)) % 65_521
        high = (high + low) % 65_521
      }
    }
    data += bigEndian(high << 16 | low)
    let header = bigEndian(UInt32(size.width)) + bigEndian(UInt32(size.height)) + [8, 6, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", data) + chunk("IEND", [])
  }
}
