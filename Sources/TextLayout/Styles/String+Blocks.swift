extension String {
  /// The stretches between lines that are empty or all white space, with their line breaks.
  ///
  /// By bytes, not characters: a line feed never joins a neighbour, except a carriage return, which
  /// sanitized text does not have.
  func blocks() -> [String] {
    var text = self
    return text.withUTF8 { bytes in
      var blocks: [String] = []
      var block: Range<Int>?
      var start = 0
      while start <= bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != 0x0A { end += 1 }
        if !Self.isBlank(bytes[start..<end]) {
          block = (block?.lowerBound ?? start)..<end
        } else if let ended = block {
          blocks.append(String(decoding: bytes[ended], as: UTF8.self))
          block = nil
        }
        start = end + 1
      }
      if block == bytes.indices { return [self] }
      if let block { blocks.append(String(decoding: bytes[block], as: UTF8.self)) }
      return blocks
    }
  }

  /// Whether a line is all white space. The first byte decides for most lines.
  private static func isBlank(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let first = line.first(where: { $0 != UInt8(ascii: " ") }) else { return true }
    if first > 0x20, first < 0x7F { return false }
    let beginning = line.drop { $0 == UInt8(ascii: " ") }.prefix(4)
    let scalar = String(decoding: beginning, as: UTF8.self).unicodeScalars.first
    if let scalar, !scalar.properties.isWhitespace { return false }
    return String(decoding: line, as: UTF8.self).allSatisfy(\.isWhitespace)
  }
}
