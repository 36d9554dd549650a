/// Ranges of code points that the layout treats alike. Tests check the ranges of `isIgnorable` and
/// `isSimple` against the standard library's own tables.
enum ScalarClass {
  /// Default-ignorable code points (UAX #44), which show nothing by themselves.
  static func isIgnorable(_ value: UInt32) -> Bool {
    if value < 0x34F { return value == 0xAD }
    switch value {
    case 0x034F, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F,
      0x202A...0x202E, 0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0,
      0xFFF0...0xFFF8, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
      return true
    default:
      return false
    }
  }

  /// Code points of which any two in a row are two grapheme clusters (UAX #29), so that text made
  /// of them needs no segmentation. Only common ones are listed.
  static func isSimple(_ value: UInt32) -> Bool {
    if value < 0x300 { return value >= 0xA0 ? value != 0xAD : value >= 0x20 && value < 0x7F }
    switch value {
    case 0x0370..<0x0483, 0x048A..<0x0591, 0x05D0...0x05EA, 0x0621...0x064A, 0x1E00..<0x2000,
      0x2010...0x2027, 0x2030...0x205E, 0x2070..<0x20D0, 0x2100..<0x2C00, 0x3000...0x3029,
      0x3041...0x3096, 0x30A0...0x30FF,
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF60,
      0x1F300..<0x1F3FB, 0x1F400..<0x1F650, 0x1F680..<0x1F700, 0x1F900..<0x1FA00:
      return true
    default:
      return false
    }
  }

  /// Spaces after which a line may be broken and which then hang over its end: all but the
  /// non-breaking ones (U+00A0, U+2007, U+202F).
  static func isHangingSpace(_ value: UInt32) -> Bool {
    switch value {
    case 0x20, 0x3000, 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F: return true
    default: return false
    }
  }

  static func isSkinTone(_ value: UInt32) -> Bool { value >= 0x1F3FB && value <= 0x1F3FF }

  static let zeroWidthNonJoiner: UInt32 = 0x200C
  static let zeroWidthJoiner: UInt32 = 0x200D
  static let enclosingKeycap: UInt32 = 0x20E3
  static let softHyphen: UInt32 = 0xAD
  /// Shown in place of a character that cannot be shown: □.
  static let substitute: UInt32 = 0x25A1
  /// The base of a combining mark that has none: ◌.
  static let dottedCircle: UInt32 = 0x25CC
}
