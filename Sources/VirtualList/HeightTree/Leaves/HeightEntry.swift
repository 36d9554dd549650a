/// One row of a packed leaf in sixteen bits.
///
/// Bit 15 says measured (at the leaf's width). The low fifteen bits are a height in lines up to
/// 32,750; 32,751 says that the height is in the leaf's overflow list; 32,752 + k, only unmeasured,
/// says that nothing is known of the row but its kind k.
struct HeightEntry: Hashable, Sendable {
  static let measuredBit: UInt16 = 0x8000
  static let overflowCode: UInt16 = 0x7FEF
  static let kindCode: UInt16 = 0x7FF0

  let bits: UInt16

  init(bits: UInt16) { self.bits = bits }

  /// A row of which only the kind is known.
  init(kind: Int) { bits = Self.kindCode + UInt16(kind) }

  /// A row of `height` lines; the height itself where it needs the overflow list.
  init(height: Int, isMeasured: Bool) {
    let low = UInt16(min(height, Int(Self.overflowCode)))
    bits = isMeasured ? low | Self.measuredBit : low
  }

  var isMeasured: Bool { bits & Self.measuredBit != 0 }
  var low: UInt16 { bits & ~Self.measuredBit }
  var isOverflow: Bool { low == Self.overflowCode }
  /// The kind of a row of which nothing else is known, else nil.
  var kind: Int? { bits >= Self.kindCode && !isMeasured ? Int(bits - Self.kindCode) : nil }
}
