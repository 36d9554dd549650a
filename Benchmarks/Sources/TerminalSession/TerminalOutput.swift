/// Takes apart what a program writes: the text, and the sequences between, which may be cut
/// anywhere.
package struct TerminalOutput {
  private enum State {
    case text
    /// After ESC.
    case escape
    /// After ESC and an intermediate byte: one more follows, as in the choice of a character set.
    case intermediate
    case control
    /// OSC, DCS, APC, PM or SOS, until ST or BEL.
    case string
    case stringEscape
  }

  private var state = State.text
  private var sequence: [UInt8] = []
  /// The last bytes of the text, controls left out.
  package private(set) var text: [UInt8] = []

  package static let keptText = 4_096

  /// Takes in `bytes` and gives the sequences that ended in them, without ESC and terminator:
  /// "[6n".
  package mutating func take(_ bytes: ArraySlice<UInt8>) -> [String] {
    var sequences: [String] = []
    if text.count > Self.keptText { text.removeFirst(text.count - Self.keptText / 2) }
    for byte in bytes {
      switch state {
      case .text:
        if byte == 0x1B {
          state = .escape
          sequence.removeAll(keepingCapacity: true)
        } else if byte >= 0x20 {
          text.append(byte)
        }
      case .escape: start(byte)
      case .intermediate: state = .text
      case .control:
        sequence.append(byte)
        if byte >= 0x40 && byte < 0x7F { finish(&sequences) }
      case .string:
        switch byte {
        case 0x07: finish(&sequences)
        case 0x1B: state = .stringEscape
        default: sequence.append(byte)
        }
      case .stringEscape: finish(&sequences)
      }
    }
    return sequences
  }

  package mutating func forgetText() { text.removeAll(keepingCapacity: true) }

  /// Whether the text that came since it was forgotten has `mark` in it, or its last part.
  package func shows(_ mark: String) -> Bool {
    let mark = Array(mark.utf8)
    guard let first = mark.first, text.count >= mark.count else { return false }
    return (0...text.count - mark.count).contains { start in
      text[start] == first && text[start..<start + mark.count].elementsEqual(mark)
    }
  }

  private mutating func start(_ byte: UInt8) {
    sequence.append(byte)
    switch byte {
    case UInt8(ascii: "["): state = .control
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      state = .string
    case 0x20...0x2F: state = .intermediate
    default: state = .text
    }
  }

  private mutating func finish(_ sequences: inout [String]) {
    sequences.append(String(decoding: sequence, as: UTF8.self))
    state = .text
  }
}
