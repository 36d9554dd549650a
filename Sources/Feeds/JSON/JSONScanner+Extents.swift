/// Finds the ends of values, without decoding and without recursion.
///
/// 1. A value ends when its brackets are balanced; strings are skipped with their escapes.
/// 2. A mismatched bracket closes all brackets up to the one it matches: `]` in an object closes
///    the array around it, so that one damaged item does not affect the others.
/// 3. A string without a closing quote ends at the end of its line, if the next line seems to begin
///    another member or to close a bracket.
/// 4. If the input ends inside a value, the fault names the brackets that would close it.
extension JSONScanner {
  /// The range of a value, and the fault in its structure.
  struct Span: Hashable {
    var range: Range<Int>
    var fault: Fault?
  }

  struct Fault: Hashable {
    var byte: Int
    var reason: String
    /// The brackets that would close the value, outermost first; empty if it is closed.
    var missing: [UInt8] = []
    var isInString = false
    /// The last comma directly inside the value.
    var lastComma: Int?
  }

  /// Skips one value. The range is empty if none begins here.
  ///
  /// - Complexity: O(n) in the value's bytes; memory of one byte for each open bracket.
  mutating func value() -> Span {
    _ = peek()
    let start = position
    while position < bytes.count, !Self.isSpace(bytes[position]),
      !"\"{}[],".utf8.contains(bytes[position])
    {
      position += 1
    }
    guard position < bytes.count, "\"{[".utf8.contains(bytes[position]) else {
      return Span(range: start..<position)
    }
    // For each open bracket, outermost first, the one that closes it.
    var open: [UInt8] = []
    var fault: Fault?
    var lastComma: Int?
    repeat {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        let opening = position - 1
        switch skipString() {
        case .closed: break
        case .broken:
          fault = fault ?? Fault(byte: opening, reason: "a string that is not closed")
        case .cut:
          fault =
            fault
            ?? Fault(
              byte: bytes.count, reason: "ends inside a string", missing: open, isInString: true,
              lastComma: lastComma)
          return Span(range: start..<bytes.count, fault: fault)
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        // The closing bracket is the second character behind it in ASCII.
        open.append(byte + 2)
      case UInt8(ascii: ","): lastComma = position - 1
      default:
        if open.last != byte {
          fault =
            fault
            ?? Fault(byte: position - 1, reason: "“\(Character(.init(byte)))” out of place")
          repeat { open.removeLast() } while !open.isEmpty && open.last != byte
          // It closes an enclosing value, whose reader handles it.
          if open.isEmpty {
            position -= 1
            break
          }
        }
        open.removeLast()
      }
      if open.isEmpty { return Span(range: start..<position, fault: fault) }
      position = nextOutsideStrings(orComma: open.count == 1)
    } while position < bytes.count
    fault =
      fault
      ?? Fault(
        byte: bytes.count, reason: "ends inside a value", missing: open, lastComma: lastComma)
    return Span(range: start..<position, fault: fault)
  }

  enum StringEnd { case closed, broken, cut }

  /// Skips the rest of a string whose opening quote has been read.
  @inline(__always) mutating func skipString() -> StringEnd {
    while true {
      position = nextInString(orLineFeed: true)
      guard position < bytes.count else {
        position = bytes.count
        return .cut
      }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return .closed
      case UInt8(ascii: "\\"): position += 2
      default:
        if stringEndsAtLineBreak() { return .broken }
        // All line breaks of a run of blanks have the same bytes around the run.
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
      }
    }
  }

  /// Whether the line ends with a comma or bracket and the next begins with a string or brace, or
  /// the next begins with a closing bracket.
  private func stringEndsAtLineBreak() -> Bool {
    var before = position - 1
    while before > 0, Self.isSpace(bytes[before]) { before -= 1 }
    var after = position + 1
    while after < bytes.count, Self.isSpace(bytes[after]) { after += 1 }
    guard before >= 0, after < bytes.count else { return false }
    return ",{[}]".utf8.contains(bytes[before]) && "\"{}]".utf8.contains(bytes[after])
      || "}]".utf8.contains(bytes[after])
  }

  /// Reads the key of the next member of an object whose brace has been read, and the colon after
  /// it; `nil` if no member begins here.
  mutating func key() -> String? {
    while accept(",") {}
    guard accept("\"") else { return nil }
    let start = position
    guard skipString() == .closed else { return nil }
    let name = String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
    return accept(":") ? name : nil
  }

  /// The beginning of the string at `range`, at most 80 bytes, with its escapes unresolved; `nil`
  /// for any other value.
  func beginning(ofStringAt range: Range<Int>) -> String? {
    guard let first = range.first, bytes[first] == UInt8(ascii: "\"") else { return nil }
    let inner = bytes[range].dropFirst().prefix(80)
    return String(
      decoding: inner.last == UInt8(ascii: "\"") ? inner.dropLast() : inner, as: UTF8.self)
  }
}

extension JSONScanner.Fault {
  /// Repairs of a value that was cut off: with the missing brackets added, and without its last
  /// member.
  func closed(_ bytes: [UInt8]) -> [[UInt8]] {
    var whole = bytes
    if isInString {
      // A truncated escape is removed; a truncated character is U+FFFD already.
      if let escape = whole.suffix(6).lastIndex(of: UInt8(ascii: "\\")) {
        let tail = whole[escape...]
        let isCut = tail.count == 1 || (tail.count < 6 && tail.dropFirst().first == 0x75)
        if isCut { whole.removeSubrange(escape...) }
      }
      whole.append(UInt8(ascii: "\""))
    }
    var candidates = [whole + missing.reversed()]
    if let lastComma, let outer = missing.first {
      candidates.append(Array(bytes[..<lastComma]) + [outer])
    }
    return candidates
  }
}
