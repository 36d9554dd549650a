import CUnistring

/// The order in which the characters of one line are seen, by UAX #9, for terminals that show cells
/// in the order they are sent.
///
/// 1. The line's base direction is that of the first strong character of its paragraph (P2, P3).
/// 2. Weak and neutral characters are resolved on the line alone (W2–W7, N1, N2, I1, I2). There are
///    no embeddings or isolates, as the sanitizer takes them out; bracket pairs (N0) are treated as
///    other neutrals, and marks (W1) belong to their cluster.
/// 3. Runs are reversed from the highest level down (L2), and brackets in them mirrored (L4).
enum BidiOrder {
  /// True for text that may hold right-to-left characters; false only where there are none.
  static func mayReorder(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.contains { scalar in
      guard scalar.value >= 0x590 else { return false }
      let kind = uc_bidi_class(scalar.value)
      return kind == Int32(UC_BIDI_R) || kind == Int32(UC_BIDI_AL) || kind == Int32(UC_BIDI_AN)
    }
  }

  /// 1 where the first strong character is right-to-left, else 0.
  static func baseLevel(_ text: some StringProtocol) -> Int {
    for scalar in text.unicodeScalars {
      switch uc_bidi_class(scalar.value) {
      case Int32(UC_BIDI_L): return 0
      case Int32(UC_BIDI_R), Int32(UC_BIDI_AL): return 1
      default: continue
      }
    }
    return 0
  }

  /// The character seen in place of `character` where it is read from right to left.
  static func mirrored(_ character: Character) -> Character {
    let scalars = character.unicodeScalars
    guard scalars.count == 1, let scalar = scalars.first else { return character }
    var mirror: UInt32 = 0
    guard uc_mirror_char(scalar.value, &mirror), let other = Unicode.Scalar(mirror) else {
      return character
    }
    return Character(other)
  }

  /// The embedding level of each character: even ones are read left to right, odd ones right to left.
  static func levels(of characters: [Character], baseLevel: Int) -> [Int] {
    var kinds = characters.map { kind(of: $0) }
    resolveWeak(&kinds, base: baseLevel == 0 ? .left : .right)
    resolveNeutral(&kinds, base: baseLevel == 0 ? .left : .right)
    var levels = kinds.map { kind in
      switch kind {
      case .left: baseLevel == 0 ? 0 : 2
      case .right: 1
      default: 2
      }
    }
    // L1: white space at the line's end stands at the base level.
    for index in characters.indices.reversed() {
      guard characters[index].isWhitespace else { break }
      levels[index] = baseLevel
    }
    return levels
  }

  /// The indices of the levels' characters from left to right (L2).
  static func visualOrder(_ levels: [Int]) -> [Int] {
    var order = Array(levels.indices)
    guard let highest = levels.max(), highest > 0 else { return order }
    for level in stride(from: highest, through: 1, by: -1) {
      var start = 0
      while start < order.count {
        guard levels[order[start]] >= level else {
          start += 1
          continue
        }
        var end = start
        while end < order.count, levels[order[end]] >= level { end += 1 }
        order[start..<end].reverse()
        start = end
      }
    }
    return order
  }

  // MARK: Rules of UAX #9

  private enum Kind {
    case left, right, arabicLetter
    case europeanNumber, europeanSeparator, europeanTerminator, arabicNumber, commonSeparator
    case neutral
  }

  private static func kind(of character: Character) -> Kind {
    guard let scalar = character.unicodeScalars.first else { return .neutral }
    switch uc_bidi_class(scalar.value) {
    case Int32(UC_BIDI_L): return .left
    case Int32(UC_BIDI_R): return .right
    case Int32(UC_BIDI_AL): return .arabicLetter
    case Int32(UC_BIDI_EN): return .europeanNumber
    case Int32(UC_BIDI_ES): return .europeanSeparator
    case Int32(UC_BIDI_ET): return .europeanTerminator
    case Int32(UC_BIDI_AN): return .arabicNumber
    case Int32(UC_BIDI_CS): return .commonSeparator
    default: return .neutral
    }
  }

  private static func resolveWeak(_ kinds: inout [Kind], base: Kind) {
    var strong = base
    for index in kinds.indices {
      switch kinds[index] {
      case .left, .right, .arabicLetter: strong = kinds[index]
      case .europeanNumber where strong == .arabicLetter: kinds[index] = .arabicNumber  // W2
      default: break
      }
    }
    for index in kinds.indices where kinds[index] == .arabicLetter { kinds[index] = .right }  // W3
    for index in kinds.indices.dropFirst().dropLast() {  // W4
      let before = kinds[index - 1]
      guard before == kinds[index + 1] else { continue }
      switch (kinds[index], before) {
      case (.europeanSeparator, .europeanNumber), (.commonSeparator, .europeanNumber),
        (.commonSeparator, .arabicNumber):
        kinds[index] = before
      default: break
      }
    }
    var start = 0
    while start < kinds.count {  // W5
      guard kinds[start] == .europeanTerminator else {
        start += 1
        continue
      }
      var end = start
      while end < kinds.count, kinds[end] == .europeanTerminator { end += 1 }
      let touchesNumber =
        (start > 0 && kinds[start - 1] == .europeanNumber)
        || (end < kinds.count && kinds[end] == .europeanNumber)
      if touchesNumber {
        for index in start..<end { kinds[index] = .europeanNumber }
      }
      start = end
    }
    strong = base
    for index in kinds.indices {
      switch kinds[index] {
      case .left, .right: strong = kinds[index]
      case .europeanSeparator, .europeanTerminator, .commonSeparator:
        kinds[index] = .neutral  // W6
      case .europeanNumber where strong == .left: kinds[index] = .left  // W7
      default: break
      }
    }
  }

  /// N1 and N2: neutrals take the direction of both sides where they agree, else the line's; numbers
  /// count as right-to-left here.
  private static func resolveNeutral(_ kinds: inout [Kind], base: Kind) {
    func direction(_ kind: Kind) -> Kind { kind == .left ? .left : .right }
    var start = 0
    while start < kinds.count {
      guard kinds[start] == .neutral else {
        start += 1
        continue
      }
      var end = start
      while end < kinds.count, kinds[end] == .neutral { end += 1 }
      let before = start > 0 ? direction(kinds[start - 1]) : base
      let after = end < kinds.count ? direction(kinds[end]) : base
      let resolved = before == after ? before : base
      for index in start..<end { kinds[index] = resolved }
      start = end
    }
  }
}
