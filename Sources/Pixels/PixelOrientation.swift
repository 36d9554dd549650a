/// How stored rows and columns relate to the picture as seen: the values of the EXIF field
/// "Orientation" (CIPA DC-008, 4.6.4).
public enum PixelOrientation: Int, CaseIterable, Sendable {
  /// Stored as seen.
  case upright = 1
  /// Left and right exchanged.
  case mirrored = 2
  /// To be turned by 180°.
  case upsideDown = 3
  /// Top and bottom exchanged.
  case mirroredUpsideDown = 4
  /// Rows and columns exchanged.
  case transposed = 5
  /// To be turned by 90° clockwise.
  case quarterClockwise = 6
  /// Rows and columns exchanged along the other diagonal.
  case transverse = 7
  /// To be turned by 90° anticlockwise.
  case quarterAnticlockwise = 8

  /// Whether the width as seen is the height as stored.
  var swapsAxes: Bool { rawValue >= 5 }

  /// The size as seen of a picture stored at `size`.
  public func applied(to size: PixelSize) -> PixelSize { swapsAxes ? size.transposed : size }
}

extension PixelBuffer {
  /// The picture as seen, given the orientation in which it was stored.
  ///
  /// - Complexity: O(pixels).
  public func oriented(_ orientation: PixelOrientation) -> PixelBuffer {
    if orientation == .upright { return self }
    let width = size.width
    let height = size.height
    let seen = orientation.applied(to: size)
    let count = bytes.count
    let turned = [UInt8](unsafeUninitializedCapacity: count) { out, written in
      bytes.withUnsafeBufferPointer { source in
        for y in 0..<seen.height {
          for x in 0..<seen.width {
            let from: (x: Int, y: Int) =
              switch orientation {
              case .upright: (x, y)
              case .mirrored: (width - 1 - x, y)
              case .upsideDown: (width - 1 - x, height - 1 - y)
              case .mirroredUpsideDown: (x, height - 1 - y)
              case .transposed: (y, x)
              case .quarterClockwise: (y, height - 1 - x)
              case .transverse: (width - 1 - y, height - 1 - x)
              case .quarterAnticlockwise: (width - 1 - y, x)
              }
            let target = (y * seen.width + x) * 4
            let origin = (from.y * width + from.x) * 4
            for channel in 0..<4 { out[target + channel] = source[origin + channel] }
          }
        }
      }
      written = count
    }
    return PixelBuffer(size: seen, bytes: turned)
  }
}
