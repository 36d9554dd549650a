import ImageDecoding
import ImageLoading
import Pixels
import TestSupport
import Testing

/// Checks that every picture passes, made for the tests or not.
struct PictureChecks {
  typealias Picture = (name: String, bytes: [UInt8])

  private let decoder = SystemImageDecoder()

  /// The header contains `size`, and scaling while decoding gives the same picture as afterwards.
  func decodes(_ bytes: [UInt8], to size: PixelSize, _ name: String) throws {
    guard case .header(let header) = decoder.header(of: bytes) else {
      Issue.record("\(name): no header")
      return
    }
    #expect(header.size == size, "\(name)")
    let box = PixelSize(width: 320, height: 320)
    let pixels = try decoder.decode(bytes, fitting: box, limits: ImageLimits())
    #expect(pixels.size == size.fitted(in: box), "\(name)")
    #expect(Set(pixels.bytes).count > 1 || size.width == 1, "\(name)")
    let small = PixelSize(width: 40, height: 40)
    let scaled = try decoder.decode(bytes, fitting: small, limits: ImageLimits())
    #expect(scaled.size == size.fitted(in: small), "\(name)")
    let reference = Self.overBlack(pixels.scaled(to: scaled.size))
    let shown = Self.overBlack(scaled)
    let difference = zip(reference, shown).reduce(0) { $0 + abs($1.0 - $1.1) }
    #expect(difference / reference.count <= 5, "\(name)")
  }

  /// The colours of a picture over black.
  private static func overBlack(_ picture: PixelBuffer) -> [Int] {
    stride(from: 0, to: picture.bytes.count, by: 4).flatMap { index in
      let alpha = Int(picture.bytes[index + 3])
      return (0..<3).map { Int(picture.bytes[index + $0]) * alpha / 255 }
    }
  }

  /// The header is read from a prefix, and more bytes do not change it.
  func headerNeedsOnlyAPrefix(_ bytes: [UInt8], _ name: String) {
    let whole = decoder.header(of: bytes)
    #expect(whole != .needsMore && whole != .unknownFormat, "\(name)")
    var isSettled = false
    for count in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 500)) {
      let result = decoder.header(of: Array(bytes.prefix(count)))
      if result != .needsMore { isSettled = true }
      #expect(result == (isSettled ? whole : .needsMore), "\(name) at \(count)")
    }
    #expect(decoder.header(of: Array(bytes.prefix(20_000))) == whole, "\(name)")
  }

  /// Number of mutations of each codec's pictures.
  private static let mutations = Rounds.times(150)

  /// Damaged pictures of that format are shown or refused, and never larger than allowed.
  func damageIsAnErrorOrAPicture(_ format: ImageFormat, of pictures: [Picture]) throws {
    // Small, so that a header with a false size costs little.
    let limits = ImageLimits(maximumPixels: 2_000_000)
    let originals = pictures.filter {
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
    guard Rounds.areMany else { return }
    print(
      "\(format.rawValue): \(Self.mutations) mutations of \(originals.count) pictures, "
        + "\(decoded) shown, \(count) refused in \(refused.count) ways, seed \(seed)")
  }
}
