extension PixelBuffer {
  /// The picture laid over an opaque colour; every pixel of the result is opaque.
  ///
  /// - Complexity: O(pixels).
  public func composited(over background: (red: UInt8, green: UInt8, blue: UInt8)) -> PixelBuffer {
    let under = SIMD4<UInt32>(
      UInt32(background.red), UInt32(background.green), UInt32(background.blue), 255)
    let count = bytes.count
    let mixed = [UInt8](unsafeUninitializedCapacity: count) { out, written in
      bytes.withUnsafeBufferPointer { source in
        var index = 0
        while index < count {
          let alpha = UInt32(source[index + 3])
          let rest = 255 - alpha
          out[index] = UInt8((UInt32(source[index]) * alpha + under.x * rest + 127) / 255)
          out[index + 1] = UInt8((UInt32(source[index + 1]) * alpha + under.y * rest + 127) / 255)
          out[index + 2] = UInt8((UInt32(source[index + 2]) * alpha + under.z * rest + 127) / 255)
          out[index + 3] = 255
          index += 4
        }
      }
      written = count
    }
    return PixelBuffer(size: size, bytes: mixed)
  }

  /// The picture with everything outside its largest centred circle transparent, the edge smooth.
  ///
  /// - Complexity: O(pixels).
  public func maskedToCircle() -> PixelBuffer {
    let radius = Double(min(size.width, size.height)) / 2
    let centreX = Double(size.width) / 2
    let centreY = Double(size.height) / 2
    var masked = bytes
    for y in 0..<size.height {
      for x in 0..<size.width {
        let dx = Double(x) + 0.5 - centreX
        let dy = Double(y) + 0.5 - centreY
        let coverage = radius - (dx * dx + dy * dy).squareRoot() + 0.5
        if coverage >= 1 { continue }
        let index = (y * size.width + x) * 4 + 3
        masked[index] = UInt8((Double(masked[index]) * max(0, coverage)).rounded())
      }
    }
    return PixelBuffer(size: size, bytes: masked)
  }
}
