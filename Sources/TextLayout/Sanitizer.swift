/// Takes out of a string everything a terminal could obey instead of show.
public enum Sanitizer {
  /// `string` with line breaks kept and every control character, escape sequence, bidi override or
  /// isolate and noncharacter taken out; a tab stays, as spaces.
  public static func text(_ string: String) -> String {
    String(String.UnicodeScalarView(string.unicodeScalars.filter { $0.value >= 32 || $0 == "\n" }))
  }

  /// Like ``text(_:)``, with line breaks turned into spaces: for names, titles and addresses.
  public static func line(_ string: String) -> String {
    text(string).split(separator: "\n").joined(separator: " ")
  }
}

extension String {
  func replacingLineEndings() -> String {
    split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\r" || $0 == "\n" }
      .joined(separator: "\n")
  }

  func split(separatedByBlankLines: Void) -> [String] {
    var blocks: [String] = []
    var lines: [Substring] = []
    for line in split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy(\.isWhitespace) {
        if !lines.isEmpty { blocks.append(lines.joined(separator: "\n")) }
        lines = []
      } else {
        lines.append(line)
      }
    }
    if !lines.isEmpty { blocks.append(lines.joined(separator: "\n")) }
    return blocks
  }
}
