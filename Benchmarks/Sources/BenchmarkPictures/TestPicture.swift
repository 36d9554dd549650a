import FoundationEssentials
import Glibc
import ImageDecoding
import ImageLoading
import Pixels

/// A picture to be drawn, by its name.
package struct TestPicture {
  package let name: String
  package let pixels: PixelBuffer

  /// Six of those that come with the program: sky, waves, night, fog, thin lines, a photograph's
  /// grain.
  private static let bundled = [
    "harbour-dusk.jpeg", "storm-waves.jpeg", "lighthouse-night.jpeg", "bridge-fog.jpeg",
    "depth-chart.png", "whale-tail.jpeg",
  ]

  private static let own = "Resources/Content/pictures/"

  /// The bundled ones, and where `folder` is given, those in it of 200 pixels a side and more.
  package static func all(folder: String?) -> (bundled: [TestPicture], found: [TestPicture]) {
    let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
    let found = names.sorted().compactMap { TestPicture(folder.map { $0 + "/" } ?? "", $0) }
    return (bundled.compactMap { TestPicture(own, $0) }, found)
  }

  /// The files of the bundled ones, from the project's folder.
  package static var bundledFiles: [String] { bundled.map { own + $0 } }

  /// Photographs of those that all measure with, by name; the same one in another codec is left
  /// out.
  private static let photographs = ["baseline.jpeg", "baseline.webp", "grayscale.jpeg"]

  /// Three photographs, as far as `folder` has them, and three drawn ones.
  package static func named(photographs folder: String) -> [TestPicture] {
    photographs.compactMap { TestPicture(folder + "/", $0) }
      + DrawnPicture.allCases.map { TestPicture(name: $0.rawValue, pixels: $0.pixels) }
  }

  private init(name: String, pixels: PixelBuffer) {
    self.name = name
    self.pixels = pixels
  }

  private init?(_ folder: String, _ name: String) {
    guard let data = FileManager.default.contents(atPath: folder + name) else { return nil }
    let target = PixelSize(width: 1_600, height: 1_600)
    guard
      let pixels = try? SystemImageDecoder().decode(
        [UInt8](data), fitting: target, limits: ImageLimits()),
      pixels.size.width >= 200, pixels.size.height >= 180,
      pixels.isOpaque
    else { return nil }
    self.name = name
    self.pixels = pixels
  }
}
