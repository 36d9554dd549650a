import System

/// The grammar of JSON (RFC 8259) over bytes: white space, strings and their escapes, numbers,
/// words, and brackets. All readers of JSON use it.
///
/// It is as strict as the RFC, with two exceptions: strings may contain unescaped control
/// characters, and the escape of an unpaired surrogate (`\ud800`) is U+FFFD.
struct JSONScanner {
  enum Failure: Error {
    /// The bytes are not JSON.
    case malformed
    /// More than `maximumDepth` open brackets.
    case tooDeep
    /// More values than ``FeedLimits/itemValues``.
    case tooMany
  }

  /// The maximum number of open brackets.
  static let maximumDepth = 512

  let bytes: UnsafeBufferPointer<UInt8>
  var position: Int
  private var depth = 0
  private var valueCount = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  var isAtEnd: Bool { position >= bytes.count }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Skips white space and returns the next byte without consuming it; `nil` at the end.
  mutating func peek() -> UInt8? {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    return position < bytes.count ? bytes[position] : nil
  }

  /// Skips white space, and consumes `character` if it comes next.
  mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws(Failure) {
    guard accept(character) else { throw .malformed }
  }

  /// Consumes `character` if it comes next, without skipping white space.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func word(_ word: StaticString) throws(Failure) {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count, let base = bytes.baseAddress,
      memcmp(base + position, word.utf8Start, word.utf8CodeUnitCount) == 0
    else { throw .malformed }
    position = end
  }

  /// Counts a value before it is stored.
  mutating func countValue() throws(Failure) {
    valueCount += 1
    guard valueCount <= FeedLimits.itemValues else { throw .tooMany }
  }

  // MARK: Brackets

  /// An array or object whose opening bracket has been read.
  struct List {
    fileprivate let closing: Unicode.Scalar
    fileprivate var isEmpty = true
  }

  mutating func openArray() throws(Failure) -> List { try open("[", "]") }

  mutating func openObject() throws(Failure) -> List { try open("{", "}") }

  private mutating func open(
    _ opening: Unicode.Scalar, _ closing: Unicode.Scalar
  ) throws(Failure) -> List {
    try expect(opening)
    depth += 1
    guard depth <= Self.maximumDepth else { throw .tooDeep }
    return List(closing: closing)
  }

  /// Consumes the comma before the next element, or the closing bracket, and returns whether an
  /// element follows.
  mutating func hasNext(in list: inout List) throws(Failure) -> Bool {
    if list.isEmpty {
      list.isEmpty = false
      guard accept(list.closing) else { return true }
    } else {
      if accept(",") { return true }
      try expect(list.closing)
    }
    depth -= 1
    return false
  }

  // MARK: Strings

  /// Reads a string and resolves its escapes.
  ///
  /// - Complexity: O(n) in its bytes.
  mutating func string() throws(Failure) -> String {
    try expect("\"")
    guard let base = bytes.baseAddress,
      let quote = memchr(base + position, 0x22, bytes.count - position)
    else { throw .malformed }
    // Most strings contain no escape: the C library finds their end, and they are copied at once.
    let length = UnsafeRawPointer(quote) - UnsafeRawPointer(base + position)
    if memchr(base + position, 0x5C, length) == nil {
      let text = String(
        decoding: UnsafeBufferPointer(start: base + position, count: length), as: UTF8.self)
      position += length + 1
      return text
    }
    var text: [UInt8] = []
    while let piece = try piece() {
      switch piece {
      case .plain(let range): text += bytes[range]
      case .escape(let scalar): text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  enum Piece {
    /// A run of bytes without escapes, at least one.
    case plain(Range<Int>)
    case escape(Unicode.Scalar)
  }

  /// Reads the next piece of a string whose opening quote has been read; `nil` after its closing
  /// quote.
  mutating func piece() throws(Failure) -> Piece? {
    let start = position
    position = nextInString(orLineFeed: false)
    if position > start, position < bytes.count { return .plain(start..<position) }
    if take("\"") { return nil }
    guard take("\\") else { throw .malformed }
    return .escape(try escape())
  }

  /// Reads an escape whose backslash has been read.
  mutating func escape() throws(Failure) -> Unicode.Scalar {
    guard position < bytes.count else { throw .malformed }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw .malformed
    }
    let unit = try hexadecimal()
    guard 0xD800...0xDBFF ~= unit else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
    let end = position
    if take("\\"), take("u"), let low = try? hexadecimal(), 0xDC00...0xDFFF ~= low {
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }
    position = end
    return "\u{FFFD}"
  }

  private mutating func hexadecimal() throws(Failure) -> UInt32 {
    guard position + 4 <= bytes.count else { throw .malformed }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = byte.hexadecimalValue else { throw .malformed }
      value = value << 4 | UInt32(digit)
    }
    position += 4
    return value
  }

  // MARK: Numbers

  /// Reads a number: an integer as it is written, since identifiers may have more digits than any
  /// numeric type can hold, and the shortest form of any other.
  mutating func number() throws(Failure) -> String {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    var isInteger = true
    if take(".") {
      isInteger = false
      try digits()
    }
    if take("e") || take("E") {
      isInteger = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard !isInteger, let value = Double(text), value.isFinite else { return text }
    return Int64(exactly: value).map(String.init) ?? String(value)
  }

  private mutating func digits() throws(Failure) {
    let start = position
    while position < bytes.count, 48...57 ~= bytes[position] { position += 1 }
    guard position > start else { throw .malformed }
  }
}

/// Skips irrelevant bytes, a word at a time.
///
/// To find a byte in a word, 1 is subtracted from every byte of the difference (XOR) of word and
/// pattern. Only an equal byte, and bytes above one, borrow into their highest bit, so the lowest
/// mark is always right.
extension JSONScanner {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let quotes = ones &* 0x22
  private static let backslashes = ones &* 0x5C
  private static let lineFeeds = ones &* 0x0A
  private static let commas = ones &* 0x2C
  private static let openings = ones &* 0x7B
  private static let closings = ones &* 0x7D
  /// With this bit set, `[` and `]` become `{` and `}`.
  private static let braceBits = ones &* 0x20

  /// Marks the bytes of `word` that equal those of `pattern`.
  @inline(__always) private static func marks(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
    let difference = word ^ pattern
    return (difference &- ones) & ~difference & highBits
  }

  /// The first position from `start` on that `marks` marks; the end if there is none.
  @inline(__always) private func next(from start: Int, _ marks: (UInt64) -> UInt64) -> Int {
    guard let base = bytes.baseAddress else { return start }
    let raw = UnsafeRawPointer(base)
    var place = start
    while place &+ 8 <= bytes.count {
      let found = marks(
        UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      if found != 0 { return place &+ found.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    // The rest is shorter than a word and padded with zeros, which have no mark.
    var word: UInt64 = 0
    for index in stride(from: bytes.count - 1, through: place, by: -1) {
      word = word &<< 8 | UInt64(bytes[index])
    }
    let found = marks(word)
    return found == 0 ? max(start, bytes.count) : place &+ found.trailingZeroBitCount &>> 3
  }

  /// The position of the next quote or backslash, or of a line feed if it counts.
  @inline(__always) func nextInString(orLineFeed: Bool) -> Int {
    next(from: position) { word in
      let marks = Self.marks(word, Self.quotes) | Self.marks(word, Self.backslashes)
      return orLineFeed ? marks | Self.marks(word, Self.lineFeeds) : marks
    }
  }

  /// The position of the next quote or bracket, or of a comma if it counts.
  @inline(__always) func nextOutsideStrings(orComma: Bool) -> Int {
    next(from: position) { word in
      let folded = word | Self.braceBits
      let marks =
        Self.marks(word, Self.quotes) | Self.marks(folded, Self.openings)
        | Self.marks(folded, Self.closings)
      return orComma ? marks | Self.marks(word, Self.commas) : marks
    }
  }
}
