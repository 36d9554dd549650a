/// The palette of one picture: at most 255 colours, found by dividing the set of its colours again
/// and again (median cut: Heckbert, 1982), and the nearest entry for each colour.
///
/// Colours are distinguished by five bits a channel; each entry is the mean of the colours it
/// stands for, so that pictures of few colours keep theirs.
struct SixelPalette {
  /// The index of a pixel that is not drawn.
  static let transparent: UInt8 = 255

  private(set) var colors: [RGB] = []
  /// The nearest entry for each of the 32,768 colours of five bits a channel that the picture has.
  private var nearest: [UInt8]

  /// One of the 32,768 colours, with the pixels that have it.
  private struct Bin {
    /// Red, green and blue, of five bits each.
    var parts: SIMD4<UInt8>
    /// The sums of the lower three bits of each channel, and the number of pixels: no overflow
    /// below 2²⁹ of them.
    var sum: SIMD4<UInt32>

    var count: Int { Int(sum.w) }
    var whole: SIMD4<Int> {
      SIMD4<Int>(truncatingIfNeeded: sum) &+ SIMD4(truncatingIfNeeded: parts) &* (8 &* count)
    }
  }

  /// The sum of the colours of pixels.
  private struct Sum {
    var whole = SIMD4<Int>()
    var count = 0

    mutating func add(_ bin: Bin) {
      whole &+= bin.whole
      count &+= bin.count
    }

    var mean: SIMD4<Int> { (whole &+ count / 2) / count }
  }

  private struct Box {
    var range: Range<Int>
    var axis = 0
    /// The benefit of a cut: pixels times the square of the longest side.
    var score = 0
  }

  /// - Parameter pixels: RGBA; those with an alpha of 0 do not count.
  /// - Complexity: O(pixels + bins · entries).
  init(_ pixels: UnsafeBufferPointer<UInt8>, limit: Int = 255) {
    nearest = Array(repeating: 0, count: 1 << 15)
    var bins = Self.bins(of: pixels)
    guard !bins.isEmpty else { return }
    let boxes = bins.withUnsafeMutableBufferPointer { bins in
      Self.boxes(of: bins, limit: min(limit, 255))
    }
    let means = boxes.map { box in
      var sum = Sum()
      for index in box.range { sum.add(bins[index]) }
      return sum.mean
    }
    colors = assign(bins, to: means).map {
      RGB(
        UInt8(truncatingIfNeeded: $0.x), UInt8(truncatingIfNeeded: $0.y),
        UInt8(truncatingIfNeeded: $0.z))
    }
  }

  /// The entry nearest to a colour that the picture has.
  func index(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    nearest[Self.key(red, green, blue)]
  }

  private static func key(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
  }

  private static func bins(of pixels: UnsafeBufferPointer<UInt8>) -> [Bin] {
    // The number of a colour's bin, from 1; 0 for none. Most of the colours do not occur.
    var places = [UInt16](repeating: 0, count: 1 << 15)
    var bins: [Bin] = []
    bins.reserveCapacity(1 << 12)
    var index = 0
    while index + 3 < pixels.count {
      defer { index += 4 }
      guard pixels[index + 3] != 0 else { continue }
      let (red, green, blue) = (pixels[index], pixels[index + 1], pixels[index + 2])
      let key = key(red, green, blue)
      var place = Int(places[key])
      if place == 0 {
        bins.append(Bin(parts: SIMD4(red >> 3, green >> 3, blue >> 3, 0), sum: SIMD4()))
        place = bins.count
        places[key] = UInt16(place)
      }
      bins[place - 1].sum &+= SIMD4<UInt32>(
        truncatingIfNeeded: SIMD4(red & 7, green & 7, blue & 7, 1))
    }
    return bins
  }

  private static func boxes(of bins: UnsafeMutableBufferPointer<Bin>, limit: Int) -> [Box] {
    var boxes = [box(0..<bins.count, of: bins)]
    while boxes.count < limit {
      var best = 0
      for index in boxes.indices where boxes[index].score > boxes[best].score { best = index }
      let box = boxes[best]
      guard box.score > 0 else { break }
      let cut = cut(box, of: bins)
      boxes[best] = Self.box(box.range.lowerBound..<cut, of: bins)
      boxes.append(Self.box(cut..<box.range.upperBound, of: bins))
    }
    return boxes
  }

