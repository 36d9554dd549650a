import System

/// A preview of a picture until it has loaded: a few waves of colour in 6 to 166 characters, which
/// Mastodon and others send with the picture's address.
public struct BlurHash: Hashable, Sendable {
  private let columns: Int
  private let rows: Int
  /// The linear light (red, green, blue) of each wave, `rows` times `columns` of them.
  private let waves: [SIMD3<Double>]

  /// Parses `text`; `nil` if it is not a BlurHash.
  ///
  /// - Complexity: O(n) in the first 166 bytes of `text`.
  public init?(_ text: String) {
    let digits = text.utf8.prefix(167).compactMap { Self.values[Int($0)] }
    guard digits.count == text.utf8.count, digits.count >= 6 else { return nil }
    columns = digits[0] % 9 + 1
    rows = digits[0] / 9 + 1
    guard digits.count == 4 + 2 * columns * rows else { return nil }
    let largest = Double(digits[1] + 1) / 166
    let average = digits[2..<6].reduce(0) { $0 * 83 + $1 }
    guard average <= 0xFF_FFFF else { return nil }
    let first = SIMD3(
      Self.linear(average >> 16), Self.linear(average >> 8 & 0xFF), Self.linear(average & 0xFF))
    let others = stride(from: 6, to: digits.count, by: 2).map { place -> SIMD3<Double> in
      let value = digits[place] * 83 + digits[place + 1]
      func share(_ step: Int) -> Double {
        let part = Double(step - 9) / 9
        return part * abs(part) * largest
      }
      return SIMD3(share(value / 361), share(value / 19 % 19), share(value % 19))
    }
    waves = [first] + others
  }

  /// Renders the waves at `size`.
  ///
  /// - Complexity: O(pixels · waves).
  public func pixels(_ size: PixelSize) -> PixelBuffer {
    guard let area = size.area, area > 0 else {
      return PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [])
    }
    let across = Self.cosines(columns, over: size.width)
    let down = Self.cosines(rows, over: size.height)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(area * 4)
    for y in 0..<size.height {
      for x in 0..<size.width {
        var light = SIMD3<Double>.zero
        for row in 0..<rows {
          for column in 0..<columns {
            light += waves[row * columns + column] * (across[column][x] * down[row][y])
          }
        }
        bytes += [Self.encoded(light.x), Self.encoded(light.y), Self.encoded(light.z), 255]
      }
    }
    return PixelBuffer(size: size, bytes: bytes)
  }

  private static func cosines(_ count: Int, over length: Int) -> [[Double]] {
    (0..<count).map { wave in
      (0..<length).map { cos(Double.pi * Double(wave) * Double($0) / Double(length)) }
    }
  }

  /// The linear light of the 256 values of sRGB.
  private static let steps: [Double] = (0..<256).map { step in
    let value = Double(step) / 255
    guard value > 0.04045 else { return value / 12.92 }
    return pow((value + 0.055) / 1.055, 2.4)
  }

  private static func linear(_ step: Int) -> Double { steps[step & 0xFF] }

  private static func encoded(_ light: Double) -> UInt8 {
    // A binary search for the nearest of the 256 steps, which ascend.
    var (low, high) = (0, 255)
    while low < high {
      let middle = (low + high) / 2
      if (steps[middle] + steps[middle + 1]) / 2 < light { low = middle + 1 } else { high = middle }
    }
    return UInt8(low)
  }

  /// The value of each byte as a digit; `nil` for bytes that are not digits.
  private static let values: [Int?] = {
    let alphabet =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"
    var values = [Int?](repeating: nil, count: 256)
    for (value, byte) in alphabet.utf8.enumerated() { values[Int(byte)] = value }
    return values
  }()
}
