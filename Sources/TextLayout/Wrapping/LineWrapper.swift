import System

/// Breaks text without `"\n"` into lines of at most `available` columns.
///
/// 1. Greedy: each line takes as much as fits up to a break of UAX #14; spaces before the break
///    hang over the end and are not shown.
/// 2. A line without any break that fits (a long address) is broken after the last unit that fits.
/// 3. A soft hyphen is a break that needs one column more, for the hyphen.
/// 4. A character of two columns never straddles the end: it begins the next line.
/// 5. Preformatted text follows only rules 2 and 4, and keeps all but trailing spaces.
struct LineWrapper {
  /// One line: the bytes shown, their columns, and whether a hyphen follows.
  struct Span {
    var range: Range<Int>
    var width: Int
    var endsInHyphen = false
    /// Whether a mark shows that the line goes on.
    var goesOn = false
  }

  let string: String
  let bytes: UnsafeBufferPointer<UInt8>
  /// At least 1.
  let available: Int
  let isPreformatted: Bool

  /// Calls `emit` with the lines of `range` in order until it returns false; at least once.
  ///
  /// - Returns: false if `emit` has returned false.
  func wrap(_ range: Range<Int>, _ emit: (Span) -> Bool) -> Bool {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    let range = range.lowerBound..<end
    if bytes[range].allSatisfy({ $0 < 0x80 }) {
      return wrapASCII(range, emit)
    }
    return wrapUnits(range, emit)
  }

  /// The longest beginning of `range` that takes at most `limit` columns, without trailing spaces:
  /// the part before an ellipsis.
  func fill(_ range: Range<Int>, limit: Int) -> Span {
    var end = range.lowerBound
    var width = 0
    var visible = Span(range: end..<end, width: 0)
    let units = TextUnit.units(of: string, bytes: bytes, range: range, available: available)
    for (index, unit) in units.enumerated().dropLast() {
      width += Int(unit.width)
      if width > limit { break }
      end = Int(units[index + 1].start)
      if unit.kind != .space, unit.width > 0 || end == range.upperBound {
        visible = Span(range: range.lowerBound..<end, width: width)
      }
    }
    return visible
  }

  // MARK: Any text

  /// A place at which the current line could end.
  private struct Opportunity {
    /// Index of the unit the next line would begin with.
    var next: Int
    var span: Span
  }

  private func wrapUnits(_ range: Range<Int>, _ emit: (Span) -> Bool) -> Bool {
    let units = TextUnit.units(of: string, bytes: bytes, range: range, available: available)
    // Text that fits on one line, like most labels, needs no breaks.
    let fits = units.reduce(0) { $0 + Int($1.width) } <= available
    let breaks =
      isPreformatted || fits ? nil : LineBreaks(UnsafeBufferPointer(rebasing: bytes[range]))
    let count = units.count - 1
    var first = 0
    var index = 0
    var column = 0
    var visible = Span(range: range.lowerBound..<range.lowerBound, width: 0)
    var opportunity: Opportunity?

    func begin(_ unit: Int) {
      first = unit
      index = unit
      column = 0
      let start = Int(units[unit].start)
      visible = Span(range: start..<start, width: 0)
      opportunity = nil
    }

    while index < count {
      let unit = units[index]
      let start = Int(unit.start)
      if let breaks, index > first, breaks[start - range.lowerBound] {
        var span = visible
        span.endsInHyphen = units[index - 1].kind == .softHyphen
        if span.endsInHyphen { span.width += 1 }
        if span.width <= available { opportunity = Opportunity(next: index, span: span) }
      }
      let hangs = !isPreformatted && (unit.kind == .space || unit.width == 0)
      if !hangs, column + Int(unit.width) > available {
        if let chosen = opportunity {
          guard emit(chosen.span) else { return false }
          begin(chosen.next)
        } else {
          guard emit(visible) else { return false }
          begin(index)
        }
        continue
      }
      column += Int(unit.width)
      index += 1
      // A unit without columns belongs to the text before it, unless hanging spaces separate them.
      if !hangs || (unit.kind != .space && visible.range.upperBound == start) {
        visible = Span(
          range: visible.range.lowerBound..<Int(units[index].start), width: column)
      }
    }
    return emit(visible)
  }

  // MARK: ASCII

  /// Wraps ASCII, one column per byte: calls libunistring only if `plainBreak` does not decide.
  private func wrapASCII(_ range: Range<Int>, _ emit: (Span) -> Bool) -> Bool {
    var start = range.lowerBound
    var breaks: LineBreaks?
    while range.upperBound - start > available {
      let limit = start + available
      var next = limit
      if !isPreformatted {
        if let plain = plainBreak(start, limit) {
          next = plain
        } else {
          let known = breaks ?? LineBreaks(UnsafeBufferPointer(rebasing: bytes[range]))
          breaks = known
          next = lastBreak(known, range.lowerBound, start, limit)
        }
      }
      var end = next
      if !isPreformatted {
        while end > start, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
      }
      guard emit(Span(range: start..<end, width: end - start)) else { return false }
      start = next
    }
    return emit(Span(range: start..<range.upperBound, width: range.upperBound - start))
  }

  /// The offset of the first byte at or after `offset` that is not a space; the text does not end
  /// in a space.
  private func skipSpaces(_ offset: Int) -> Int {
    var offset = offset
    while bytes[offset] == UInt8(ascii: " ") { offset += 1 }
    return offset
  }

  private func lastBreak(_ breaks: LineBreaks, _ base: Int, _ start: Int, _ limit: Int) -> Int {
    let overflowing = skipSpaces(limit)
    var offset = overflowing
    while offset > start {
      if breaks[offset - base] { return offset }
      offset -= 1
    }
    return overflowing
  }

  /// The break of UAX #14 if the bytes alone decide it, else `nil`: before a word of letters,
  /// digits and the characters that stick to them (AL, NU, IS, QU), after a space that follows no
  /// opening bracket.
  private func plainBreak(_ start: Int, _ limit: Int) -> Int? {
    var word = skipSpaces(limit)
    if word == limit {
      guard Self.isGlue(bytes[limit]) else { return nil }
      while word > start, bytes[word - 1] != UInt8(ascii: " ") {
        word -= 1
        guard Self.isGlue(bytes[word]) else { return nil }
      }
      if word == start { return limit }
    }
    guard bytes[word].isAlphanumeric else { return nil }
    var before = word - 1
    while before > start, bytes[before] == UInt8(ascii: " ") { before -= 1 }
    switch bytes[before] {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return nil
    // UAX #14 decides whether the text may be broken after leading spaces.
    case UInt8(ascii: " "): return nil
    default: return word
    }
  }

  private static func isGlue(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
      || byte == UInt8(ascii: "'")
  }
}
