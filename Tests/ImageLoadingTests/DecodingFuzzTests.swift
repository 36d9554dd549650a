import FoundationEssentials
import ImageDecoding
import ImageLoading
import Pixels
import TestSupport
import Testing

/// Damaged pictures: every one gives pixels or a typed error, never a trap, and never pixels beyond
/// the limits.
@Suite struct DecodingFuzzTests {
  private let decoder = SystemImageDecoder()
  /// Small, so that a header that lies about its size costs little.
  private let limits = ImageLimits(maximumPixels: 2_000_000)

  private static var originals: [(name: String, bytes: [UInt8])] {
    var all: [(String, [UInt8])] = [
      ("made.png", SamplePictures.png), ("made.gif", SamplePictures.gif),
      ("unsized.gif", SamplePictures.gifWithoutScreen),
    ]
    for path in SharedData.files(in: "pictures") {
      guard let bytes = try? SharedData.bytes(path), bytes.count < 60_000 else { continue }
      all.append((path.split(separator: "/").last.map(String.init) ?? path, bytes))
      if path.hasSuffix("baseline.webp") {
        let canvas = PixelSize(width: 600, height: 400)
        all.append(
          ("animated.webp", SamplePictures.animatedWebP(bytes, canvas: canvas, at: (2, 4))))
      }
      if path.hasSuffix("baseline.jpeg") {
        all.append(("turned.jpeg", SamplePictures.withEXIF(bytes, orientation: 6, isBig: true)))
      }
    }
    return all
  }

  /// Mutations of each codec's pictures: 150, or as many as the environment says.
  private static let mutations =
    ProcessInfo.processInfo.environment["TIDELINE_PICTURE_MUTATIONS"].flatMap { Int($0) } ?? 150

  @Test(arguments: ImageFormat.allCases) func damageIsAnErrorOrAPicture(format: ImageFormat) throws
  {
    let originals = Self.originals.filter {
      guard case .header(let header) = decoder.header(of: $0.bytes) else { return false }
      return header.format == format
    }
    try #require(!originals.isEmpty)
    let seed = UInt64(format.rawValue.utf8.reduce(7) { $0 &* 31 &+ Int($1) })
    var generator = SeededGenerator(seed: seed)
    let box = PixelSize(width: 100, height: 80)
    var decoded = 0
    var refused: [String: Int] = [:]
    for round in 0..<Self.mutations {
      let (name, bytes) = originals[round % originals.count]
      let damaged = PictureDamage.damaged(bytes, &generator)
      let header = decoder.header(of: damaged)
      do throws(ImageError) {
        let pixels = try decoder.decode(damaged, fitting: box, limits: limits)
        decoded += 1
        guard case .header(let header) = header else {
          Issue.record("seed \(seed), \(name), round \(round): pixels without a header")
          continue
        }
        #expect(
          pixels.size == header.size.fitted(in: box) && limits.allow(header.size),
          "seed \(seed), \(name), round \(round)")
      } catch {
        let line = error.description
        refused[line.filter { !$0.isNumber }, default: 0] += 1
        #expect(
          !line.isEmpty && !line.contains("\n"), "seed \(seed), \(name), round \(round): \(error)")
      }
    }
    let count = refused.values.reduce(0, +)
    #expect(decoded > 0 && count > 0, "seed \(seed)")
    guard Self.mutations > 150 else { return }
    print(
      "\(format.rawValue): \(Self.mutations) mutations of \(originals.count) pictures, "
        + "\(decoded) shown, \(count) refused in \(refused.count) ways, seed \(seed)")
  }

  @Test func everyPrefixOfTheSmallOnesIsAnErrorOrAPicture() {
    let box = PixelSize(width: 10, height: 10)
    for (name, bytes) in Self.originals where bytes.count < 1000 {
      for count in 0..<bytes.count {
        do throws(ImageError) {
          let pixels = try decoder.decode(Array(bytes.prefix(count)), fitting: box, limits: limits)
          #expect(!pixels.bytes.isEmpty, "\(name), \(count) bytes")
        } catch {
          #expect(!error.description.isEmpty, "\(name), \(count) bytes")
        }
      }
    }
  }
}
