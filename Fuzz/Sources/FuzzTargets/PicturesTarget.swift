import ImageLoading
import Pixels

@testable import ImageDecoding

extension FuzzTarget {
  /// Headers of pictures: what a beginning says stays so with more bytes.
  static let pictureHeaders = FuzzTarget(
    "headers", modules: ["ImageDecoding"], longestInput: 1_024, briefRuns: 20000,
    seeds: PictureSeeds.all
  ) { bytes in
    let decoder = SystemImageDecoder()
    let whole = decoder.header(of: bytes)
    let step = max(1, bytes.count / 48)
    for count in stride(from: 0, to: bytes.count, by: step) {
      let part = decoder.header(of: Array(bytes.prefix(count)))
      if part == .needsMore { continue }
      try require(part == whole, "\(count) bytes say \(part), all \(whole)")
    }
    guard case .header(let header) = whole else { return }
    try require(!header.size.isEmpty, "a size of \(header.size)")
    try require(header.size.area != nil, "a size of \(header.size)")
    _ = ImageLimits().allow(header.size)
    let fitted = header.size.fitted(in: PixelSize(width: 640, height: 640))
    try require(
      !fitted.isEmpty && fitted.width <= 640 && fitted.height <= 640, "fitted to \(fitted)")
  }

  /// Pictures decoded within limits. The first two bytes are the box to fit.
  static let decoders = FuzzTarget(
    "decoders", modules: ["ImageDecoding", "Pixels"], longestInput: 2_048, briefRuns: 10000,
    seeds: PictureSeeds.all.flatMap { [[8, 8] + $0, [200, 1] + $0] }
  ) { bytes in
    var input = InputBytes(bytes)
    let box = PixelSize(width: 1 + Int(input.byte()), height: 1 + Int(input.byte()))
    let picture = Array(input.rest)
    let decoder = SystemImageDecoder()
    let limits = ImageLimits(maximumPixels: 1 << 18, maximumSide: 4_096)
    do throws(ImageError) {
      let pixels = try decoder.decode(picture, fitting: box, limits: limits)
      guard case .header(let header) = decoder.header(of: picture) else {
        throw .corrupted(format: .png, reason: "no header")
      }
      let expected = header.size.fitted(in: box)
      precondition(pixels.size == expected, "\(pixels.size), not \(expected)")
      precondition(limits.allow(header.size), "\(header.size) is over the limits")
      precondition(pixels.bytes.count == expected.width * expected.height * 4)
    } catch {
      try require(!error.description.isEmpty, "an error without words")
      try require(!error.description.contains("\n"), "an error of several lines")
      if case .corrupted(_, "no header") = error { throw Finding(description: "no header") }
    }
  }
}
