/// Parses one JSON value from bytes, by the grammar of ``JSONScanner``.
///
/// Foundation's decoder takes four times as long for an item, and 3 ms for the first one, mostly to
/// look up the conformances of its generic types.
enum JSONParser {
  /// - Parameter bytes: valid UTF-8, a value with nothing but white space around it.
  /// - Complexity: O(n) in the bytes; the stack grows with the open brackets. Memory for
  ///   ``FeedLimits/itemValues`` values at most.
  static func value(of bytes: [UInt8]) throws(JSONScanner.Failure) -> JSONValue {
    // An error thrown out of the closure would lose its type.
    let result = bytes.withUnsafeBufferPointer { buffer -> Result<JSONValue, JSONScanner.Failure> in
      var scanner = JSONScanner(buffer)
      do throws(JSONScanner.Failure) {
        let value = try value(&scanner)
        return scanner.peek() == nil ? .success(value) : .failure(.malformed)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// As ``value(of:)``, with bytes that are not UTF-8 replaced; `nil` if the value is not valid.
  static func repairedValue(of bytes: [UInt8]) -> JSONValue? {
    try? value(of: UnicodeText(utf8: bytes).bytes)
  }

  private static func value(
    _ scanner: inout JSONScanner
  ) throws(JSONScanner.Failure) -> JSONValue {
    try scanner.countValue()
    switch scanner.peek() {
    case UInt8(ascii: "\""): return .string(try scanner.string())
    case UInt8(ascii: "{"): return .object(try members(&scanner))
    case UInt8(ascii: "["): return .array(try elements(&scanner))
    case UInt8(ascii: "t"):
      try scanner.word("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try scanner.word("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try scanner.word("null")
      return .null
    default: return .number(try scanner.number())
    }
  }

  private static func elements(
    _ scanner: inout JSONScanner
  ) throws(JSONScanner.Failure) -> [JSONValue] {
    var elements: [JSONValue] = []
    var list = try scanner.openArray()
    while try scanner.hasNext(in: &list) { elements.append(try value(&scanner)) }
    return elements
  }

  private static func members(
    _ scanner: inout JSONScanner
  ) throws(JSONScanner.Failure) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var list = try scanner.openObject()
    while try scanner.hasNext(in: &list) {
      let key = try scanner.string()
      try scanner.expect(":")
      members.append(JSONValue.Member(key: key, value: try value(&scanner)))
    }
    return members
  }
}
