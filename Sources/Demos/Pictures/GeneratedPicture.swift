import System

/// A picture generated from a seed: sky, sun and waves in colours of its own, inside a frame that
/// marks its edges.
struct GeneratedPicture {
  /// The maximum width and height, in pixels. `2,000`
  static let longestEdge = 2000

  let width: Int
  let height: Int
  let seed: UInt64

  /// Parses the last two parts of an address, such as `"345x267"` and `"12.jpeg"`; `nil` if they
  /// name no picture.
  init?(size: String, file: String) {
    let edges = size.split(separator: "x", omittingEmptySubsequences: false)
    let name = file.split(separator: ".", omittingEmptySubsequences: false)
    guard edges.count == 2, let width = Int(edges[0]), let height = Int(edges[1]),
      (1...Self.longestEdge).contains(width), (1...Self.longestEdge).contains(height),
      name.count == 2, let seed = UInt64(name[0]), name[1] == "jpeg"
    else { return nil }
    self.width = width
    self.height = height
    self.seed = seed
  }

  /// Rows of red, green and blue bytes, top row first.
  ///
  /// - Complexity: O(pixels)
  func pixels() -> [UInt8] {
    var random = SeededRandom(seed: seed)
    let hue = Double.random(in: 0..<1, using: &random)
    let sun = (x: Double.random(in: 0.2...0.8, using: &random), radius: 0.16)
    let horizon = Double.random(in: 0.45...0.65, using: &random)
    let waves = Double.random(in: 2...5, using: &random)
    let frame = max(1, min(width, height) / 40)
    let aspect = Double(width) / Double(height)

    let xs = (0..<width).map { (Double($0) + 0.5) / Double(width) }
    let swells = xs.map { sin($0 * waves * 2 * .pi) }
    let sunColor = RGB(hue: hue + 0.08, saturation: 0.25, value: 1)

    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 3)
    for row in 0..<height {
      let y = (Double(row) + 0.5) / Double(height)
      let sky = RGB(hue: hue - 0.12 * y, saturation: 0.75, value: 0.45 + 0.55 * y / horizon)
      for column in 0..<width {
        let edge = min(min(row, height - 1 - row), min(column, width - 1 - column))
        let color: RGB
        if edge < frame {
          color = .white
        } else if y < horizon + 0.03 * swells[column] {
          let away = hypot((xs[column] - sun.x) * aspect, y - horizon * 0.55)
          color = away < sun.radius ? sunColor : sky
        } else {
          let swell = 0.5 + 0.5 * sin((y * 9 + 0.25 * swells[column]) * 2 * .pi)
          color = RGB(hue: hue + 0.45, saturation: 0.85, value: 0.85 - 0.5 * y + 0.2 * swell)
        }
        bytes.append(color.red)
        bytes.append(color.green)
        bytes.append(color.blue)
      }
    }
    return bytes
  }

  private struct RGB {
    static let white = RGB(red: 255, green: 255, blue: 255)

    let red: UInt8
    let green: UInt8
    let blue: UInt8

    private init(red: UInt8, green: UInt8, blue: UInt8) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// A colour by hue, saturation and value, each 0...1; hue wraps around (Smith, "Color gamut
    /// transform pairs", 1978).
    init(hue: Double, saturation: Double, value: Double) {
      let sector = (hue - hue.rounded(.down)) * 6
      func part(_ offset: Double) -> UInt8 {
        let k = (offset + sector).truncatingRemainder(dividingBy: 6)
        let part = max(0, min(1, min(k, 4 - k)))
        return UInt8(max(0, min(255, (value - value * saturation * part) * 255)))
      }
      self.init(red: part(5), green: part(3), blue: part(1))
    }
  }
}
