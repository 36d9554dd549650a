import Pixels
import TestSupport
import Testing

@Suite struct PixelsTests {
  private func random(
    _ size: PixelSize, opaque: Bool, _ generator: inout SeededGenerator
  ) -> PixelBuffer {
    var bytes = (0..<size.width * size.height * 4).map { _ in
      UInt8.random(in: 0...255, using: &generator)
    }
    if opaque { for place in stride(from: 3, to: bytes.count, by: 4) { bytes[place] = 255 } }
    return PixelBuffer(size: size, bytes: bytes)
  }

  /// Opaque pixels whose red counts them.
  private func numbered(_ size: PixelSize) -> PixelBuffer {
    var bytes: [UInt8] = []
    for red in 0..<size.width * size.height { bytes += [UInt8(red), 0, 0, 255] }
    return PixelBuffer(size: size, bytes: bytes)
  }

  /// The box filter as its definition says, in doubles, one pixel after the other.
  private func naive(_ source: PixelBuffer, to target: PixelSize) -> [SIMD4<Double>] {
    var out: [SIMD4<Double>] = []
    let across = Double(source.size.width) / Double(target.width)
    let down = Double(source.size.height) / Double(target.height)
    func overlap(_ place: Int, _ index: Int, _ step: Double) -> Double {
      max(
        0,
        min(Double(place + 1), Double(index + 1) * step) - max(Double(place), Double(index) * step))
    }
    for y in 0..<target.height {
      for x in 0..<target.width {
        var sum = SIMD4<Double>.zero
        for row in 0..<source.size.height {
          for column in 0..<source.size.width {
            let weight = overlap(column, x, across) * overlap(row, y, down)
            let pixel = SIMD4<Double>(source[column, row])
            var part = pixel * (pixel.w / 255)
            part.w = pixel.w
            sum += part * weight
          }
        }
        var mean = sum / (across * down)
        let factor = mean.w > 0 ? 255 / mean.w : 0
        mean *= SIMD4(factor, factor, factor, 1)
        out.append(mean)
      }
    }
    return out
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func boxFilterAgreesWithItsDefinition(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func side() -> Int { Int.random(in: 1...23, using: &generator) }
    let source = random(
      PixelSize(width: side(), height: side()), opaque: seed % 2 == 0, &generator)
    let target = PixelSize(width: side(), height: side())
    let scaled = source.scaled(to: target)
    #expect(scaled.size == target)
    let expected = naive(source, to: target)
    for y in 0..<target.height {
      for x in 0..<target.width {
        let want = expected[y * target.width + x]
        let got = SIMD4<Double>(scaled[x, y])
        // The colour of what is transparent is any; of what nearly is, a quotient of small numbers.
        let tolerance = want.w == 0 ? 255 : want.w < 8 ? 40 : 0.51
        let difference = want - got
        #expect(
          abs(difference.x) <= tolerance && abs(difference.y) <= tolerance
            && abs(difference.z) <= tolerance && abs(difference.w) <= 0.51,
          "seed \(seed), pixel \(x),\(y): \(got) instead of \(want)")
      }
    }
  }

  @Test func oneColourStaysThatColourAtEverySize() {
    let plain = PixelBuffer(
      size: PixelSize(width: 97, height: 61), red: 13, green: 200, blue: 255, alpha: 77)
    for (width, height) in [(1, 1), (3, 60), (97, 2), (200, 130), (96, 60)] {
      let scaled = plain.scaled(to: PixelSize(width: width, height: height))
      #expect(
        scaled
          == PixelBuffer(
            size: PixelSize(width: width, height: height), red: 13, green: 200, blue: 255,
            alpha: 77))
    }
  }

  @Test func transparentPixelsLendNoColour() {
    let pair = PixelBuffer(
      size: PixelSize(width: 2, height: 1), bytes: [255, 0, 0, 255, 0, 255, 0, 0])
    #expect(pair.scaled(to: PixelSize(width: 1, height: 1)).bytes == [255, 0, 0, 128])
  }

  @Test func emptySizesGiveEmptyOrTransparentPictures() {
    let none = PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [])
    #expect(
      none.scaled(to: PixelSize(width: 2, height: 1)).bytes == [UInt8](repeating: 0, count: 8))
    let one = PixelBuffer(size: PixelSize(width: 1, height: 1), red: 1, green: 2, blue: 3)
    #expect(one.scaled(to: PixelSize(width: 0, height: 5)).bytes.isEmpty)
  }

  @Test func sizesAreFittedWithTheirProportions() {
    let wide = PixelSize(width: 4000, height: 3000)
    #expect(
      wide.fitted(in: PixelSize(width: 640, height: 640)) == PixelSize(width: 640, height: 480))
    #expect(wide.fitted(in: PixelSize(width: 9000, height: 9000)) == wide)
    #expect(
      PixelSize(width: 10_000, height: 1).fitted(in: PixelSize(width: 100, height: 100))
        == PixelSize(width: 100, height: 1))
    #expect(PixelSize(width: Int.max, height: 2).area == nil)
  }

  @Test func everyOrientationPutsTheFirstPixelWhereExifSays() {
    // Stored: 3 columns, 2 rows, numbered. The corner where pixel 0 is to be seen, by EXIF.
    let stored = numbered(PixelSize(width: 3, height: 2))
    let seen: [PixelOrientation: [UInt8]] = [
      .upright: [0, 1, 2, 3, 4, 5], .mirrored: [2, 1, 0, 5, 4, 3],
      .upsideDown: [5, 4, 3, 2, 1, 0], .mirroredUpsideDown: [3, 4, 5, 0, 1, 2],
      .transposed: [0, 3, 1, 4, 2, 5], .quarterClockwise: [3, 0, 4, 1, 5, 2],
      .transverse: [5, 2, 4, 1, 3, 0], .quarterAnticlockwise: [2, 5, 1, 4, 0, 3],
    ]
    for orientation in PixelOrientation.allCases {
      let turned = stored.oriented(orientation)
      #expect(turned.size == orientation.applied(to: stored.size))
      let reds = stride(from: 0, to: 24, by: 4).map { turned.bytes[$0] }
      #expect(reds == seen[orientation], "\(orientation)")
    }
  }
}

@Suite struct CroppingTests {
  private let numbered = PixelBuffer(
    size: PixelSize(width: 4, height: 3),
    bytes: (0..<12).flatMap { [UInt8($0), UInt8($0), UInt8($0), 255] })

  private func values(_ buffer: PixelBuffer) -> [Int] {
    stride(from: 0, to: buffer.bytes.count, by: 4).map {
      buffer.bytes[$0 + 3] == 0 ? -1 : Int(buffer.bytes[$0])
    }
  }

  @Test func aPartIsCutOut() {
    let part = numbered.cropped(x: 1, y: 1, to: PixelSize(width: 2, height: 2))
    #expect(values(part) == [5, 6, 9, 10])
    #expect(numbered.cropped(x: 0, y: 0, to: numbered.size) == numbered)
  }

  @Test func beyondTheEdgesItIsTransparent() {
    let part = numbered.cropped(x: 3, y: 2, to: PixelSize(width: 2, height: 2))
    #expect(values(part) == [11, -1, -1, -1])
    #expect(
      values(numbered.cropped(x: -1, y: -1, to: PixelSize(width: 2, height: 2))) == [-1, -1, -1, 0])
    #expect(values(numbered.cropped(x: 9, y: 9, to: PixelSize(width: 1, height: 2))) == [-1, -1])
    #expect(numbered.cropped(x: 0, y: 0, to: PixelSize(width: 0, height: 5)).size.isEmpty)
  }
}
