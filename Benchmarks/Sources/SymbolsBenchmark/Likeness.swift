import Glibc
import Pixels

/// How near one picture comes to another.
struct Likeness {
  /// Peak signal to noise, in decibels, over red, green and blue.
  var decibels: Double
  /// The mean structural similarity of their luminance (Wang, Bovik, Sheikh and Simoncelli, 2004),
  /// in windows of eight by eight pixels, four apart.
  var similarity: Double

  init(decibels: Double, similarity: Double) {
    (self.decibels, self.similarity) = (decibels, similarity)
  }

  /// - Precondition: both are of one size.
  init(of shown: PixelBuffer, to picture: PixelBuffer) {
    precondition(shown.size == picture.size, "pictures of different sizes")
    var squares = 0.0
    for at in stride(from: 0, to: picture.bytes.count, by: 4) {
      for part in at..<(at + 3) {
        let difference = Double(shown.bytes[part]) - Double(picture.bytes[part])
        squares += difference * difference
      }
    }
    let error = squares / Double(picture.size.width * picture.size.height * 3)
    decibels = 10 * log10(255 * 255 / max(error, 1e-9))
    similarity = Self.similarity(Self.luminance(shown), Self.luminance(picture), picture.size)
  }

  private static func luminance(_ picture: PixelBuffer) -> [Double] {
    stride(from: 0, to: picture.bytes.count, by: 4).map { at -> Double in
      let red = Double(picture.bytes[at]) * 0.299
      let green = Double(picture.bytes[at + 1]) * 0.587
      return red + green + Double(picture.bytes[at + 2]) * 0.114
    }
  }

  private static func similarity(_ a: [Double], _ b: [Double], _ size: PixelSize) -> Double {
    let (first, second) = (0.01 * 255 * 0.01 * 255, 0.03 * 255 * 0.03 * 255)
    var sum = 0.0
    var count = 0.0
    for top in stride(from: 0, through: size.height - 8, by: 4) {
      for left in stride(from: 0, through: size.width - 8, by: 4) {
        var (sa, sb, saa, sbb, sab) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for y in top..<(top + 8) {
          for x in left..<(left + 8) {
            let (p, q) = (a[y * size.width + x], b[y * size.width + x])
            (sa, sb, saa, sbb, sab) = (sa + p, sb + q, saa + p * p, sbb + q * q, sab + p * q)
          }
        }
        let (ma, mb) = (sa / 64, sb / 64)
        let (va, vb, cov) = (saa / 64 - ma * ma, sbb / 64 - mb * mb, sab / 64 - ma * mb)
        let likeness: Double = (2 * ma * mb + first) * (2 * cov + second)
        let scale: Double = (ma * ma + mb * mb + first) * (va + vb + second)
        sum += likeness / scale
        count += 1
      }
    }
    return sum / max(1, count)
  }
}
