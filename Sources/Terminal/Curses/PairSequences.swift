import System

/// The sequences that set pairs of colours, and the links that go with them.
///
/// ncurses sets a foreground and a background by evaluating two terminfo programs each time a cell
/// differs from its neighbour, which takes longer than everything else on a screen of pictures. So
/// it is given an entry that sets a pair by its number (``TerminfoEntry/settingPairsByNumber()``),
/// and in its output the numbers are replaced here with sequences that were made together with the
/// pairs. A sequence that the next one undoes is left out: before ncurses ends a style, which
/// restores the terminal's own colours, it restores them separately. Of the others only the colour
/// that changes is sent, joined to a change of style just before it. Where a style only adds to the
/// one before, only the addition is sent. A third of the bytes of a scrolled line were styles that
/// the terminal had already.
///
/// ncurses knows no links. So a pair stands for a link as well, and:
/// 1. A pair's mark sets the wanted link; the end of a style (`SGR 0`) clears it.
/// 2. A link is opened or closed only before the next character, so that moving the cursor,
///    clearing and scrolling send nothing.
/// 3. The output ends with no link open. The wanted link is kept for the next output, as ncurses
///    keeps its style.
struct PairSequences {
  /// Stands before and after a pair's number. Text contains no control characters, and no terminal
  /// has this one in its sequences.
  static let mark: UInt8 = 0x1F

  /// All sequences, one after another.
  private var bytes: [UInt8] = []
  /// By pair, its foreground and background; `nil` if the pair has none.
  private var colors: [Colors?] = []
  /// By pair, the ranges of their parameters in `bytes`, which follow one another.
  private var places: [(start: Int, middle: Int, end: Int)] = []
  /// By pair, the link of its cells; 0 for none.
  private var links: [UInt32] = []
  private var openings = LinkSequences()
  /// The link that the next character belongs to.
  private var wanted: UInt32 = 0

  private struct Colors: Hashable {
    var foreground: Int32
    var background: Int32

    /// The terminal's own.
    static var standard: Colors { Colors(foreground: -1, background: -1) }
  }

  /// Defines pair 0, the terminal's own colours.
  init() { set(0, foreground: -1, background: -1) }

  /// Defines the colours of a pair, until ``removeAll()``, in the number space of ``Color``;
  /// negative numbers are the default. A pair that is defined already stays as it is.
  ///
  /// - Parameter link: one that ``addLink(_:)`` has accepted; 0 for none.
  mutating func set(_ pair: Int, foreground: Int32, background: Int32, link: UInt32 = 0) {
    while places.count <= pair {
      colors.append(nil)
      places.append((0, 0, 0))
      links.append(0)
    }
    guard colors[pair] == nil else { return }
    colors[pair] = Colors(foreground: foreground, background: background)
    let start = bytes.count
    Self.append(foreground, base: 30, to: &bytes)
    let middle = bytes.count
    Self.append(background, base: 40, to: &bytes)
    places[pair] = (start, middle, bytes.count)
    links[pair] = link
  }

  /// Adds a link.
  ///
  /// - Returns: false if the terminal must not receive it.
  mutating func addLink(_ number: UInt32) -> Bool { openings.add(number) }

