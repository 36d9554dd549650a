/// Entries of a palette: one bit for each of 256.
struct SixelColorSet: Hashable, Sendable {
  private var words = SIMD4<UInt64>()

  mutating func insert(_ color: Int) { words[color >> 6 & 3] |= 1 << UInt64(color & 63) }

  func contains(_ color: Int) -> Bool { words[color >> 6 & 3] >> UInt64(color & 63) & 1 == 1 }

  mutating func formUnion(_ other: SixelColorSet) { words |= other.words }
}

/// Up to six lines of pixels as sixels, and the colours in them.
struct SixelBand: Hashable, Sendable {
  let bytes: [UInt8]
  let colors: SixelColorSet
}

/// Writes pixels of a palette as sixels: columns six pixels high, drawn one colour after another.
///
/// 1. The picture says its size in pixels (raster attributes) and that pixels are square; what is not
///    drawn keeps what stood there.
/// 2. Only the colours that occur are defined, in percent, under their numbers in the palette.
/// 3. The last band may be lower than six pixels: the bits below are never set.
/// 4. Bands are made one by one, so that what shows of a picture can be put together from those it has.
struct SixelEncoder {
  private let width: Int
  /// For each colour its bits in each column of the band at hand; all zero between bands.
  private var bits: [UInt8]
  /// For each colour the columns that it has in the band at hand; empty between bands.
  private var extents: [Range<Int>]

  /// - Parameters:
  ///   - colorCount: entries of the palette; those beyond are not drawn.
  ///   - width: pixels at most to be encoded side by side.
  init(colorCount: Int, width: Int) {
    self.width = width
    bits = Array(repeating: 0, count: colorCount * width)
    extents = Array(repeating: 0..<0, count: colorCount)
  }

  /// A rectangle of `indices`, whose rows are `stride` long, of six lines at most.
  ///
  /// - Precondition: the rectangle lies inside, and is no wider than the encoder.
  /// - Complexity: O(pixels + for each colour the columns between its first and its last).
  mutating func band(
    _ indices: UnsafeBufferPointer<UInt8>, stride: Int, x: Range<Int>, y: Range<Int>
  ) -> SixelBand {
    precondition(x.count <= width && y.count <= 6, "larger than the encoder")
    let width = width
    var colors = SixelColorSet()
    var output: [UInt8] = []
    bits.withUnsafeMutableBufferPointer { bits in
      extents.withUnsafeMutableBufferPointer { extents in
        var used: [Int] = []
        for (line, row) in y.enumerated() {
          let bit = UInt8(1) << UInt8(line)
          let start = row * stride
          for column in x {
            let color = Int(indices[start + column])
            guard color < extents.count else { continue }
            let place = column - x.lowerBound
            let extent = extents[color]
            if extent.isEmpty {
              used.append(color)
              colors.insert(color)
              extents[color] = place..<(place + 1)
            } else if place < extent.lowerBound {
              extents[color] = place..<extent.upperBound
            } else if place >= extent.upperBound {
              extents[color] = extent.lowerBound..<(place + 1)
            }
            bits[color * width + place] |= bit
          }
        }
        output.reserveCapacity(x.count * 4)
        for (order, color) in used.enumerated() {
          if order > 0 { output.append(UInt8(ascii: "$")) }
          output.append(UInt8(ascii: "#"))
          Self.append(color, to: &output)
          let columns = UnsafeMutableBufferPointer(
            rebasing: bits[(color * width)..<(color * width + extents[color].upperBound)])
          Self.append(runsOf: columns, from: extents[color].lowerBound, to: &output)
          extents[color] = 0..<0
        }
      }
    }
    return SixelBand(bytes: output, colors: colors)
  }

  /// The sequence that draws `bands` below one another, `width` and `height` pixels in all.
  ///
  /// - Complexity: O(bytes).
  static func sequence(
    _ bands: [SixelBand], palette: [RGB], width: Int, height: Int
  ) -> [UInt8] {
    var colors = SixelColorSet()
    var count = 64
    for band in bands {
      colors.formUnion(band.colors)
      count += band.bytes.count + 1
    }
    var output: [UInt8] = []
    output.reserveCapacity(count + palette.count * 20)
    output += "\u{1B}P7;1;0q\"1;1;\(width);\(height)".utf8
    for (color, rgb) in palette.enumerated() where colors.contains(color) {
      output.append(UInt8(ascii: "#"))
      append(color, to: &output)
      output += [UInt8(ascii: ";"), UInt8(ascii: "2")]
      for part in [rgb.red, rgb.green, rgb.blue] {
        output.append(UInt8(ascii: ";"))
        append((Int(part) * 100 + 127) / 255, to: &output)
      }
    }
    for (index, band) in bands.enumerated() {
      if index > 0 { output.append(UInt8(ascii: "-")) }
      output += band.bytes
    }
    output += [0x1B, 0x5C]
    return output
  }

  /// One colour's columns from the first on that has any, runs shortened; clears its bits.
  private static func append(
    runsOf bits: UnsafeMutableBufferPointer<UInt8>, from first: Int, to output: inout [UInt8]
  ) {
    append(run: first, of: 63, to: &output)
    var at = first
    while at < bits.count {
      let value = bits[at]
      var next = at + 1
      while next < bits.count, bits[next] == value { next += 1 }
      append(run: next - at, of: value + 63, to: &output)
      for index in at..<next { bits[index] = 0 }
      at = next
    }
  }

  private static func append(run: Int, of character: UInt8, to output: inout [UInt8]) {
    if run > 3 {
      output.append(UInt8(ascii: "!"))
      append(run, to: &output)
      output.append(character)
    } else {
      for _ in 0..<run { output.append(character) }
    }
  }

  private static func append(_ number: Int, to output: inout [UInt8]) {
    if number >= 10 { append(number / 10, to: &output) }
    output.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
