/// A piece of what a terminal sends, as its grammar separates it; what it means is for
/// ``InputParser`` to say.
enum InputToken: Hashable {
  /// A code point; alone U+FFFD for bytes that are not UTF-8.
  case scalar(Unicode.Scalar, isEscaped: Bool)
  /// The escape key itself.
  case escape
  case control(ControlSequence)
  /// ESC O and a letter, with the modifier that old terminals put between.
  case singleShift(parameter: Int?, final: UInt8)
  /// ESC [ [ and a letter: F1 to F5 of the Linux console.
  case linuxFunction(UInt8)
  /// Button, column and row of the oldest mouse protocol, as sent.
  case plainMouse(UInt8, UInt8, UInt8)
  /// A device control, operating system or application string without its frame.
  case string(kind: UInt8, payload: [UInt8])
  case paste([UInt8])
}

/// A sequence that begins with ESC [.
struct ControlSequence: Hashable {
  /// One of `< = > ?` right after the bracket, else 0.
  var prefix: UInt8
  /// Parameters with their sub-parameters; nil where left out.
  var parameters: [[Int?]]
  /// Bytes between the parameters and the end, such as `$`.
  var intermediates: [UInt8]
  var final: UInt8
  /// All bytes between the bracket and the end, both left out.
  var body: [UInt8]

  /// The first sub-parameter of parameter `index`.
  func value(_ index: Int, default value: Int) -> Int {
    guard index < parameters.count, let first = parameters[index].first else { return value }
    return first ?? value
  }
}

/// Separates the bytes of a terminal into tokens, one byte at a time.
///
/// 1. The tokens depend on the bytes alone, never on how reads happened to cut them. Time comes in
///    through ``flush(into:)`` only.
/// 2. No state lasts for ever: ``wait`` tells after which silence the owner must flush.
/// 3. Memory is bounded: sequences, strings and pastes are cut at a limit.
/// 4. A byte that cannot continue a sequence ends it and is read again as the start of what
///    follows.
struct InputTokenizer {
  /// How long an unfinished sequence may wait for its next byte.
  enum Wait: Hashable {
    /// Nothing is unfinished.
    case none
    /// It may be the escape key or an Alt key: a moment (tens of milliseconds).
    case key
    /// It is certainly a sequence, or half of a character: a second.
    case sequence
  }

  /// Bytes kept of a control sequence, of a string and of a paste.
  static let sequenceLimit = 128
  static let stringLimit = 4096
  static let pasteLimit = 4 << 20

  private enum State: Hashable {
    case ground
    case utf8(missing: Int, isEscaped: Bool)
    case escape
    case control
    case linuxFunction
    case singleShift(Int?)
    case plainMouse
    case string(kind: UInt8, sawEscape: Bool)
    case paste(matched: Int)
  }

  private var state = State.ground
  private var buffer: [UInt8] = []

  private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  /// How long to wait before ``flush(into:)``.
  var wait: Wait {
    switch state {
    case .ground: .none
    case .escape: .key
    case .control, .string: buffer.isEmpty ? .key : .sequence
    case .singleShift(let parameter): parameter == nil ? .key : .sequence
    case .utf8, .linuxFunction, .plainMouse, .paste: .sequence
    }
  }

  /// Takes one byte and adds the tokens it completes.
  mutating func consume(_ byte: UInt8, into tokens: inout [InputToken]) {
    switch state {
    case .ground: begin(byte, isEscaped: false, into: &tokens)
    case .utf8(let missing, let isEscaped):
      continueScalar(byte, missing: missing, isEscaped: isEscaped, into: &tokens)
    case .escape: continueEscape(byte, into: &tokens)
    case .control: continueControl(byte, into: &tokens)
    case .linuxFunction:
      state = .ground
      if (0x41...0x5A).contains(byte) {
        tokens.append(.linuxFunction(byte))
      } else {
        consume(byte, into: &tokens)
      }
    case .singleShift(let parameter):
      if (0x30...0x39).contains(byte), (parameter ?? 0) < 100 {
        state = .singleShift((parameter ?? 0) * 10 + Int(byte - 0x30))
      } else {
        state = .ground
        if (0x40...0x7E).contains(byte) {
          tokens.append(.singleShift(parameter: parameter, final: byte))
        } else {
          consume(byte, into: &tokens)
        }
      }
    case .plainMouse:
      buffer.append(byte)
      guard buffer.count == 3 else { return }
      state = .ground
      tokens.append(.plainMouse(buffer[0], buffer[1], buffer[2]))
    case .string(let kind, let sawEscape):
      continueString(byte, kind: kind, sawEscape: sawEscape, into: &tokens)
    case .paste(let matched): continuePaste(byte, matched: matched, into: &tokens)
    }
  }

  /// Gives up waiting: what is unfinished becomes the keys it may have been, or nothing.
  mutating func flush(into tokens: inout [InputToken]) {
    let former = state
    state = .ground
    switch former {
    case .ground, .linuxFunction, .plainMouse: break
    case .utf8(_, let isEscaped):
      tokens.append(.scalar("\u{FFFD}", isEscaped: isEscaped))
    case .escape: tokens.append(.escape)
    case .control: if buffer.isEmpty { tokens.append(.scalar("[", isEscaped: true)) }
    case .singleShift(let parameter):
      if parameter == nil { tokens.append(.scalar("O", isEscaped: true)) }
    case .string(let kind, let sawEscape):
      if buffer.isEmpty { tokens.append(.scalar(Unicode.Scalar(kind), isEscaped: true)) }
      if sawEscape { tokens.append(.escape) }
    case .paste(let matched):
      buffer += Self.pasteEnd.prefix(matched)
      tokens.append(.paste(buffer))
    }
    buffer = []
  }

