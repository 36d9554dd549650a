/// Finds where JSON values begin and end, without decoding them and without recursion.
///
/// 1. A value ends where its brackets are balanced; strings are skipped over with their escapes.
/// 2. A bracket that does not match ends what it can end: `]` in an object closes the array around it,
///    so that one broken item does not take the others with it.
/// 3. A string broken off at the end of a line, with the next line beginning another, ends there.
/// 4. Where input ends inside a value, the span tells what would close it.
/// 5. Nearly all values are whole: those are passed eight bytes at a time, by ``wholeEnd(from:)``. What
///    that meets anything unusual in is scanned again byte by byte, so that only one place knows rules
///    2 to 4.
struct JSONScanner {
  /// A value's place and what is wrong with its structure.
  struct Span: Hashable {
    var range: Range<Int>
    var fault: Fault?
  }

  struct Fault: Hashable {
    var byte: Int
    var reason: String
    /// Brackets that would close the value, outermost first; empty where it is closed.
    var missing: [UInt8] = []
    var isInString = false
    /// The last comma between members of the value itself.
    var lastComma: Int?
  }

  let bytes: UnsafeBufferPointer<UInt8>
  var position: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// The next byte that is no white space, which stays to be read; nil at the end.
  mutating func peek() -> UInt8? {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    return position < bytes.count ? bytes[position] : nil
  }

  /// Reads `byte` if it comes next.
  mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Skips one value. The range is empty where none begins here.
  ///
  /// - Complexity: O(n) in the value's bytes; memory of one byte for each open bracket.
  mutating func value() -> Span {
    _ = peek()
    let start = position
    if let end = wholeEnd(from: start) {
      position = end
      return Span(range: start..<end)
    }
    var missing: [UInt8] = []
    var fault: Fault?
    var lastComma: Int?
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        let opening = position
        switch string() {
        case .closed: break
        case .broken:
          if fault == nil {
            fault = Fault(byte: opening, reason: "a string that is not closed")
          }
        case .cut:
          return Span(
            range: start..<bytes.count,
            fault: fault
              ?? Fault(
                byte: bytes.count, reason: "ends inside a string", missing: missing,
                isInString: true, lastComma: lastComma))
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        missing.append(byte + 2)
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard let expected = missing.last else {
          return Span(range: start..<position, fault: fault)
        }
        if expected != byte {
          if fault == nil {
            fault = Fault(byte: position, reason: "“\(Character(.init(byte)))” out of place")
          }
          // Closes what stands around it: left to whoever reads that.
          guard let match = missing.lastIndex(of: byte) else {
            return Span(range: start..<position, fault: fault)
          }
          missing.removeSubrange((match + 1)...)
        }
        missing.removeLast()
        position += 1
      case UInt8(ascii: ","):
        if missing.isEmpty { return Span(range: start..<position, fault: fault) }
        if missing.count == 1 { lastComma = position }
        position += 1
      default:
        if missing.isEmpty, position > start, Self.isSpace(byte) {
          return Span(range: start..<position, fault: fault)
        }
        position += 1
        continue
      }
      if missing.isEmpty { return Span(range: start..<position, fault: fault) }
    }
    if !missing.isEmpty, fault == nil {
      fault = Fault(
        byte: bytes.count, reason: "ends inside a value", missing: missing, lastComma: lastComma)
    }
    return Span(range: start..<position, fault: fault)
  }

  private enum StringEnd { case closed, broken, cut }

  /// Skips a string whose opening quote comes next.
  private mutating func string() -> StringEnd {
    position += 1
    if let base = bytes.baseAddress, let end = wholeStringEnd(UnsafeRawPointer(base), position) {
      position = end
      return .closed
    }
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return .closed
      case UInt8(ascii: "\\"): position += 2
      case 0x0A where isBrokenOff(): return .broken
      default: position += 1
      }
    }
    position = bytes.count
    return .cut
  }

  /// Whether the line ends with a comma or bracket and the next begins with a string or bracket.
  private func isBrokenOff() -> Bool {
    var before = position - 1
    while before > 0, Self.isSpace(bytes[before]) { before -= 1 }
    var after = position + 1
    while after < bytes.count, Self.isSpace(bytes[after]) { after += 1 }
    guard before >= 0, after < bytes.count else { return false }
    return ",{[}]".utf8.contains(bytes[before]) && "\"{}]".utf8.contains(bytes[after])
      || "}]".utf8.contains(bytes[after])
  }

  /// The next member's key of an object whose brace has been read, with the colon behind it; nil where
  /// no member begins here.
  mutating func key() -> String? {
    while accept(",") {}
    guard peek() == UInt8(ascii: "\"") else { return nil }
    let start = position
    guard string() == .closed else { return nil }
    let name = String(decoding: bytes[(start + 1)..<(position - 1)], as: UTF8.self)
    return accept(":") ? name : nil
  }

  /// The characters of a string whose place this is, its escapes as they are; nil for any other value.
  /// Of a long one they are the beginning.
  func beginning(ofStringAt range: Range<Int>) -> String? {
    guard let first = range.first, bytes[first] == UInt8(ascii: "\"") else { return nil }
    let inner = bytes[range].dropFirst().prefix(80)
    return String(
      decoding: inner.last == UInt8(ascii: "\"") ? inner.dropLast() : inner, as: UTF8.self)
  }
}
