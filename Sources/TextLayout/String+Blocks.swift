extension String {
  /// The stretches between lines that are empty or hold white space alone, their line breaks kept.
  ///
  /// By bytes, not characters: a line feed never joins with what stands beside it, except with a
  /// carriage return, which sanitized text has none of.
  func blocks() -> [String] {
    var blocks: [String] = []
    var block: Range<String.Index>?
    for line in utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if !Substring(line).allSatisfy(\.isWhitespace) {
        block = (block?.lowerBound ?? line.startIndex)..<line.endIndex
      } else if let ended = block {
        blocks.append(String(self[ended]))
        block = nil
      }
    }
    if let block { blocks.append(String(self[block])) }
    return blocks
  }
}