  private mutating func begin(_ byte: UInt8, isEscaped: Bool, into tokens: inout [InputToken]) {
    state = .ground
    switch byte {
    case 0x1B: state = .escape
    case 0..<0x80: tokens.append(.scalar(Unicode.Scalar(byte), isEscaped: isEscaped))
    case 0xC2..<0xF5:
      buffer = [byte]
      state = .utf8(missing: byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3, isEscaped: isEscaped)
    default: tokens.append(.scalar("\u{FFFD}", isEscaped: isEscaped))
    }
  }

  private mutating func continueScalar(
    _ byte: UInt8, missing: Int, isEscaped: Bool, into tokens: inout [InputToken]
  ) {
    guard byte & 0xC0 == 0x80 else {
      state = .ground
      tokens.append(.scalar("\u{FFFD}", isEscaped: isEscaped))
      return consume(byte, into: &tokens)
    }
    buffer.append(byte)
    guard missing == 1 else {
      state = .utf8(missing: missing - 1, isEscaped: isEscaped)
      return
    }
    state = .ground
    let scalar = String(validating: buffer, as: UTF8.self)?.unicodeScalars.first
    tokens.append(.scalar(scalar ?? "\u{FFFD}", isEscaped: isEscaped))
  }

  private mutating func continueEscape(_ byte: UInt8, into tokens: inout [InputToken]) {
    buffer = []
    switch byte {
    case 0x5B: state = .control  // [
    case 0x4F: state = .singleShift(nil)  // O
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F:  // P X ] ^ _
      state = .string(kind: byte, sawEscape: false)
    case 0x1B:
      // The first was the key; the second may begin a sequence.
      tokens.append(.escape)
    default: begin(byte, isEscaped: true, into: &tokens)
    }
  }

  private mutating func continueControl(_ byte: UInt8, into tokens: inout [InputToken]) {
    switch byte {
    case 0x5B where buffer.isEmpty: state = .linuxFunction
    case 0x4D where buffer.isEmpty: state = .plainMouse
    case 0x24 where !buffer.isEmpty && buffer.allSatisfy { (0x30...0x39).contains($0) }:
      // rxvt ends keys with Shift this way; replies of this shape have a prefix or two parameters.
      finishControl(byte, into: &tokens)
    case 0x20...0x3F:
      if buffer.count < Self.sequenceLimit { buffer.append(byte) }
    case 0x40...0x7E: finishControl(byte, into: &tokens)
    default:
      state = .ground
      buffer = []
      consume(byte, into: &tokens)
    }
  }

  private mutating func finishControl(_ byte: UInt8, into tokens: inout [InputToken]) {
    let sequence = ControlSequence(body: buffer, final: byte)
    buffer = []
    if sequence.body == [0x32, 0x30, 0x30], byte == 0x7E {
      state = .paste(matched: 0)
    } else {
      state = .ground
      tokens.append(.control(sequence))
    }
  }

  private mutating func continueString(
    _ byte: UInt8, kind: UInt8, sawEscape: Bool, into tokens: inout [InputToken]
  ) {
    let isEnd = sawEscape ? byte == 0x5C : byte == 0x07 && kind == 0x5D
    if isEnd {
      state = .ground
      tokens.append(.string(kind: kind, payload: buffer))
      buffer = []
    } else if sawEscape {
      state = .escape
      consume(byte, into: &tokens)
    } else if byte == 0x1B {
      state = .string(kind: kind, sawEscape: true)
    } else if byte == 0x18 || byte == 0x1A {
      state = .ground
      buffer = []
    } else if buffer.count < Self.stringLimit {
      buffer.append(byte)
    }
  }

  private mutating func continuePaste(
    _ byte: UInt8, matched: Int, into tokens: inout [InputToken]
  ) {
    if byte == Self.pasteEnd[matched] {
      if matched + 1 == Self.pasteEnd.count {
        state = .ground
        tokens.append(.paste(buffer))
        buffer = []
      } else {
        state = .paste(matched: matched + 1)
      }
      return
    }
    // Only its first byte, ESC, can begin the end mark again: it occurs in it once.
    let restarts = byte == Self.pasteEnd[0]
    let kept = Self.pasteEnd.prefix(matched) + (restarts ? [] : [byte])
    if buffer.count < Self.pasteLimit { buffer += kept }
    state = .paste(matched: restarts ? 1 : 0)
  }
}

extension ControlSequence {
  /// Reads the bytes between `ESC [` and the final byte.
  init(body: [UInt8], final: UInt8) {
    self.body = body
    self.final = final
    var rest = body[...]
    prefix = 0
    if let first = rest.first, (0x3C...0x3F).contains(first) {
      prefix = first
      rest = rest.dropFirst()
    }
    intermediates = rest.filter { $0 < 0x30 }
    parameters = []
    let numbers = rest.filter { $0 >= 0x30 }
    guard !numbers.isEmpty else { return }
    for part in numbers.split(separator: 0x3B, omittingEmptySubsequences: false) {
      let subparameters = part.split(separator: 0x3A, omittingEmptySubsequences: false)
      parameters.append(
        subparameters.map { digits in
          guard !digits.isEmpty else { return nil }
          var value = 0
          for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = min(value * 10 + Int(digit - 0x30), 1 << 24)
          }
          return value
        })
    }
  }
}
