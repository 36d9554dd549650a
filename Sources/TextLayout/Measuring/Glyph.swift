/// The content of one cell of the screen, or of a pair of cells: a code point that takes columns
/// and the zero-width ones drawn over it.
///
/// `width` is always the width that ncurses counts for the first code point. Therefore a flag,
/// which is two letters of one column each, is two glyphs, and so is a Hindi conjunct.
public struct Glyph: Hashable, Sendable {
  /// Code points in order, up to the first zero.
  public private(set) var scalars: (UInt32, UInt32, UInt32, UInt32, UInt32)
  /// Columns: 1 or 2.
  public private(set) var width: Int

  init(_ scalar: UInt32, width: Int) {
    self.scalars = (scalar, 0, 0, 0, 0)
    self.width = width
  }

  /// A box in place of a character that cannot be shown: □.
  public static let substitute = Glyph(ScalarClass.substitute, width: 1)

  /// Adds a zero-width code point; false if the glyph has five code points already.
  mutating func append(_ scalar: UInt32) -> Bool {
    if scalars.1 == 0 {
      scalars.1 = scalar
    } else if scalars.2 == 0 {
      scalars.2 = scalar
    } else if scalars.3 == 0 {
      scalars.3 = scalar
    } else if scalars.4 == 0 {
      scalars.4 = scalar
    } else {
      return false
    }
    return true
  }

  public static func == (a: Glyph, b: Glyph) -> Bool {
    a.scalars == b.scalars && a.width == b.width
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(scalars.0)
    hasher.combine(scalars.1)
    hasher.combine(scalars.2)
  }

  /// The code points as a string.
  public var string: String {
    var view = String.UnicodeScalarView()
    for value in [scalars.0, scalars.1, scalars.2, scalars.3, scalars.4] {
      guard value != 0, let scalar = Unicode.Scalar(value) else { break }
      view.append(scalar)
    }
    return String(view)
  }
}
