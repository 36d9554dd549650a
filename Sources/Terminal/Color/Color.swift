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

  /// The channels of this colour; for palette entries those of xterm's standard palette; `nil` for
  /// the terminal's default.
  public var rgb: RGB? {
    switch rawValue {
    case ..<0: return nil
    case 0..<16: return Self.standardPalette[Int(rawValue)]
    case 16..<232:
      let index = Int(rawValue) - 16
      return RGB(
        Self.cubeLevel(index / 36), Self.cubeLevel(index / 6 % 6), Self.cubeLevel(index % 6))
    case 232..<256:
      let level = UInt8(8 + 10 * (rawValue - 232))
      return RGB(level, level, level)
    default:
      return RGB(
        UInt8(truncatingIfNeeded: rawValue >> 16), UInt8(truncatingIfNeeded: rawValue >> 8),
        UInt8(truncatingIfNeeded: rawValue))
    }
  }

  /// The nearest colour that a terminal of `depth` can show, by least squares; this colour itself
  /// if it can be shown.
  ///
  /// - Complexity: O(1).
  func mapped(to depth: ColorDepth) -> Color {
    switch depth {
    case .trueColor: return self
    case .none: return .default
    case .indexed256:
      guard rawValue > 255, let rgb else { return self }
      return .nearestIndexed(to: rgb)
    case .ansi16:
      guard rawValue > 15, let rgb else { return self }
      let distances = Self.standardPalette.map { rgb.squaredDistance(to: $0) }
      let nearest = distances.indices.min { distances[$0] < distances[$1] }
      return .palette(UInt8(nearest ?? 0))
    }
  }

  /// The nearest entry, by least squares, of the cube and the greys of the 256 colours; never one
  /// of the 16 that the user may define.
  static func nearestIndexed(to rgb: RGB) -> Color {
    let r = cubeIndex(rgb.red)
    let g = cubeIndex(rgb.green)
    let b = cubeIndex(rgb.blue)
    let cube = RGB(cubeLevel(r), cubeLevel(g), cubeLevel(b))
    let mean = (Int(rgb.red) + Int(rgb.green) + Int(rgb.blue)) / 3
    let step = min(23, max(0, (mean - 3) / 10))
    let level = UInt8(8 + 10 * step)
    let grey = RGB(level, level, level)
    if grey.squaredDistance(to: rgb) < cube.squaredDistance(to: rgb) {
      return .palette(UInt8(232 + step))
    }
    return .palette(UInt8(16 + 36 * r + 6 * g + b))
  }

  /// A level of the cube: 0, 95, 135, 175, 215, 255.
  private static func cubeLevel(_ index: Int) -> UInt8 { index == 0 ? 0 : UInt8(55 + 40 * index) }

  /// The index of the level nearest to `value`.
  private static func cubeIndex(_ value: UInt8) -> Int {
    value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
  }

  /// xterm's first 16 colours; the user's may differ.
  private static let standardPalette: [RGB] = [
    RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0),
    RGB(0, 0, 238), RGB(205, 0, 205), RGB(0, 205, 205), RGB(229, 229, 229),
    RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0),
    RGB(92, 92, 255), RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
  ]
}

extension Color {
  /// A 24-bit colour.
  public init(_ rgb: RGB) { self = .rgb(rgb.red, rgb.green, rgb.blue) }
}
