import System

/// One JSON value out of bytes (RFC 8259), as strict as that but for control characters, which strings
/// may hold as they are.
///
/// Foundation's decoder takes four times as long for an item and 3 ms for the first one, most of the
/// time in looking for the conformances it is generic over.
struct JSONParser {
  enum Failure: Error {
    /// What stands there is not JSON; the byte.
    case malformed(byte: Int)
    /// More than `maximumDepth` open brackets; the byte of the last.
    case tooDeep(byte: Int)
  }

  /// Open brackets at once.
  static let maximumDepth = 512

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0

  /// - Parameter bytes: valid UTF-8, with nothing but white space around the value.
  /// - Complexity: O(n) in the bytes; the stack grows with open brackets.
  static func value(of bytes: UnsafeBufferPointer<UInt8>) throws(Failure) -> JSONValue {
    var parser = JSONParser(bytes: bytes)
    let value = try parser.value()
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.malformed }
    return value
  }

  static func value(of bytes: [UInt8]) throws(Failure) -> JSONValue {
    // Not thrown out of the closure, which would lose the error's type.
    let result = bytes.withUnsafeBufferPointer { buffer -> Result<JSONValue, Failure> in
      do throws(Failure) {
        return .success(try value(of: buffer))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private var malformed: Failure { .malformed(byte: position) }

  private mutating func skipSpace() {
    while position < bytes.count, JSONScanner.isSpace(bytes[position]) { position += 1 }
  }

  /// The next byte that is no white space, which stays to be read.
  private mutating func peek() throws(Failure) -> UInt8 {
    skipSpace()
    guard position < bytes.count else { throw malformed }
    return bytes[position]
  }

  private mutating func value() throws(Failure) -> JSONValue {
    switch try peek() {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try members())
    case UInt8(ascii: "["): return .array(try elements())
    case UInt8(ascii: "t"): return .bool(try word("true", true))
    case UInt8(ascii: "f"): return .bool(try word("false", false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word<Value>(
    _ word: StaticString, _ value: Value
  ) throws(Failure) -> Value {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count, let base = bytes.baseAddress,
      memcmp(base + position, word.utf8Start, word.utf8CodeUnitCount) == 0
    else { throw malformed }
    position = end
    return value
  }

  // MARK: Brackets

  private mutating func open() throws(Failure) {
    depth += 1
    guard depth <= Self.maximumDepth else { throw .tooDeep(byte: position) }
    position += 1
  }

  /// Reads a comma, or `bracket` and then returns true.
  private mutating func closes(_ bracket: UInt8) throws(Failure) -> Bool {
    let byte = try peek()
    guard byte == bracket || byte == UInt8(ascii: ",") else { throw malformed }
    position += 1
    if byte == bracket { depth -= 1 }
    return byte == bracket
  }

  private mutating func elements() throws(Failure) -> [JSONValue] {
    try open()
    var elements: [JSONValue] = []
    if try peek() == UInt8(ascii: "]") {
      _ = try closes(UInt8(ascii: "]"))
      return elements
    }
    repeat { elements.append(try value()) } while try !closes(UInt8(ascii: "]"))
    return elements
  }

  private mutating func members() throws(Failure) -> [JSONValue.Member] {
    try open()
    var members: [JSONValue.Member] = []
    if try peek() == UInt8(ascii: "}") {
      _ = try closes(UInt8(ascii: "}"))
      return members
    }
    repeat {
      guard try peek() == UInt8(ascii: "\"") else { throw malformed }
      let key = try string()
      guard try peek() == UInt8(ascii: ":") else { throw malformed }
      position += 1
      members.append(JSONValue.Member(key: key, value: try value()))
    } while try !closes(UInt8(ascii: "}"))
    return members
  }

  // MARK: Strings

  private mutating func string() throws(Failure) -> String {
    position += 1
    guard let base = bytes.baseAddress, position < bytes.count,
      let quote = memchr(base + position, 0x22, bytes.count - position)
    else { throw malformed }
    // Most strings hold no escape: found and copied by the C library, not byte by byte.
    let length = UnsafeRawPointer(quote) - UnsafeRawPointer(base + position)
    if memchr(base + position, 0x5C, length) == nil {
      let text = String(
        decoding: UnsafeBufferPointer(start: base + position, count: length), as: UTF8.self)
      position += length + 1
      return text
    }
    return try escapedString()
  }

  private mutating func escapedString() throws(Failure) -> String {
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &text)
      default: text.append(byte)
      }
    }
    throw malformed
  }

  private mutating func escape(into text: inout [UInt8]) throws(Failure) {
    guard position < bytes.count else { throw malformed }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var scalar = try hexadecimal()
      if 0xD800...0xDBFF ~= scalar {
        guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
          bytes[position + 1] == UInt8(ascii: "u")
        else { throw malformed }
        position += 2
        let low = try hexadecimal()
        guard 0xDC00...0xDFFF ~= low else { throw malformed }
        scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let valid = Unicode.Scalar(scalar) else { throw malformed }
      text += Array(String(valid).utf8)
    default: throw malformed
    }
  }

  private mutating func hexadecimal() throws(Failure) -> UInt32 {
    guard position + 4 <= bytes.count else { throw malformed }
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = bytes[position]
      switch byte {
      case 48...57: value = value << 4 | UInt32(byte - 48)
      case 65...70: value = value << 4 | UInt32(byte - 55)
      case 97...102: value = value << 4 | UInt32(byte - 87)
      default: throw malformed
      }
      position += 1
    }
    return value
  }

  // MARK: Numbers

  private mutating func number() throws(Failure) -> JSONNumber {
    let start = position
    _ = accept("-")
    if !accept("0") { try digits() }
    var isInteger = true
    if accept(".") {
      isInteger = false
      try digits()
    }
    if accept("e") || accept("E") {
      isInteger = false
      if !accept("+") { _ = accept("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    return JSONNumber(text: text, isInteger: isInteger)
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func digits() throws(Failure) {
    let start = position
    while position < bytes.count, 48...57 ~= bytes[position] { position += 1 }
    guard position > start else { throw malformed }
  }
}
