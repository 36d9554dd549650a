/// An exact number, as far as its parts fit in 128 bits; what does not throws.
struct Fraction: Equatable {
  struct Overflow: Error {}

  static let zero = Fraction(whole: 0)
  private var numerator: Int128
  private var denominator: Int128

  private init(whole: Int128) {
    numerator = whole
    denominator = 1
  }

  /// Numbers of which a few bits stand behind the point.
  init(_ value: Double) throws {
    let scaled = value * 1024
    guard scaled == scaled.rounded(), abs(scaled) < 1e15 else { throw Overflow() }
    try self.init(Int128(scaled), 1024)
  }

  private init(_ numerator: Int128, _ denominator: Int128) throws {
    guard numerator != .min, denominator != .min, denominator != 0 else { throw Overflow() }
    var (a, b) = (abs(numerator), abs(denominator))
    while b != 0 { (a, b) = (b, a % b) }
    let sign: Int128 = denominator < 0 ? -1 : 1
    self.numerator = numerator / a * sign
    self.denominator = denominator / a * sign
  }

  var double: Double { Double(numerator) / Double(denominator) }
  var isZero: Bool { numerator == 0 }
  var isNegative: Bool { numerator < 0 }

  static prefix func - (value: Fraction) -> Fraction {
    var negated = value
    negated.numerator = -value.numerator
    return negated
  }

  static func + (left: Fraction, right: Fraction) throws -> Fraction {
    let sum = try added(
      multiplied(left.numerator, right.denominator),
      multiplied(right.numerator, left.denominator))
    return try Fraction(sum, multiplied(left.denominator, right.denominator))
  }

  static func * (left: Fraction, right: Fraction) throws -> Fraction {
    try Fraction(
      multiplied(left.numerator, right.numerator),
      multiplied(left.denominator, right.denominator))
  }

  static func / (left: Fraction, right: Fraction) throws -> Fraction {
    try Fraction(
      multiplied(left.numerator, right.denominator),
      multiplied(left.denominator, right.numerator))
  }

  static func isLess(_ left: Fraction, _ right: Fraction) throws -> Bool {
    try (left + -right).isNegative
  }

  private static func multiplied(_ left: Int128, _ right: Int128) throws -> Int128 {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    if overflow { throw Overflow() }
    return product
  }

  private static func added(_ left: Int128, _ right: Int128) throws -> Int128 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    if overflow { throw Overflow() }
    return sum
  }
}
