/// Converts labels of host names to ASCII (RFC 3492), the form in which they are sent. In this form
/// lookalike letters cannot deceive the reader.
enum Punycode {
  private static let base = 36
  private static let tMin = 1
  private static let tMax = 26

  /// The label as `xn--…` if it has non-ASCII characters, else unchanged; `nil` if a delta to
  /// encode would be too large.
  ///
  /// - Complexity: O(n²) in its code points.
  static func label(_ label: String) -> String? {
    let scalars = label.unicodeScalars.map(\.value)
    guard scalars.contains(where: { $0 >= 0x80 }) else { return label }
    var output = scalars.filter { $0 < 0x80 }
    let basicCount = output.count
    if basicCount > 0 { output.append(0x2D) }
    var (n, delta, bias, handled) = (UInt32(0x80), 0, 72, basicCount)
    while handled < scalars.count {
      guard let next = scalars.filter({ $0 >= n }).min() else { return nil }
      let (step, isOver) = Int(next - n).multipliedReportingOverflow(by: handled + 1)
      guard !isOver, step < 1 << 40 else { return nil }
      delta += step
      n = next
      for scalar in scalars {
        if scalar < n { delta += 1 }
        guard scalar == n else { continue }
        append(delta, bias: bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    return "xn--" + String(String.UnicodeScalarView(output.compactMap(Unicode.Scalar.init)))
  }

  private static func append(_ delta: Int, bias: Int, to output: inout [UInt32]) {
    var rest = delta
    var k = base
    while true {
      let threshold = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      k += base
    }
    output.append(digit(rest))
  }

  private static func digit(_ value: Int) -> UInt32 {
    UInt32(value < 26 ? 0x61 + value : 0x30 + value - 26)
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var k = 0
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * delta / (delta + 38)
  }
}
