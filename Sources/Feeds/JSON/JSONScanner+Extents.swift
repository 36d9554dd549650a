/// Where values begin and end, without decoding them and without recursion.
///
/// 1. A value ends where its brackets are balanced; strings are skipped over with their escapes.
/// 2. A bracket that does not match ends what it can end: `]` in an object closes the array around
///    it, so that one broken item does not take the others with it.
/// 3. A string broken off at the end of a line, with the next line beginning another, ends there.
/// 4. Where input ends inside a value, the span tells what would close it.
extension JSONScanner {
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

  /// Skips one value. The range is empty where none begins here.
  ///
  /// - Complexity: O(n) in the value's bytes; memory of one bit for each open bracket.
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
    var open = OpenBrackets()
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
              byte: bytes.count, reason: "ends inside a string", missing: open.closing,
              isInString: true, lastComma: lastComma)
          return Span(range: start..<bytes.count, fault: fault)
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.push(byte)
      case UInt8(ascii: ","): lastComma = position - 1
      default:
        if !open.ends(with: byte) {
          fault =
            fault
            ?? Fault(byte: position - 1, reason: "“\(Character(.init(byte)))” out of place")
          repeat { open.pop() } while !open.isEmpty && !open.ends(with: byte)
          // Closes what stands around it: left to whoever reads that.
          if open.isEmpty {
            position -= 1
            break
          }
        }
        open.pop()
      }
      if open.isEmpty { return Span(range: start..<position, fault: fault) }
      position = nextOutsideStrings(orComma: open.count == 1)
    } while position < bytes.count
    fault =
      fault
      ?? Fault(
        byte: bytes.count, reason: "ends inside a value", missing: open.closing,
        lastComma: lastComma)
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
        if isBrokenOff() { return .broken }
        position += 1
      }
    }
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

  /// The next member's key of an object whose brace has been read, with the colon behind it; nil
  /// where no member begins here.
  mutating func key() -> String? {
    while accept(",") {}
    guard accept("\"") else { return nil }
    let start = position
    guard skipString() == .closed else { return nil }
    let name = String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
    return accept(":") ? name : nil
  }

  /// The characters of a string whose place this is, its escapes as they are; nil for any other
  /// value. Of a long one they are the beginning.
  func beginning(ofStringAt range: Range<Int>) -> String? {
    guard let first = range.first, bytes[first] == UInt8(ascii: "\"") else { return nil }
    let inner = bytes[range].dropFirst().prefix(80)
    return String(
      decoding: inner.last == UInt8(ascii: "\"") ? inner.dropLast() : inner, as: UTF8.self)
  }
}

extension JSONScanner.Fault {
  /// A value that was cut off, with what is missing at its end; then without the last member.
  func closed(_ bytes: [UInt8]) -> [[UInt8]] {
    var whole = bytes
    if isInString {
      // An escape that was cut off goes; a character that was, is U+FFFD already.
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

/// Brackets that are open, a bit for each: set for a brace.
private struct OpenBrackets {
  private(set) var count = 0
  /// The innermost ones.
  private var bits: UInt64 = 0
  /// Those further out, by 64; empty nearly always.
  private var outer: [UInt64] = []

  var isEmpty: Bool { count == 0 }

  mutating func push(_ byte: UInt8) {
    if count > 0, count % 64 == 0 { outer.append(bits) }
    bits = bits << 1 | UInt64(byte >> 5 & 1)
    count += 1
  }

  mutating func pop() {
    count -= 1
    bits >>= 1
    if count > 0, count % 64 == 0, let word = outer.popLast() { bits = word }
  }

  /// Whether `byte` closes the innermost one.
  func ends(with byte: UInt8) -> Bool { bits & 1 == UInt64(byte >> 5 & 1) }

  /// What closes them, outermost first.
  var closing: [UInt8] {
    var (rest, closing) = (self, [UInt8]())
    while !rest.isEmpty {
      closing.append(UInt8(ascii: rest.ends(with: UInt8(ascii: "}")) ? "}" : "]"))
      rest.pop()
    }
    return closing.reversed()
  }
}

/// Finds the end of one JSON value in bytes of which none is kept.
struct JSONSkipper: Sendable {
  private var depth = 0
  private var isInString = false
  /// Whether the next byte belongs to an escape.
  private var isEscaped = false

  /// - Returns: where the value has ended; nil where it goes on.
  mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var scanner = JSONScanner(bytes, at: isEscaped ? 1 : 0)
    while true {
      let place =
        isInString
        ? scanner.nextInString(orLineFeed: false)
        : scanner.nextOutsideStrings(orComma: depth == 0)
      guard place < bytes.count else {
        isEscaped = place > bytes.count
        return nil
      }
      scanner.position = place + 1
      switch bytes[place] {
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "\\"): scanner.position += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      default:
        guard depth > 0 else { return place }
        depth -= 1
      }
      if depth == 0, !isInString { return scanner.position }
    }
  }
}
