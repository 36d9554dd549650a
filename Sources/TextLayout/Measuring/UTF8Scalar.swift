/// Decodes code points from the bytes of a `String`, which are valid UTF-8 by construction.
package enum UTF8Scalar {
  /// The code point that begins at `offset`, and its length in bytes.
  @inline(__always)
  package static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> (scalar: Unicode.Scalar, length: Int) {
    let first = UInt32(bytes[offset])
    if first < 0x80 { return (Unicode.Scalar(UInt8(first)), 1) }
    func next(_ distance: Int) -> UInt32 {
      offset + distance < bytes.count ? UInt32(bytes[offset + distance]) & 0x3F : 0
    }
    if first < 0xE0 { return (valid((first & 0x1F) << 6 | next(1)), 2) }
    if first < 0xF0 { return (valid((first & 0x0F) << 12 | next(1) << 6 | next(2)), 3) }
    return (valid((first & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3)), 4)
  }

  private static func valid(_ value: UInt32) -> Unicode.Scalar {
    Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}
