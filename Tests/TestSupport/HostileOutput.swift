/// Finds bytes that the program must not write.
public enum HostileOutput {
  public enum Channel: Sendable {
    /// Text for a reader: lines of visible characters.
    case text
    /// JSON for a program: characters that control bidirectional text are escaped, too.
    case json
  }

  /// The problems in `bytes`, each with its context; at most ten.
  ///
  /// - Complexity: O(n).
  public static func problems(in bytes: [UInt8], _ channel: Channel) -> [String] {
    var problems: [String] = []
    if String(validating: bytes, as: UTF8.self) == nil {
      problems.append("bytes that are not UTF-8")
    }
    bytes.withUnsafeBufferPointer { bytes in
      var (index, marks) = (0, 0)
      while index < bytes.count, problems.count < 10 {
        // Most bytes are of this kind.
        if bytes[index] >= 0x20, bytes[index] < 0x7F {
          index += 1
          marks = 0
          continue
        }
        let (scalar, length) = scalar(in: bytes, at: index)
        marks = scalar.properties.generalCategory == .nonspacingMark ? marks + 1 : 0
        let isTooMuch = marks == 9 && channel == .text
        if isTooMuch || isForbidden(scalar, channel, after: bytes[max(0, index - 32)..<index]) {
          let around = bytes[max(0, index - 40)..<min(bytes.count, index + 20)]
          let code = "U+" + String(scalar.value, radix: 16, uppercase: true)
          problems.append(
            "\(isTooMuch ? "nine marks" : code) in "
              + String(decoding: around, as: UTF8.self).debugDescription)
        }
        index += length
      }
    }
    return problems
  }

  /// The scalar that begins at `index`, and its length in bytes.
  private static func scalar(
    in bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (Unicode.Scalar, length: Int) {
    let length = bytes[index] < 0xC0 ? 1 : bytes[index] < 0xE0 ? 2 : bytes[index] < 0xF0 ? 3 : 4
    let end = min(bytes.count, index + length)
    let text = String(decoding: bytes[index..<end], as: UTF8.self)
    return (text.unicodeScalars.first ?? "\u{FFFD}", end - index)
  }

  /// Expressed in Unicode's terms, independent of the sanitizer.
  private static func isForbidden(
    _ scalar: Unicode.Scalar, _ channel: Channel, after before: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Bool {
    switch scalar.value {
    case 0x0A: return false
    case 0x202A...0x202E, 0x2061...0x206F, 0xFEFF, 0xFFF0...0xFFFB, 0x180E: return true
    case 0x1D173...0x1D17A, 0x10EEEE: return true
    case 0x200E, 0x200F, 0x61C: return channel == .json
    // Only as part of a flag.
    case 0xE0000...0xE0FFF:
      return !scalar.properties.isVariationSelector
        && !String(decoding: before, as: UTF8.self).unicodeScalars.contains("\u{1F3F4}")
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
    default: return scalar.properties.isNoncharacterCodePoint
    }
  }

  /// The problems in output to a terminal: sequences that the program does not send, control
  /// characters, and those of text as in ``problems(in:_:)``.
  ///
  /// - Complexity: O(n).
  public static func problems(inTerminal bytes: [UInt8]) -> [String] {
    var problems: [String] = []
    var text: [UInt8] = []
    var index = 0
    while index < bytes.count, problems.count < 10 {
      switch bytes[index] {
      case 0x1B:
        let end = sequenceEnd(in: bytes, from: index)
        let sequence = String(decoding: bytes[index..<end], as: UTF8.self)
        if !isOwn(sequence) { problems.append("the sequence \(sequence.debugDescription)") }
        index = end
        // A whole frame begins by selecting ASCII, and its character set by 0F.
        if sequence == "\u{1B}(B", index < bytes.count, bytes[index] == 0x0F { index += 1 }
      // Cursor moves that ncurses makes with them.
      case 0x08, 0x0A, 0x0D: index += 1
      default:
        // kitty's placeholders are the program's own; text cannot contain one.
        if bytes[index...].starts(with: [0xF4, 0x8E, 0xBB, 0xAE]) {
          index += 4
          continue
        }
        text.append(bytes[index])
        index += 1
      }
    }
    // Marks after a placeholder express its place.
    return problems + self.problems(in: text, .text)
  }

  /// The index after the sequence that begins with the escape at `start`.
  private static func sequenceEnd(in bytes: [UInt8], from start: Int) -> Int {
    guard start + 1 < bytes.count else { return bytes.count }
    var index = start + 2
    switch bytes[start + 1] {
    case UInt8(ascii: "["):
      while index < bytes.count, !(0x40...0x7E).contains(bytes[index]) { index += 1 }
      return min(bytes.count, index + 1)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      while index < bytes.count {
        if bytes[index] == 7 { return index + 1 }
        if bytes[index] == 0x1B { return min(bytes.count, index + 2) }
        index += 1
      }
      return bytes.count
    case 0x20...0x2F:
      while index < bytes.count, (0x20...0x2F).contains(bytes[index]) { index += 1 }
      return min(bytes.count, index + 1)
    default: return index
    }
  }

  /// Whether the program sends such a sequence: those of its terminfo entries, its modes, its
  /// queries at the start, and pictures.
  private static func isOwn(_ sequence: String) -> Bool {
    guard !sequence.contains(HostileText.mark) else { return false }
    let body = sequence.dropFirst(2)
    switch sequence.dropFirst().first {
    case "[":
      guard let final = body.last else { return false }
      let parameters = body.dropLast()
      if parameters.first == "?" {
        let modes = parameters.dropFirst().prefix { $0.isNumber || $0 == ";" }.split(separator: ";")
        let own: Set<Substring> = [
          "1", "6", "7", "12", "25", "69", "1000", "1002", "1003", "1004", "1006", "1049", "2004",
          "2026",
        ]
        return "hlp$".contains(final) && modes.allSatisfy(own.contains)
      }
      if parameters.first == ">" { return final == "q" || final == "c" }
      return parameters.allSatisfy {
        $0.isNumber || $0 == ";" || $0 == ":" || $0 == " " || $0 == "!"
      }
        && "ABCDGHJKLMPSTXZ@bcdfhlmnpqrt`".contains(final)
    case "]":
      return ["10;?", "11;?", "4;0;?", "1337;File=inline=1;"].contains { body.hasPrefix($0) }
    case "P": return body.hasPrefix("$q") || body.hasPrefix("+q") || body.hasPrefix("7;1;0q")
    case "_": return body.hasPrefix("G")
    case "(", ")": return body == "B" || body == "0"
    // UTF-8, and the terminal's default encoding.
    case "%": return body == "G" || body == "@"
    case "7", "8", "=", ">", "M", "D", "E", "H", "\\": return true
    default: return false
    }
  }
}