  private static func box(_ range: Range<Int>, of bins: UnsafeMutableBufferPointer<Bin>) -> Box {
    var box = Box(range: range)
    guard range.count > 1 else { return box }
    var low = SIMD4<UInt8>(repeating: 31)
    var high = SIMD4<UInt8>()
    var count = 0
    for index in range {
      let bin = bins[index]
      low = pointwiseMin(low, bin.parts)
      high = pointwiseMax(high, bin.parts)
      count += bin.count
    }
    let sides = high &- low
    box.axis = sides.y >= sides.x && sides.y >= sides.z ? 1 : sides.x >= sides.z ? 0 : 2
    let side = Int(sides[box.axis])
    box.score = count * side * side
    return box
  }

  /// Moves the bins with the lower half of the box's pixels, along its longest side, to its front,
  /// and returns the end of these bins.
  private static func cut(_ box: Box, of bins: UnsafeMutableBufferPointer<Bin>) -> Int {
    let axis = box.axis
    var counts = [Int](repeating: 0, count: 32)
    var (all, last) = (0, 0)
    for index in box.range {
      let part = Int(bins[index].parts[axis])
      counts[part] += bins[index].count
      all += bins[index].count
      last = max(last, part)
    }
    var (border, count) = (0, counts[0])
    while border < last - 1, count < all / 2 || count == 0 {
      border += 1
      count += counts[border]
    }
    var (low, high) = (box.range.lowerBound, box.range.upperBound)
    while low < high {
      if Int(bins[low].parts[axis]) <= border {
        low += 1
      } else {
        high -= 1
        bins.swapAt(low, high)
      }
    }
    return low
  }

  /// Assigns each colour to the nearest mean, which may be that of another box.
  ///
  /// - Returns: the means of the colours assigned to each entry.
  private mutating func assign(_ bins: [Bin], to means: [SIMD4<Int>]) -> [SIMD4<Int>] {
    typealias Lanes = SIMD8<Float>
    // The nearest mean has the least half square minus its product with the colour: exact in
    // floats.
    var groups = [(red: Lanes, green: Lanes, blue: Lanes, square: Lanes)](
      repeating: (Lanes(), Lanes(), Lanes(), Lanes(repeating: .infinity)),
      count: (means.count + 7) / 8)
    for (index, mean) in means.enumerated() {
      let (red, green, blue) = (Float(mean.x), Float(mean.y), Float(mean.z))
      let (group, lane) = (index / 8, index % 8)
      groups[group].red[lane] = red
      groups[group].green[lane] = green
      groups[group].blue[lane] = blue
      groups[group].square[lane] = (red * red + green * green + blue * blue) / 2
    }
    var sums = [Sum](repeating: Sum(), count: means.count)
    for bin in bins {
      let mean = (bin.whole &+ bin.count / 2) / bin.count
      let (red, green, blue) = (Float(mean.x), Float(mean.y), Float(mean.z))
      var smallest = Lanes(repeating: .infinity)
      var places = SIMD8<Int32>()
      for (place, group) in groups.enumerated() {
        let value = group.square - group.red * red - group.green * green - group.blue * blue
        let isLess = value .< smallest
        smallest.replace(with: value, where: isLess)
        places.replace(with: Int32(truncatingIfNeeded: place), where: isLess)
      }
      var lane = 0
      for other in 1..<8 where smallest[other] < smallest[lane] { lane = other }
      let best = Int(places[lane]) * 8 + lane
      sums[best].add(bin)
      let parts = bin.parts
      nearest[Self.key(parts.x << 3, parts.y << 3, parts.z << 3)] = UInt8(
        truncatingIfNeeded: best)
    }
    return means.indices.map { sums[$0].count > 0 ? sums[$0].mean : means[$0] }
  }
}