  /// The bytes of all links' sequences.
  var linkBytes: Int { openings.byteCount }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    colors.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    links.removeAll(keepingCapacity: true)
    openings.removeAll()
    wanted = 0
    set(0, foreground: -1, background: -1)
  }

  private static func append(_ color: Int32, base: Int32, to bytes: inout [UInt8]) {
    let text =
      switch color {
      case ..<0: "\(base + 9)"
      case ..<8: "\(base + color)"
      case ..<16: "\(base + 60 + color - 8)"
      case ..<256: "\(base + 8);5;\(color)"
      default: "\(base + 8);2;\(color >> 16 & 0xFF);\(color >> 8 & 0xFF);\(color & 0xFF)"
      }
    bytes += text.utf8
  }

  /// Replaces the numbers of pairs in `output` with their sequences, and adds those of links.
  ///
  /// - Parameter isPlain: whether the terminal is in plain style before the output; otherwise its
  ///   style is unknown, because others write between two outputs.
  /// - Complexity: O(n) in the bytes of the result.
  mutating func expand(_ output: [UInt8], isPlain: Bool = false) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(output.count * 2)
    // The open link.
    var open: UInt32 = 0
    var style = SentStyle()
    if isPlain { (style.attributes, style.colors) = (0, .standard) }
    output.withUnsafeBufferPointer { output in
      var position = 0
      while position < output.count {
        // Without links only a mark matters, and searching for it is faster than reading each byte.
        if wanted == 0 && open == 0 {
          let next =
            UnsafeRawBufferPointer(output).index(of: Self.mark, from: position) ?? output.count
          let passed = UnsafeBufferPointer(rebasing: output[position..<next])
          style.note(passed, at: result.count)
          result.append(contentsOf: passed)
          position = next
          guard position < output.count else { break }
        }
        let start = position
        switch output[start] {
        case Self.mark:
          position = takeMark(in: output, at: start, after: &style, into: &result)
        case 0x1B:
          position = Self.endOfSequence(in: output, at: start)
          if Self.endsStyle(output, at: start) { wanted = 0 }
          style.note(
            UnsafeBufferPointer(rebasing: output[start..<position]), at: result.count)
          result.append(contentsOf: UnsafeBufferPointer(rebasing: output[start..<position]))
        case 0x20...:
          if open != wanted {
            result += openings.sequence(for: wanted)
            open = wanted
          }
          position = output[start...].firstIndex { $0 < 0x20 } ?? output.count
          result.append(contentsOf: UnsafeBufferPointer(rebasing: output[start..<position]))
        default:
          result.append(output[start])
          position += 1
        }
      }
    }
    if open != 0 { result += LinkSequences.closing }
    return result
  }

  /// Handles a pair's number in its marks, or a mark without one, and returns the position after
  /// it.
  ///
  /// - Parameter style: the terminal's style.
  private mutating func takeMark(
    in output: UnsafeBufferPointer<UInt8>, at start: Int, after style: inout SentStyle,
    into result: inout [UInt8]
  ) -> Int {
    guard let (pair, end) = Self.number(in: output, from: start + 1),
      colors.indices.contains(pair), let next = colors[pair]
    else {
      result.append(Self.mark)
      return start + 1
    }
    wanted = links[pair]
    guard !Self.endsStyle(output, at: end) else { return end }
    let place = places[pair]
    let before = style.takeBack(from: &result, for: next)
    let added = before.map { (style.attributes ?? 0) & ~$0.attributes } ?? 0
    let current = before?.colors ?? style.colors
    style.colors = next
    guard next != current || added != 0 else { return end }
    if before == nil { Self.beginStyle(in: &result) } else { result += "\u{1B}[".utf8 }
    for attribute in 1...9 as ClosedRange<UInt8> where added & 1 << attribute != 0 {
      result += [0x30 + attribute, UInt8(ascii: ";")]
    }
    if next.foreground != current?.foreground {
      result += bytes[place.start..<place.middle]
      result.append(UInt8(ascii: ";"))
    }
    if next.background != current?.background {
      result += bytes[place.middle..<place.end]
      result.append(UInt8(ascii: ";"))
    }
    result[result.count - 1] = UInt8(ascii: "m")
    return end
  }

  /// The style of the terminal after the output so far, as far as it is known.
  private struct SentStyle {
    /// A bit for each attribute that is on, by its number; `nil` if they are unknown.
    var attributes: UInt16?
    var colors: Colors?
    /// The last sequence that ended a style: its place in the result, and the style before it.
    private var reset: (place: Range<Int>, attributes: UInt16?, colors: Colors?)?

    /// Notes the styles in a part of the output.
    ///
    /// - Parameter place: of the part in the result.
    /// - Complexity: O(n) in the bytes.
    mutating func note(_ part: UnsafeBufferPointer<UInt8>, at place: Int) {
      var position = 0
      while let start = UnsafeRawBufferPointer(part).index(of: 0x1B, from: position) {
        position = PairSequences.endOfSequence(in: part, at: start)
        guard position - start > 2, part[start + 1] == UInt8(ascii: "["),
          part[position - 1] == UInt8(ascii: "m")
        else { continue }
        noteStyle(
          part[(start + 2)..<(position - 1)], endsStyle: PairSequences.endsStyle(part, at: start),
          place: place + start..<place + position)
      }
    }

    private mutating func noteStyle(
      _ parameters: Slice<UnsafeBufferPointer<UInt8>>, endsStyle: Bool, place: Range<Int>
    ) {
      if endsStyle {
        reset = (place, attributes, colors)
        (attributes, colors) = (0, .standard)
      }
      var start = parameters.startIndex
      while start < parameters.endIndex {
        let end = parameters[start...].firstIndex(of: UInt8(ascii: ";")) ?? parameters.endIndex
        if end > start { noteParameter(parameters[start], isAlone: end == start + 1) }
        start = end + 1
      }
    }

    /// - Parameter isAlone: whether the parameter has no other digit.
    private mutating func noteParameter(_ digit: UInt8, isAlone: Bool) {
      guard isAlone, (0x30...0x39).contains(digit) else {
        attributes = nil
        return
      }
      if digit != 0x30 { attributes = attributes.map { $0 | 1 << UInt16(digit - 0x30) } }
    }

    /// Removes the sequence that ended the style before, if nothing has followed it and the style
    /// with colours `next` only adds to that one.
    ///
    /// - Returns: the style that the terminal then still has; `nil` if nothing was removed.
    mutating func takeBack(
      from result: inout [UInt8], for next: Colors
    ) -> (attributes: UInt16, colors: Colors)? {
      defer { reset = nil }
      guard let reset, reset.place.upperBound == result.count, let old = reset.attributes,
        let attributes, let colors = reset.colors, old & ~attributes == 0,
        colors.foreground == next.foreground || colors.foreground < 0,
        colors.background == next.background || colors.background < 0
      else { return nil }
      result.removeLast(reset.place.count)
      return (old, colors)
    }
  }

  /// Begins a sequence of parameters of a style at the end of `result`; goes on with the one that
  /// ends there, unless that has more than six: some terminals read sixteen of one sequence, and
  /// colours are ten.
  private static func beginStyle(in result: inout [UInt8]) {
    var index = result.count - 1
    if index > 1, result[index] == UInt8(ascii: "m") {
      var parameters = 1
      index -= 1
      while index > 0, (0x30...0x3B).contains(result[index]), parameters <= 6 {
        if result[index] == UInt8(ascii: ";") { parameters += 1 }
        index -= 1
      }
      if parameters <= 6, index > 0, result[index] == UInt8(ascii: "["), result[index - 1] == 0x1B {
        // An empty parameter is 0.
        if index == result.count - 2 {
          result[result.count - 1] = UInt8(ascii: "0")
        } else {
          result.removeLast()
        }
        result.append(UInt8(ascii: ";"))
        return
      }
    }
    result += "\u{1B}[".utf8
  }

  /// The position after a control sequence or another sequence that begins with ESC. ncurses sends
  /// no strings.
  private static func endOfSequence(
    in bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> Int {
    var index = start + 1
    let isControlSequence = index < bytes.count && bytes[index] == UInt8(ascii: "[")
    if isControlSequence { index += 1 }
    let parameters: ClosedRange<UInt8> = isControlSequence ? 0x20...0x3F : 0x20...0x2F
    while index < bytes.count, parameters.contains(bytes[index]) { index += 1 }
    return min(index + 1, bytes.count)
  }

  /// Whether `ESC [ m` or `ESC [ 0 … m` is at `start`: both restore the terminal's own colours.
  private static func endsStyle(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    guard start + 2 < bytes.count, bytes[start] == 0x1B, bytes[start + 1] == UInt8(ascii: "[")
    else { return false }
    var index = start + 2
    if bytes[index] == UInt8(ascii: "m") { return true }
    guard bytes[index] == UInt8(ascii: "0"), index + 1 < bytes.count else { return false }
    index += 1
    guard [UInt8(ascii: "m"), UInt8(ascii: ";")].contains(bytes[index]) else { return false }
    while index < bytes.count, (0x30...0x3B).contains(bytes[index]) { index += 1 }
    return index < bytes.count && bytes[index] == UInt8(ascii: "m")
  }

  /// A number that ends with a mark, and the position after the mark.
  private static func number(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (Int, end: Int)? {
    var number = 0
    var index = start
    while index < bytes.count, index < start + 6, (0x30...0x39).contains(bytes[index]) {
      number = number * 10 + Int(bytes[index] & 0xF)
      index += 1
    }
    guard index > start, index < bytes.count, bytes[index] == mark else { return nil }
    return (number, index + 1)
  }
}
