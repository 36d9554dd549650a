/// A 24-bit colour by its channels.
public struct RGB: Hashable, Sendable {
  /// 0…255.
  public var red: UInt8
  /// 0…255.
  public var green: UInt8
  /// 0…255.
  public var blue: UInt8

  /// A colour by its channels.
  public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The sum of the squared differences of the channels.
  package func squaredDistance(to other: RGB) -> Int {
    let r = Int(red) - Int(other.red)
    let g = Int(green) - Int(other.green)
    let b = Int(blue) - Int(other.blue)
    return r * r + g * g + b * b
  }
}
