import System

/// Pairs of colours as the terminal is told them.
///
/// ncurses sets a foreground and a background by evaluating two terminfo programs, each time a cell differs
/// from its neighbour, which for a screen of pictures takes longer than all else. So it is given an entry
/// that sets a pair by its number (``TerminfoEntry/settingPairsByNumber()``), and the numbers are replaced
/// here, in what it has written, by sequences that were made when the pairs were. Those that the next
/// sequence undoes are left out: ncurses goes back to the terminal's own colours before it ends a style,
/// which does so, too.
struct PairSequences {
  /// Before and after a pair's number. No character of a text is a control, and no terminal has this one
  /// in its sequences.
  static let mark: UInt8 = 0x1F

  /// All sequences, one after another.
  private var bytes: [UInt8] = []
  /// By pair, where in `bytes` its sequence stands.
  private var places: [Range<Int>] = []

  /// Knows pair 0, the terminal's own colours.
  init() { set(0, foreground: -1, background: -1) }

  /// Says which colours a pair is, until ``removeAll()``: in the number space of ``Color``, negative ones
  /// for the default.
  mutating func set(_ pair: Int, foreground: Int32, background: Int32) {
    while places.count <= pair { places.append(0..<0) }
    guard places[pair].isEmpty else { return }
    let start = bytes.count
    bytes += "\u{1B}[".utf8
    Self.append(foreground, base: 30, to: &bytes)
    bytes += ";".utf8
    Self.append(background, base: 40, to: &bytes)
    bytes += "m".utf8
    places[pair] = start..<bytes.count
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
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

  /// `output` with sequences for the numbers of pairs.
  ///
  /// - Complexity: O(n) in the bytes of the result.
  func expand(_ output: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(output.count * 2)
    output.withUnsafeBufferPointer { output in
      bytes.withUnsafeBufferPointer { bytes in
        var position = 0
        while let start = Self.mark(in: output, from: position) {
          result.append(contentsOf: UnsafeBufferPointer(rebasing: output[position..<start]))
          if let (pair, end) = Self.number(in: output, from: start + 1),
            let place = place(of: pair)
          {
            if !Self.endsStyle(output, at: end) {
              result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[place]))
            }
            position = end
          } else {
            result.append(Self.mark)
            position = start + 1
          }
        }
        result.append(contentsOf: UnsafeBufferPointer(rebasing: output[position...]))
      }
    }
    return result
  }

  /// Whether `ESC [ m` or `ESC [ 0 … m` stands there, after which colours are the terminal's own again.
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
    guard places.indices.contains(pair), !places[pair].isEmpty else { return nil }
    return places[pair]
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
