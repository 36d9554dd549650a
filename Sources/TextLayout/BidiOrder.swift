import CFriBidi

/// The visual order of the characters of one line, by UAX #9, for terminals that show cells in the
/// order they are sent.
///
/// 1. The line's direction is that of the first strong character of its paragraph (P2, P3).
/// 2. FriBidi resolves the rest on the line alone: the sanitizer removes embeddings and isolates,
///    which could extend over several lines.
/// 3. The first scalar of a character determines its place; combining marks stay with it.
package struct BidiOrder {
  /// Indices of the characters in visual order, from left to right.
  private(set) var visual: [Int]
  private var levels: [FriBidiLevel]

  /// Whether a text may contain right-to-left characters; false only if it has none.
  static func mayReorder(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.contains { $0.value >= 0x590 && CFriBidi_can_reorder($0.value) != 0 }
  }

  /// Whether a paragraph reads from right to left.
  static func isRightToLeft(_ paragraph: some StringProtocol) -> Bool {
    for scalar in paragraph.unicodeScalars {
      let direction = CFriBidi_direction(scalar.value)
      if direction != 0 { return direction > 0 }
    }
    return false
  }

  /// Orders a line's characters; leaves them in logical order if memory runs out.
  ///
  /// - Complexity: O(n)
  init(_ characters: [Character], isRightToLeft: Bool) {
    visual = Array(characters.indices)
    levels = Array(repeating: 0, count: characters.count)
    let scalars = characters.map { $0.unicodeScalars.first?.value ?? 0 }
    guard let count = FriBidiStrIndex(exactly: scalars.count) else { return }
    var types = [FriBidiCharType](
      repeating: FriBidiCharType(rawValue: 0), count: scalars.count)
    var brackets = [FriBidiBracketType](repeating: 0, count: scalars.count)
    fribidi_get_bidi_types(scalars, count, &types)
    fribidi_get_bracket_types(scalars, count, types, &brackets)
    var direction = FriBidiParType(
      rawValue: isRightToLeft ? FRIBIDI_PAR_RTL.rawValue : FRIBIDI_PAR_LTR.rawValue)
    guard
      fribidi_get_par_embedding_levels_ex(types, brackets, count, &direction, &levels) != 0
    else { return }
    var order = [FriBidiStrIndex](0..<count)
    guard fribidi_reorder_line(0, types, count, 0, direction, &levels, nil, &order) != 0 else {
      return
    }
    visual = order.map(Int.init)
  }

  /// The number of right-to-left letters minus the number of left-to-right ones.
  package static func balance(_ characters: some Sequence<Character>) -> Int {
    characters.reduce(0) { sum, character in
      sum + character.unicodeScalars.reduce(0) { $0 + Int(CFriBidi_direction($1.value)) }
    }
  }

  /// The logical order of a line's characters that are given in visual order, by reversing the runs
  /// again. Exact without digits and brackets. These may end up on the wrong side of right-to-left
  /// letters, because texts that differ in that look the same.
  ///
  /// - Complexity: O(n)
  package static func logicalOrder(ofVisual characters: [Character], isRightToLeft: Bool) -> [Int] {
    guard isRightToLeft || characters.contains(where: { mayReorder(String($0)) }) else {
      return Array(characters.indices)
    }
    return BidiOrder(characters, isRightToLeft: isRightToLeft).visual
  }

  /// The character to draw for the one at `index`: mirrored if it is read from right to left.
  func drawn(_ character: Character, at index: Int) -> Character {
    let scalars = character.unicodeScalars
    var mirror: FriBidiChar = 0
    guard levels[index] % 2 == 1, scalars.count == 1, let scalar = scalars.first,
      fribidi_get_mirror_char(scalar.value, &mirror) != 0, let other = Unicode.Scalar(mirror)
    else { return character }
    return Character(other)
  }
}
