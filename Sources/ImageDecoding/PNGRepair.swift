/// Makes a PNG that is cut short one that ends: libpng reads data in large pieces and gives up a piece that
/// is not whole, with all the rows in it.
enum PNGRepair {
  private static let signatureLength = 8
  private static let data = Array("IDAT".utf8)
  /// A chunk without content, and its sum.
  private static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

  /// The picture with its last chunk of data as long as it is; nil where it does not end within one.
  ///
  /// - Complexity: O(bytes).
  static func completed(_ bytes: [UInt8]) -> [UInt8]? {
    let header = HeaderBytes(bytes)
    var place = signatureLength
    while let length = header.big32(place) {
      let content = place + 8
      guard content < bytes.count else { return nil }
      guard length < bytes.count - content else {
        let type = bytes[place + 4..<content]
        guard type.elementsEqual(data) else { return nil }
        let rest = bytes[(place + 4)...]
        return bytes[..<place] + big(UInt32(clamping: rest.count - 4)) + rest
          + big(checksum(rest)) + end
      }
      place = content + length + 4
    }
    return nil
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }

  /// CRC-32, as chunks carry it (ISO/IEC 15948, annex D).
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
  }
}
