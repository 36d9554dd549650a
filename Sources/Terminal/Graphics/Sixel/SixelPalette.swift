import Pixels

/// The colours of one picture: at most 255, taken by cutting the picture's colours in two again and
/// again (median cut: Heckbert, 1982), and which of them comes nearest to each colour.
///
/// Colours are told apart by five bits a part; each entry is the mean of what it stands for, so that
/// pictures of few colours keep theirs.
struct SixelPalette {
  /// Stands for a pixel that is not drawn.
  static let transparent: UInt8 = 255

  private(set) var colors: [RGB] = []
  /// The entry for each of the 32,768 colours of five bits a part.
  private var nearest: [UInt8]

  /// One of the 32,768 colours, as far as the picture has it.
  private struct Bin {
    var key: Int
    var count: Int
    var sum: SIMD3<Int>

    func part(_ axis: Int) -> Int { key >> (10 - 5 * axis) & 31 }
    var mean: SIMD3<Int> { (sum &+ count / 2) / count }
  }

  private struct Box {
    var range: Range<Int>
    var axis = 0
    /// How much a cut helps: pixels times the square of the longest side.
    var score = 0
  }

  /// - Parameter pixels: RGBA; those with an alpha of 0 do not count.
  /// - Complexity: O(pixels + bins · entries).
  init(_ pixels: UnsafeBufferPointer<UInt8>, limit: Int = 255) {
    nearest = Array(repeating: 0, count: 1 << 15)
    var bins = Self.bins(of: pixels)
    var boxes = [Self.box(0..<bins.count, of: bins)]
    while boxes.count < min(limit, 255) {
      guard let best = boxes.indices.max(by: { boxes[$0].score < boxes[$1].score }),
        boxes[best].score > 0
      else { break }
      let box = boxes[best]
      let cut = Self.cut(box, of: &bins)
      boxes[best] = Self.box(box.range.lowerBound..<cut, of: bins)
      boxes.append(Self.box(cut..<box.range.upperBound, of: bins))
    }
    guard !bins.isEmpty else { return }
    let means = boxes.map { box in
      let whole = bins[box.range].reduce((sum: SIMD3<Int>(), count: 0)) {
        ($0.sum &+ $1.sum, $0.count + $1.count)
      }
      return (whole.sum &+ whole.count / 2) / whole.count
    }
    colors = means.map { RGB(UInt8($0.x), UInt8($0.y), UInt8($0.z)) }
    assign(bins, to: means)
  }

  /// The entry nearest to a colour that the picture has.
  @inline(__always)
  func index(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    nearest[Self.key(red, green, blue)]
  }

  @inline(__always)
  private static func key(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
  }

  private static func bins(of pixels: UnsafeBufferPointer<UInt8>) -> [Bin] {
    var counts = [Int](repeating: 0, count: 1 << 15)
    var sums = [SIMD3<Int>](repeating: SIMD3(), count: 1 << 15)
    var index = 0
    while index + 3 < pixels.count {
      if pixels[index + 3] != 0 {
        let (red, green, blue) = (pixels[index], pixels[index + 1], pixels[index + 2])
        let key = key(red, green, blue)
        counts[key] += 1
        sums[key] &+= SIMD3(Int(red), Int(green), Int(blue))
      }
      index += 4
    }
    return counts.indices.compactMap {
      counts[$0] > 0 ? Bin(key: $0, count: counts[$0], sum: sums[$0]) : nil
    }
  }

  private static func box(_ range: Range<Int>, of bins: [Bin]) -> Box {
    var box = Box(range: range)
    guard range.count > 1 else { return box }
    var low = SIMD3(repeating: 31)
    var high = SIMD3(repeating: 0)
    var count = 0
    for bin in bins[range] {
      let parts = SIMD3(bin.part(0), bin.part(1), bin.part(2))
      low = pointwiseMin(low, parts)
      high = pointwiseMax(high, parts)
      count += bin.count
    }
    let sides = high &- low
    box.axis = sides.y >= sides.x && sides.y >= sides.z ? 1 : sides.x >= sides.z ? 0 : 2
    box.score = count * sides[box.axis] * sides[box.axis]
    return box
  }

  /// Sorts the bins of a box along its longest side and returns where the half of its pixels ends.
  private static func cut(_ box: Box, of bins: inout [Bin]) -> Int {
    let axis = box.axis
    bins[box.range].sort { ($0.part(axis), $0.key) < ($1.part(axis), $1.key) }
    let half = bins[box.range].reduce(0) { $0 + $1.count } / 2
    var count = 0
    for index in box.range.dropLast() {
      count += bins[index].count
      if count >= half { return index + 1 }
    }
    return box.range.upperBound - 1
  }

  /// A colour may lie nearer to the mean of a box beside its own.
  private mutating func assign(_ bins: [Bin], to means: [SIMD3<Int>]) {
    let entries = means.map { SIMD4<Int32>(Int32($0.x), Int32($0.y), Int32($0.z), 0) }
    for bin in bins {
      let mean = bin.mean
      let color = SIMD4<Int32>(Int32(mean.x), Int32(mean.y), Int32(mean.z), 0)
      var best = 0
      var smallest = Int32.max
      for (index, entry) in entries.enumerated() {
        let difference = color &- entry
        let distance = (difference &* difference).wrappedSum()
        if distance < smallest { (best, smallest) = (index, distance) }
      }
      nearest[bin.key] = UInt8(best)
    }
  }
}
