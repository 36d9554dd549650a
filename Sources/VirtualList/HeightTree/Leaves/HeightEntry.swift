/// One row of a packed leaf in sixteen bits.
///
/// Bit 15 is set if the row was measured at the leaf's width. The low fifteen bits are a height in
/// lines up to 32,750; 32,751 means that the height is in the leaf's overflow list; 32,752 + k,
/// only in unmeasured rows, means that only the row's kind k is known.
struct HeightEntry: Hashable, Sendable {
  static let measuredBit: UInt16 = 0x8000
  static let overflowCode: UInt16 = 0x7FEF
  static let kindCode: UInt16 = 0x7FF0

  let bits: UInt16

  init(bits: UInt16) { self.bits = bits }

  /// A row of which only the kind is known.
  init(kind: Int) { bits = Self.kindCode + UInt16(kind) }

  /// A row of `height` lines; a height too large for an entry is encoded as the overflow code.
  init(height: Int, isMeasured: Bool) {
    let low = UInt16(min(height, Int(Self.overflowCode)))
    bits = isMeasured ? low | Self.measuredBit : low
  }

  var isMeasured: Bool { bits & Self.measuredBit != 0 }
  var low: UInt16 { bits & ~Self.measuredBit }
  var isOverflow: Bool { low == Self.overflowCode }
  /// The kind of a row of which nothing else is known; `nil` for other rows.
  var kind: Int? { bits >= Self.kindCode && !isMeasured ? Int(bits - Self.kindCode) : nil }
}
