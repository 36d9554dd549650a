/// What a terminal of today with 24-bit colour and without pictures in pixels answers when asked,
/// so that no program waits for an answer in vain.
package enum TerminalReplies {
  /// - Parameters:
  ///   - sequence: without ESC and terminator.
  ///   - name: what the terminal calls itself.
  /// - Returns: nil where it is no question, or one that such a terminal does not answer.
  package static func reply(
    to sequence: String, size: TerminalSize, name: String = "ProgramBenchmark(1)"
  ) -> String? {
    switch sequence {
    case "[c", "[0c": return "\u{1B}[?62;22c"
    case "[>c", "[>0c": return "\u{1B}[>1;10;0c"
    case "[>q", "[>0q": return "\u{1B}P>|\(name)\u{1B}\\"
    case "[5n": return "\u{1B}[0n"
    // Only asked after one character of two columns at the left edge, whose width is to be learned.
    case "[6n": return "\u{1B}[1;3R"
    case "[?2026$p": return "\u{1B}[?2026;2$y"
    case "[14t":
      let (height, width) = (
        size.rows * TerminalSize.cellHeight, size.columns * TerminalSize.cellWidth
      )
      return "\u{1B}[4;\(height);\(width)t"
    case "[16t": return "\u{1B}[6;\(TerminalSize.cellHeight);\(TerminalSize.cellWidth)t"
    case "[18t": return "\u{1B}[8;\(size.rows);\(size.columns)t"
    case "]10;?": return "\u{1B}]10;rgb:d0d0/d0d0/d0d0\u{1B}\\"
    case "]11;?": return "\u{1B}]11;rgb:1010/1010/1010\u{1B}\\"
    // The colour that was set just before comes back as it was.
    case "P$qm": return "\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\"
    default:
      if sequence.hasPrefix("P+q") { return "\u{1B}P0+r\u{1B}\\" }
      if sequence.hasPrefix("[?"), sequence.hasSuffix("$p") {
        return "\u{1B}[?\(sequence.dropFirst(2).dropLast(2));0$y"
      }
      return nil
    }
  }
}
