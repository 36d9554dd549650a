/// Finds the end of one JSON value that arrives in pieces, without storing them.
struct JSONSkipper: Sendable {
  private var depth = 0
  private var isInString = false
  /// Whether the next byte is escaped: the last one was a backslash.
  private var isEscaped = false

  /// - Returns: the offset after the value; `nil` if it continues after `bytes`.
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
