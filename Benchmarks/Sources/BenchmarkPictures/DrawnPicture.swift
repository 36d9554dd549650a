import Pixels

/// A picture that is drawn from a rule, at 640 by 400 pixels: what feeds have beside photographs.
package enum DrawnPicture: String, CaseIterable {
  /// A disc with a soft edge over a sky that goes from one colour to another.
  case sunset
  /// Flat shapes with hard edges on a flat ground.
  case logo
  /// Bars, a thin line and a grid on white.
  case chart

  private static let size = PixelSize(width: 640, height: 400)
  /// Samples a side of each pixel, so that edges are smooth.
  private static let samples = 3

  /// - Complexity: O(pixels).
  package var pixels: PixelBuffer {
    let size = Self.size
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.width * size.height * 4)
    let step = 1 / Double(Self.samples)
    for y in 0..<size.height {
      for x in 0..<size.width {
        var sum = SIMD3<Double>.zero
        for part in 0..<Self.samples * Self.samples {
          let dx = (Double(part % Self.samples) + 0.5) * step
          let dy = (Double(part / Self.samples) + 0.5) * step
          sum += color(Double(x) + dx, Double(y) + dy)
        }
        let mean = sum / Double(Self.samples * Self.samples)
        for part in 0..<3 { bytes.append(UInt8(min(255, max(0, mean[part])).rounded())) }
        bytes.append(255)
      }
    }
    return PixelBuffer(size: size, bytes: bytes)
  }

  private func color(_ x: Double, _ y: Double) -> SIMD3<Double> {
    switch self {
    case .sunset: Self.sunset(x, y)
    case .logo: Self.logo(x, y)
    case .chart: Self.chart(x, y)
    }
  }

  private static func distance(_ x: Double, _ y: Double, to center: (x: Double, y: Double))
    -> Double
  {
    ((x - center.x) * (x - center.x) + (y - center.y) * (y - center.y)).squareRoot()
  }

  private static func sunset(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let height = y / 400
    let sky = SIMD3(40.0, 50, 110) * (1 - height) + SIMD3(250.0, 140, 80) * height
    let sun = max(0, min(1, (90 - distance(x, y, to: (420, 240))) / 12))
    let lit = sky * (1 - sun) + SIMD3(255.0, 235, 170) * sun
    return y > 300 ? lit * 0.35 + SIMD3(10.0, 25, 50) : lit
  }

  private static func logo(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let ring = distance(x, y, to: (230, 200))
    if ring < 130, ring > 80 { return SIMD3(220, 60, 50) }
    if x > 330, x < 380, y > 70, y < 330 { return SIMD3(30, 110, 200) }
    if y < 330, y > 130, abs(x - 490) < (y - 130) * 0.5 { return SIMD3(250, 190, 40) }
    return SIMD3(245, 243, 238)
  }

  private static func chart(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let bars = [120.0, 180, 90, 240, 210, 300, 160, 270]
    let (slot, offset) = (Int((x - 60) / 70), (x - 60).truncatingRemainder(dividingBy: 70))
    let line =
      120 + 60 * ((x - 60) / 560) + (Int(x / 50) % 2 == 0 ? 1 : -1)
      * (x.truncatingRemainder(dividingBy: 50) - 25)
    if abs(y - line) < 2, x > 60, x < 620 { return SIMD3(200, 40, 40) }
    if x < 60 || y > 360 || x > 620 {
      let isAxis = abs(x - 58) < 1.5 && y < 360 || abs(y - 361) < 1.5 && x > 56 && x < 620
      return isAxis ? SIMD3(40, 40, 40) : SIMD3(255, 255, 255)
    }
    if bars.indices.contains(slot), offset > 15, offset < 55, y > 360 - bars[slot] {
      return slot % 2 == 0 ? SIMD3(70, 130, 180) : SIMD3(110, 170, 110)
    }
    return y.truncatingRemainder(dividingBy: 60) < 1 ? SIMD3(215, 215, 215) : SIMD3(255, 255, 255)
  }
}
