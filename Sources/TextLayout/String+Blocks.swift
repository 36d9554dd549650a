extension String {
  /// The stretches between lines that are empty or hold white space alone, their line breaks kept.
  func blocks() -> [String] {
    var blocks: [String] = []
    var lines: [Substring] = []
    for line in split(separator: "\n", omittingEmptySubsequences: false) {
      if !line.allSatisfy(\.isWhitespace) {
        lines.append(line)
      } else if !lines.isEmpty {
        blocks.append(lines.joined(separator: "\n"))
        lines = []
      }
    }
    if !lines.isEmpty { blocks.append(lines.joined(separator: "\n")) }
    return blocks
  }
}
