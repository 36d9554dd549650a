import Pixels
import TestSupport
import Testing

@Suite struct BlurHashTests {
  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")

  private func text(_ number: Int, digits: Int) -> String {
    var number = number
    var text = ""
    for _ in 0..<digits {
      text = String(Self.alphabet[number % 83]) + text
      number /= 83
    }
    return text
  }

  @Test func oneWaveIsOneColour() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let color = Int.random(in: 0...0xFF_FFFF, using: &random)
      let hash = try #require(BlurHash("00" + text(color, digits: 4)))
      let pixels = hash.pixels(PixelSize(width: 3, height: 2))
      let expected = SIMD4(
        UInt8(color >> 16), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF), 255)
      for x in 0..<3 { #expect(pixels[x, 1] == expected, "seed 3") }
    }
  }

  /// Two waves: from light to dark, as far to either side of the average.
  @Test func wavesGoFromSideToSide() throws {
    // Two across, the largest amplitude 1/166 * 83, grey average, the second wave at its strongest.
    let hash = try #require(
      BlurHash(
        "1" + text(41, digits: 1) + text(0x80_80_80, digits: 4)
          + text(18 * 361 + 18 * 19 + 18, digits: 2)))
    let pixels = hash.pixels(PixelSize(width: 16, height: 4))
    let row = (0..<16).map { Int(pixels[$0, 2].x) }
    #expect(row == row.sorted(by: >) && row[0] > 160 && row[15] < 90)
    #expect((0..<16).allSatisfy { pixels[$0, 0] == pixels[$0, 3] })
  }

  /// By a decoder written from the format's description alone.
  @Test func aHashOfFourByThreeWaves() throws {
    let hash = try #require(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj"))
    let pixels = hash.pixels(PixelSize(width: 8, height: 6))
    let expected: [(x: Int, y: Int, SIMD3<Int>)] = [
      (0, 0, SIMD3(135, 164, 177)), (4, 0, SIMD3(181, 180, 171)), (7, 0, SIMD3(144, 167, 179)),
      (4, 3, SIMD3(158, 125, 108)), (0, 5, SIMD3(132, 144, 149)), (7, 5, SIMD3(139, 143, 146)),
    ]
    for (x, y, color) in expected {
      for channel in 0..<3 {
        #expect(abs(Int(pixels[x, y][channel]) - color[channel]) <= 1, "\(x), \(y)")
      }
    }
  }

  @Test func whatIsNoHashIsNone() {
    for text in ["", "0", "00", "00000", "0000000", "é00000", "~00000", "00~~~~", "LEHV6nWB2yk8"] {
      #expect(BlurHash(text) == nil, "\(text)")
    }
    #expect(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj") != nil)
    #expect(BlurHash(String(repeating: "0", count: 100_000)) == nil)
    var random = SeededGenerator(seed: 9)
    var count = 0
    for _ in 0..<2_000 {
      let length = Int.random(in: 0...170, using: &random)
      let text = String(
        (0..<length).map { _ in Self.alphabet.randomElement(using: &random) ?? "0" })
      guard let hash = BlurHash(text) else { continue }
      count += 1
      let pixels = hash.pixels(PixelSize(width: 5, height: 3))
      #expect(pixels.isOpaque, "seed 9")
    }
    #expect(count > 0)
    #expect(BlurHash("000000")?.pixels(PixelSize(width: 0, height: 3)).bytes.isEmpty == true)
  }
}
