/// One target pixel's share of a source axis: the source pixels it covers, the first and the last
/// of them in part, those between wholly. Weights are in source pixels.
struct BoxSpan {
  var first: Int
  var count: Int
  var headWeight: Float
  var tailWeight: Float

  /// The spans of an axis of `source` pixels drawn onto `target` pixels.
  ///
  /// Exact in integers: target pixel i covers [i * source, (i + 1) * source) where a source pixel
  /// is `target` units long.
  static func spans(source: Int, target: Int) -> [BoxSpan] {
    (0..<target).map { index in
      let start = index * source
      let end = start + source
      let first = start / target
      let last = (end - 1) / target
      let head = min(end, (first + 1) * target) - start
      let tail = end - last * target
      return BoxSpan(
        first: first, count: last - first + 1, headWeight: Float(head) / Float(target),
        tailWeight: Float(tail) / Float(target))
    }
  }
}

/// The mean over each target pixel's area, colours weighted by their alpha so that what is
/// transparent lends no colour to its neighbours.
///
/// 1. A source row is reduced to the target's width once; a row that two target rows share is kept.
/// 2. Sums are premultiplied floats, four channels to a SIMD register; the error stays below half
///    a step of eight bits up to sides of 100,000 pixels.
struct BoxFilter {
  private let width: Int
  private let columns: [BoxSpan]
  private let rows: [BoxSpan]
  private let target: PixelSize
  private let inverseArea: Float

  init(from source: PixelSize, to target: PixelSize) {
    self.width = source.width
    self.target = target
    self.columns = BoxSpan.spans(source: source.width, target: target.width)
    self.rows = BoxSpan.spans(source: source.height, target: target.height)
    let across = Float(source.width) / Float(target.width)
    let down = Float(source.height) / Float(target.height)
    self.inverseArea = 1 / (across * down)
  }

  /// - Complexity: O(source pixels + target pixels); memory for two target rows.
  func run(_ source: UnsafeRawBufferPointer, into out: UnsafeMutableBufferPointer<UInt8>) {
    guard let base = source.baseAddress else { return }
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: target.width) { reduced in
      withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: target.width) { sums in
        reduced.initialize(repeating: .zero)
        var reducedRow = -1
        for y in 0..<target.height {
          sums.initialize(repeating: .zero)
          let span = rows[y]
          for step in 0..<span.count {
            let row = span.first + step
            if row != reducedRow {
              reduce(base + row * width * 4, into: reduced)
              reducedRow = row
            }
            let weight =
              step == 0 ? span.headWeight : step == span.count - 1 ? span.tailWeight : 1
            for x in 0..<target.width { sums[x] += reduced[x] * weight }
          }
          write(sums, to: out, at: y * target.width * 4)
        }
      }
    }
  }

  private func reduce(_ row: UnsafeRawPointer, into out: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    columns.withUnsafeBufferPointer { columns in
      for x in 0..<columns.count {
        let span = columns[x]
        var pointer = row + span.first * 4
        var sum = Self.premultiplied(pointer) * span.headWeight
        var left = span.count - 1
        while left > 1 {
          pointer += 4
          sum += Self.premultiplied(pointer)
          left -= 1
        }
        if left == 1 { sum += Self.premultiplied(pointer + 4) * span.tailWeight }
        out[x] = sum
      }
    }
  }

  @inline(__always)
  private static func premultiplied(_ pointer: UnsafeRawPointer) -> SIMD4<Float> {
    let pixel = SIMD4<Float>(pointer.loadUnaligned(as: SIMD4<UInt8>.self))
    var scaled = pixel * (pixel.w * (1 / 255))
    scaled.w = pixel.w
    return scaled
  }

  private func write(
    _ sums: UnsafeMutableBufferPointer<SIMD4<Float>>, to out: UnsafeMutableBufferPointer<UInt8>,
    at start: Int
  ) {
    for x in 0..<target.width {
      let mean = sums[x] * inverseArea
      let alpha = mean.w
      let factor: Float = alpha > 0 ? 255 / alpha : 0
      let index = start + x * 4
      out[index] = Self.byte(mean.x * factor)
      out[index + 1] = Self.byte(mean.y * factor)
      out[index + 2] = Self.byte(mean.z * factor)
      out[index + 3] = Self.byte(alpha)
    }
  }

  @inline(__always)
  private static func byte(_ value: Float) -> UInt8 {
    UInt8(max(0, min(255, value + 0.5)))
  }
}
