/// A colour as one number: −1 is the terminal's default, 0–255 its palette, 256 and above 24-bit
/// RGB. RGB without red and green gets a green of 1, an invisible difference, so that it is not
/// below 256.
public struct Color: Hashable, Sendable {
  /// The number, −1 or more.
  public let rawValue: Int32

  /// The terminal's own foreground or background.
  public static let `default` = Color(rawValue: -1)

  /// An entry of the terminal's palette; 0–15 are colours that the user may define.
  public static func palette(_ index: UInt8) -> Color { Color(rawValue: Int32(index)) }

  /// A 24-bit colour.
  public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    let value = Int32(red) << 16 | Int32(green) << 8 | Int32(blue)
    return Color(rawValue: value < 256 ? value + 256 : value)
  }
}
