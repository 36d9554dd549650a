/// The eight by eight samples of a picture that one cell shows, as sums over the areas into which
/// blocks divide it.
///
/// A sum is one word of four lanes of 16 bits, which hold red, blue, green and alpha from the
/// lowest bits up: 64 samples of 255 fit into a lane. Two samples are added at a time, and one pass
/// over the cell computes the sums of both rows and columns.
struct CellSamples {
  /// Samples on a side.
  static let side = 8

  /// The sums of the upper 1 to 8 rows, in this order.
  private(set) var rows: Lines = (0, 0, 0, 0, 0, 0, 0, 0)
  /// The sums of the left 1 to 8 columns, in this order.
  private(set) var columns: Lines = (0, 0, 0, 0, 0, 0, 0, 0)
  /// The sums of the upper left and the lower left quarter.
  private(set) var upperLeft: UInt64 = 0
  private(set) var lowerLeft: UInt64 = 0

  typealias Lines = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// The sum of all samples.
  var all: UInt64 { rows.7 }

  /// Whether every sample is opaque.
  var isOpaque: Bool { all >> 48 == 64 * 255 }

  /// Reads the cell whose first sample is at `start`; rows of samples are `stride` bytes apart.
  init(_ start: UnsafeRawPointer, stride: Int) {
    let mask: UInt64 = 0x00FF_00FF_00FF_00FF
    // Red and blue, and green and alpha, each of two columns.
    var (rb0, rb1, rb2, rb3): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var (ga0, ga1, ga2, ga3): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var left: UInt64 = 0
    var right: UInt64 = 0
    func add(_ row: Int) -> UInt64 {
      let line = start + row * stride
      let a = line.loadUnaligned(as: UInt64.self)
      let b = line.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      let c = line.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
      let d = line.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
      let (a0, a1) = (a & mask, a >> 8 & mask)
      let (b0, b1) = (b & mask, b >> 8 & mask)
      let (c0, c1) = (c & mask, c >> 8 & mask)
      let (d0, d1) = (d & mask, d >> 8 & mask)
      (rb0, rb1, rb2, rb3) = (rb0 &+ a0, rb1 &+ b0, rb2 &+ c0, rb3 &+ d0)
      (ga0, ga1, ga2, ga3) = (ga0 &+ a1, ga1 &+ b1, ga2 &+ c1, ga3 &+ d1)
      left = left &+ Self.folded(a0 &+ b0, a1 &+ b1)
      right = right &+ Self.folded(c0 &+ d0, c1 &+ d1)
      return left &+ right
    }
    rows.0 = add(0)
    rows.1 = add(1)
    rows.2 = add(2)
    rows.3 = add(3)
    upperLeft = left
    rows.4 = add(4)
    rows.5 = add(5)
    rows.6 = add(6)
    rows.7 = add(7)
    lowerLeft = left &- upperLeft
    columns.0 = Self.even(rb0, ga0)
    columns.1 = columns.0 &+ Self.odd(rb0, ga0)
    columns.2 = columns.1 &+ Self.even(rb1, ga1)
    columns.3 = columns.2 &+ Self.odd(rb1, ga1)
    columns.4 = columns.3 &+ Self.even(rb2, ga2)
    columns.5 = columns.4 &+ Self.odd(rb2, ga2)
    columns.6 = columns.5 &+ Self.even(rb3, ga3)
    columns.7 = columns.6 &+ Self.odd(rb3, ga3)
  }

  /// The sum of both columns of a pair.
  private static func folded(_ redBlue: UInt64, _ greenAlpha: UInt64) -> UInt64 {
    even(redBlue, greenAlpha) &+ odd(redBlue, greenAlpha)
  }

  private static func even(_ redBlue: UInt64, _ greenAlpha: UInt64) -> UInt64 {
    redBlue & 0xFFFF_FFFF | greenAlpha << 32
  }

  private static func odd(_ redBlue: UInt64, _ greenAlpha: UInt64) -> UInt64 {
    redBlue >> 32 | greenAlpha & 0xFFFF_FFFF_0000_0000
  }

  /// The mean of `count` samples whose sum is `sum`: red, green, blue.
  static func mean(_ sum: UInt64, count: Int) -> SIMD4<Int32> {
    let half = count / 2
    return SIMD4(
      Int32(truncatingIfNeeded: (Int(sum & 0xFFFF) &+ half) / count),
      Int32(truncatingIfNeeded: (Int(sum >> 32 & 0xFFFF) &+ half) / count),
      Int32(truncatingIfNeeded: (Int(sum >> 16 & 0xFFFF) &+ half) / count), 0)
  }
}
