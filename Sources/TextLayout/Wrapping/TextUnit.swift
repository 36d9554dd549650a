/// The unit that lines are filled with: a character, or one of its glyphs if the character alone is
/// wider than the line.
struct TextUnit {
  enum Kind: UInt8 {
    case visible, space
    /// Takes no columns.
    case empty
    /// Takes no columns, unless the line is broken after it: then it is a hyphen.
    case softHyphen
  }

  /// UTF-8 offset of its first byte in the paragraph.
  var start: Int32
  var width: Int16
  var kind: Kind

  /// The units of `range`, a stretch of `string` without line breaks, with an empty one at its end.
  /// None is wider than `available`: a glyph that is counts as the one column of □.
  static func units(
    of string: String, bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>, available: Int
  ) -> [TextUnit] {
    var units: [TextUnit] = []
    units.reserveCapacity(range.count / 2 + 1)
    ClusterScan.forEach(
      in: string[...], bytes: bytes, range: range,
      simple: { _, entry, range in
        units.append(
          TextUnit(
            start: Int32(range.lowerBound), width: Int16(min(entry.columns, available)),
            kind: entry.isHangingSpace ? .space : .visible))
      },
      complex: { character, range in
        append(character, at: range.lowerBound, available: available, to: &units)
      })
    units.append(TextUnit(start: Int32(range.upperBound), width: 0, kind: .empty))
    return units
  }

  private static func append(
    _ character: Character, at offset: Int, available: Int, to units: inout [TextUnit]
  ) {
    let scalars = character.unicodeScalars
    let first = units.count
    var width = 0
    TextMetrics.forEachGlyph(ofCluster: scalars, whole: false) { glyph, _ in width += glyph.width }
    if width <= available {
      var kind: Kind = width == 0 ? .empty : .visible
      if let value = scalars.first?.value, scalars.count == 1 {
        if ScalarClass.isHangingSpace(value) { kind = .space }
        if value == ScalarClass.softHyphen { kind = .softHyphen }
      }
      units.append(TextUnit(start: Int32(offset), width: Int16(width), kind: kind))
      return
    }
    var lengths: [Int] = [0]
    for scalar in scalars { lengths.append((lengths.last ?? 0) + UTF8.width(scalar)) }
    TextMetrics.forEachGlyph(ofCluster: scalars, whole: false) { glyph, index in
      // Code points before the first glyph show nothing and belong to it.
      let start = units.count == first ? offset : offset + lengths[index]
      let width = glyph.width <= available ? glyph.width : 1
      units.append(TextUnit(start: Int32(start), width: Int16(width), kind: .visible))
    }
  }
}
