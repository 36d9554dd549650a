import System

/// Pairs of colours, and the links that go with them, as the terminal is told them.
///
/// ncurses sets a foreground and a background by evaluating two terminfo programs, each time a cell
/// differs from its neighbour, which for a screen of pictures takes longer than all else. So it is
/// given an entry that sets a pair by its number (``TerminfoEntry/settingPairsByNumber()``), and
/// the numbers are replaced here, in what it has written, by sequences that were made when the
/// pairs were. Those that the next sequence undoes are left out: ncurses goes back to the
/// terminal's own colours before it ends a style, which does so, too.
///
/// ncurses knows no links. So a pair stands for a link as well, and:
/// 1. A pair's mark sets the link that is wanted, the end of a style (`SGR 0`) wants none.
/// 2. A link is opened and closed only before the next character, so that moving the cursor,
///    clearing and scrolling send nothing.
/// 3. What is handed on ends with no link open; what is wanted is kept, as ncurses keeps its style.
struct PairSequences {
  /// Before and after a pair's number. No character of a text is a control, and no terminal has
  /// this one in its sequences.
  static let mark: UInt8 = 0x1F

  /// All sequences, one after another.
  private var bytes: [UInt8] = []
  /// By pair, where in `bytes` its sequence stands; nowhere, 0 to 0, where the pair has none.
  private var places: [(start: Int, end: Int)] = []
  /// By pair, the link that its cells belong to; 0 for none.
  private var links: [UInt32] = []
  private var openings = LinkSequences()
  /// The link that the next character belongs to.
  private var wanted: UInt32 = 0

  /// Knows pair 0, the terminal's own colours.
  init() { set(0, foreground: -1, background: -1) }

  /// Says which colours a pair is, until ``removeAll()``: in the number space of ``Color``,
  /// negative ones for the default.
  ///
  /// - Parameter link: one that ``addLink(_:)`` has taken; 0 for none.
  mutating func set(_ pair: Int, foreground: Int32, background: Int32, link: UInt32 = 0) {
    while places.count <= pair {
      places.append((0, 0))
      links.append(0)
    }
    guard places[pair].end == 0 else { return }
    let start = bytes.count
    bytes += "\u{1B}[".utf8
    Self.append(foreground, base: 30, to: &bytes)
    bytes += ";".utf8
    Self.append(background, base: 40, to: &bytes)
    bytes += "m".utf8
    places[pair] = (start, bytes.count)
    links[pair] = link
  }

  /// Makes a link known.
  ///
  /// - Returns: false where the terminal is not to be told of it.
  mutating func addLink(_ number: UInt32) -> Bool { openings.add(number) }

  /// Bytes that links take.
  var linkBytes: Int { openings.byteCount }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
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

  /// `output` with sequences for the numbers of pairs and for links.
  ///
  /// - Complexity: O(n) in the bytes of the result.
  mutating func expand(_ output: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(output.count * 2)
    // The link that is open.
    var open: UInt32 = 0
    output.withUnsafeBufferPointer { output in
      var position = 0
      while position < output.count {
        // Without links only a mark can change anything, and that is found faster than it is read.
        if wanted == 0 && open == 0 {
          let next = Self.mark(in: output, from: position) ?? output.count
          result.append(contentsOf: UnsafeBufferPointer(rebasing: output[position..<next]))
          position = next
          guard position < output.count else { break }
        }
        let start = position
        switch output[start] {
        case Self.mark:
          position = takeMark(in: output, at: start, into: &result)
        case 0x1B:
          position = Self.endOfSequence(in: output, at: start)
          if Self.endsStyle(output, at: start) { wanted = 0 }
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

  /// Takes the number of a pair, or a mark that is none, and returns the place behind it.
  private mutating func takeMark(
    in output: UnsafeBufferPointer<UInt8>, at start: Int, into result: inout [UInt8]
  ) -> Int {
    guard let (pair, end) = Self.number(in: output, from: start + 1), let place = place(of: pair)
    else {
      result.append(Self.mark)
      return start + 1
    }
    wanted = links[pair]
    if !Self.endsStyle(output, at: end) { result += bytes[place] }
    return end
  }

  /// The place behind a control sequence, or another that begins with ESC; ncurses sends no
  /// strings.
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

  /// Whether `ESC [ m` or `ESC [ 0 … m` stands there, after which colours are the terminal's own
  /// again.
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

  private func place(of pair: Int) -> Range<Int>? {
    guard places.indices.contains(pair), places[pair].end > 0 else { return nil }
    return places[pair].start..<places[pair].end
  }

  private static func mark(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(mark), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: found)
  }

  /// A number that ends with a mark, and the place behind that.
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
