/// A set of palette entries: one bit for each of 256.
struct SixelColorSet: Hashable, Sendable {
  private var words = SIMD4<UInt64>()

  mutating func insert(_ color: Int) { words[color >> 6 & 3] |= 1 << UInt64(color & 63) }

  func contains(_ color: Int) -> Bool { words[color >> 6 & 3] >> UInt64(color & 63) & 1 == 1 }

  mutating func formUnion(_ other: SixelColorSet) { words |= other.words }
}

/// Up to six lines of pixels as sixels, and the set of their colours.
struct SixelBand: Hashable, Sendable {
  let bytes: [UInt8]
  let colors: SixelColorSet
}

/// Encodes indexed pixels as sixels: columns six pixels high, drawn one colour after another.
///
/// 1. The raster attributes state the picture's size in pixels and that pixels are square; pixels
///    that are not drawn keep their previous content.
/// 2. Only the colours that occur are defined, in percent, under their numbers in the palette.
/// 3. The last band may be lower than six pixels: its lower bits are never set.
/// 4. Bands are encoded one by one, so that the visible part of a picture can be assembled from
///    bands that exist.
struct SixelEncoder {
  private let width: Int
  /// The bits of each colour in each column of the current band; all zero between bands.
  private var bits: [UInt8]
  /// The first and the last column of each colour in the current band.
  private var extents: [(first: Int, last: Int)]
  /// The colours of the current band, in order of their first occurrence.
  private var used: [Int] = []
  /// The buffer in which the current band's bytes are assembled.
  private var written: [UInt8] = []

  /// - Parameters:
  ///   - colorCount: the size of the palette; pixels of entries beyond it are not drawn.
  ///   - width: the most pixels of a band, side by side.
  init(colorCount: Int, width: Int) {
    self.width = width
    // Zeros are skipped eight at a time, which reads beyond the last column of the last colour.
    bits = Array(repeating: 0, count: colorCount * width + 8)
    extents = Array(repeating: (0, -1), count: colorCount)
  }

  /// Encodes a rectangle of `indices`, whose rows are `stride` long, of at most six lines.
  ///
  /// - Precondition: the rectangle lies inside `indices`, and is no wider than the encoder.
  /// - Complexity: O(pixels + for each colour the columns between its first and its last).
  mutating func band(
    _ indices: UnsafeBufferPointer<UInt8>, stride: Int, x: Range<Int>, y: Range<Int>
  ) -> SixelBand {
    precondition(x.count <= width && y.count <= 6, "larger than the encoder")
    var colors = SixelColorSet()
    used.removeAll(keepingCapacity: true)
    fill(indices, stride: stride, x: x, y: y)
    for color in used { colors.insert(color) }
    // A column of a colour takes a sixel and, after a gap, the length of the gap.
    let digits = String(x.count).utf8.count
    let capacity = used.count * 5 + x.count * y.count * (digits + 3)
    if written.count < capacity { written = Array(repeating: 0, count: capacity) }
    return SixelBand(bytes: Array(written[..<write()]), colors: colors)
  }

  /// Sets the bits of the band's colours, from left to right.
  private mutating func fill(
    _ indices: UnsafeBufferPointer<UInt8>, stride: Int, x: Range<Int>, y: Range<Int>
  ) {
    let width = width
    bits.withUnsafeMutableBufferPointer { bits in
      extents.withUnsafeMutableBufferPointer { extents in
        for place in 0..<x.count {
          var at = y.lowerBound * stride + x.lowerBound + place
          var bit: UInt8 = 1
          for _ in 0..<y.count {
            let color = Int(indices[at])
            if color < extents.count {
              if extents[color].last < 0 {
                used.append(color)
                extents[color].first = place
              }
              extents[color].last = place
              bits[color &* width &+ place] |= bit
            }
            at &+= stride
            bit <<= 1
          }
        }
      }
    }
  }

  /// Writes the band's colours and clears their bits.
  ///
  /// - Returns: the number of bytes.
  private mutating func write() -> Int {
    let width = width
    return written.withUnsafeMutableBufferPointer { written in
      bits.withUnsafeMutableBytes { bits in
        guard let start = written.baseAddress, let bits = bits.baseAddress else { return 0 }
        var at = start
        for (order, color) in used.enumerated() {
          if order > 0 { Self.append(UInt8(ascii: "$"), to: &at) }
          Self.append(UInt8(ascii: "#"), to: &at)
          Self.append(number: color, to: &at)
          let (first, last) = extents[color]
          extents[color] = (0, -1)
          Self.append(run: first, of: 63, to: &at)
          Self.append(runsOf: bits + color * width, first...last, to: &at)
        }
        return at - start
      }
    }
  }

  /// The sequence that draws `bands` below one another, `width` by `height` pixels in all.
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

  /// Appends a colour's columns from its first to its last, as run lengths, and clears its bits.
  private static func append(
    runsOf bits: UnsafeMutableRawPointer, _ columns: ClosedRange<Int>,
    to output: inout UnsafeMutablePointer<UInt8>
  ) {
    var column = columns.lowerBound
    while column <= columns.upperBound {
      let start = column
      let value = bits.load(fromByteOffset: column, as: UInt8.self)
      if value == 0 {
        // Ends at the last column at the latest, which has bits.
        var next = bits.loadUnaligned(fromByteOffset: column, as: UInt64.self)
        while next == 0 {
          column += 8
          next = bits.loadUnaligned(fromByteOffset: column, as: UInt64.self)
        }
        column += UInt64(littleEndian: next).trailingZeroBitCount / 8
      } else {
        repeat {
          bits.storeBytes(of: 0, toByteOffset: column, as: UInt8.self)
          column += 1
        } while column <= columns.upperBound
          && bits.load(fromByteOffset: column, as: UInt8.self) == value
      }
      append(run: column - start, of: value + 63, to: &output)
    }
  }

  private static func append(
    run: Int, of character: UInt8, to output: inout UnsafeMutablePointer<UInt8>
  ) {
    if run > 3 {
      append(UInt8(ascii: "!"), to: &output)
      append(number: run, to: &output)
      append(character, to: &output)
    } else {
      for _ in 0..<run { append(character, to: &output) }
    }
  }

  private static func append(number: Int, to output: inout UnsafeMutablePointer<UInt8>) {
    if number >= 10 { append(number: number / 10, to: &output) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10), to: &output)
  }

  private static func append(_ byte: UInt8, to output: inout UnsafeMutablePointer<UInt8>) {
    output.pointee = byte
    output += 1
  }

  private static func append(_ number: Int, to output: inout [UInt8]) {
    if number >= 10 { append(number / 10, to: &output) }
    output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}
