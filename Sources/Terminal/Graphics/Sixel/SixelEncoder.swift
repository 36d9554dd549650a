/// Writes pixels of a palette as sixels: columns six pixels high, drawn one colour after another.
///
/// 1. The picture says its size in pixels (raster attributes) and that pixels are square; what is not
///    drawn keeps what stood there.
/// 2. Only the colours that occur are defined, in percent, under their numbers in the palette.
/// 3. The last band may be lower than six pixels: the bits below are never set.
struct SixelEncoder {
  private let colors: [RGB]
  private let width: Int
  /// For each colour its bits in each column of the band at hand; all zero between bands.
  private var bits: [UInt8]
  private var isUsed: [Bool]

  /// - Parameter width: pixels at most to be encoded side by side.
  init(colors: [RGB], width: Int) {
    self.colors = colors
    self.width = width
    bits = Array(repeating: 0, count: colors.count * width)
    isUsed = Array(repeating: false, count: colors.count)
  }

  /// The sixels of a rectangle of `indices`, whose rows are `stride` long.
  ///
  /// - Precondition: the rectangle lies inside, and is no wider than the encoder.
  /// - Complexity: O(pixels + bands · colours in them · width).
  mutating func encode(
    _ indices: UnsafeBufferPointer<UInt8>, stride: Int, x: Range<Int>, y: Range<Int>
  ) -> [UInt8] {
    precondition(x.count <= width, "wider than the encoder")
    var output = Array("\u{1B}P7;1;0q\"1;1;\(x.count);\(y.count)".utf8)
    appendColors(of: indices, stride: stride, x: x, y: y, to: &output)
    for top in Swift.stride(from: y.lowerBound, to: y.upperBound, by: 6) {
      if top > y.lowerBound { output.append(UInt8(ascii: "-")) }
      let bottom = min(top + 6, y.upperBound)
      var used: [Int] = []
      for line in top..<bottom {
        let bit = UInt8(1) << UInt8(line - top)
        let start = line * stride
        for column in x {
          let color = Int(indices[start + column])
          guard color < colors.count else { continue }
          if !isUsed[color] {
            isUsed[color] = true
            used.append(color)
          }
          bits[color * width + column - x.lowerBound] |= bit
        }
      }
      for (order, color) in used.enumerated() {
        if order > 0 { output.append(UInt8(ascii: "$")) }
        output.append(UInt8(ascii: "#"))
        Self.append(color, to: &output)
        appendRuns(of: color, count: x.count, to: &output)
        isUsed[color] = false
      }
    }
    output += [0x1B, 0x5C]
    return output
  }

  private mutating func appendColors(
    of indices: UnsafeBufferPointer<UInt8>, stride: Int, x: Range<Int>, y: Range<Int>,
    to output: inout [UInt8]
  ) {
    for line in y {
      for column in x {
        let color = Int(indices[line * stride + column])
        if color < colors.count { isUsed[color] = true }
      }
    }
    for color in colors.indices where isUsed[color] {
      isUsed[color] = false
      let rgb = colors[color]
      output.append(UInt8(ascii: "#"))
      Self.append(color, to: &output)
      output += [UInt8(ascii: ";"), UInt8(ascii: "2")]
      for part in [rgb.red, rgb.green, rgb.blue] {
        output.append(UInt8(ascii: ";"))
        Self.append((Int(part) * 100 + 127) / 255, to: &output)
      }
    }
  }

  /// One colour's columns, runs shortened and blanks at the end left out; clears its bits.
  private mutating func appendRuns(of color: Int, count: Int, to output: inout [UInt8]) {
    bits.withUnsafeMutableBufferPointer { bits in
      let start = color * width
      var end = start + count
      while end > start, bits[end - 1] == 0 { end -= 1 }
      var at = start
      while at < end {
        let value = bits[at]
        var next = at + 1
        while next < end, bits[next] == value { next += 1 }
        let character = value + 63
        if next - at > 3 {
          output.append(UInt8(ascii: "!"))
          Self.append(next - at, to: &output)
          output.append(character)
        } else {
          for _ in at..<next { output.append(character) }
        }
        at = next
      }
      for index in start..<end { bits[index] = 0 }
    }
  }

  private static func append(_ number: Int, to output: inout [UInt8]) {
    if number >= 10 { append(number / 10, to: &output) }
    output.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
