/// Splits the bytes of a terminal into tokens, one byte at a time.
///
/// 1. The tokens depend only on the bytes and the silences between them, never on how reads split
///    the bytes. Silences are reported through ``flush(into:)`` only.
/// 2. No state makes the owner wait forever: ``wait`` specifies the silence after which it must
///    flush.
/// 3. Memory is bounded: sequences, strings and pastes are cut at a limit.
/// 4. A byte that cannot continue a sequence ends it and is read again as the start of the next
///    token.
/// 5. A sequence that ESC and one of `[ ] P _` have begun continues after a silence: its rest is
///    not read as keys, however late it comes. As the rest may never come, bytes after the silence
///    that cannot belong to it, or that are a single key, end the sequence and are read again as
///    keys.
/// 6. The same holds for a paste after the silence that abandons it.
struct InputTokenizer {
  /// How long an unfinished sequence may wait for its next byte.
  enum Wait: Hashable {
    /// Nothing has to be decided.
    case none
    /// The bytes may be a key: tens of milliseconds.
    case key
    /// The bytes are certainly a sequence or a part of a character: a second.
    case sequence
    /// A paste without its end: ten seconds.
    case paste
  }

  /// The most bytes kept of a control sequence, of a string and of a paste.
  static let sequenceLimit = 128
  static let stringLimit = 4096
  static let pasteLimit = 1 << 20

  /// While true, a lone ESC may be the beginning of a reply, and becomes a key only when a second
  /// has passed or another key comes. Reset when a silence makes an ESC a key.
  var expectsReplies = false

  private enum State: Hashable {
    case ground
    case utf8(missing: Int, isEscaped: Bool)
    case escape
    /// An ESC, held longer than a key takes because replies are expected.
    case pendingEscape
    /// The escape key was read last; its ESC may have begun a sequence after all.
    case afterEscapeKey
    case control
    case linuxFunction
    case singleShift(Int?)
    case plainMouse
    case string(kind: UInt8, sawEscape: Bool)
    /// An ESC alone ended a string, as from urxvt; its backslash may still come.
    case afterString
    case paste(matched: Int)
  }

  /// Bytes after a silence inside a sequence. If they do not continue it, they are read again as
  /// keys.
  private struct LateBytes: Hashable {
    var bytes: [UInt8] = []
    /// Whether the sequence's ESC was read as the escape key; `bytes` is then all that followed it.
    var followsEscapeKey = false
  }

  private var state = State.ground
  private var buffer: [UInt8] = []
  private var late: LateBytes?

  private static let pasteStart: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x30, 0x7E]
  private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  /// How long to wait before calling ``flush(into:)``.
  var wait: Wait {
    if let late { return late.bytes.isEmpty ? .none : .key }
    switch state {
    case .ground, .afterEscapeKey, .afterString: return .none
    case .escape: return .key
    case .control: return buffer.isEmpty ? .key : .sequence
    case .string(_, let sawEscape): return sawEscape || buffer.isEmpty ? .key : .sequence
    case .singleShift(let parameter): return parameter == nil ? .key : .sequence
    case .utf8, .linuxFunction, .plainMouse, .pendingEscape: return .sequence
    case .paste: return .paste
    }
  }

  /// Reads one byte and appends the tokens that it completes.
  mutating func consume(_ byte: UInt8, into tokens: inout [InputToken]) {
    guard late != nil else { return advance(byte, into: &tokens) }
    guard canContinueSequence(byte) else {
      let bytes = takeLateBytes() + [byte]
      state = .ground
      for byte in bytes { consume(byte, into: &tokens) }
      return
    }
    let wasPaste = isPaste
    if let count = late?.bytes.count, count < Self.sequenceLimit { late?.bytes.append(byte) }
    advance(byte, into: &tokens)
    switch state {
    case .control, .linuxFunction, .plainMouse, .string: break
    case .paste where wasPaste:
      // Another paste begins; the end of the previous one was lost.
      if let bytes = late?.bytes, bytes.suffix(6) == Self.pasteStart[...] {
        late = nil
        state = .paste(matched: 0)
      }
    default: late = nil
    }
  }

  private mutating func advance(_ byte: UInt8, into tokens: inout [InputToken]) {
    switch state {
    case .ground: begin(byte, isEscaped: false, into: &tokens)
    case .utf8(let missing, let isEscaped):
      continueScalar(byte, missing: missing, isEscaped: isEscaped, into: &tokens)
    case .escape: continueEscape(byte, into: &tokens)
    case .pendingEscape:
      if Self.introducers.contains(byte) {
        continueEscape(byte, into: &tokens)
      } else {
        tokens.append(.escape)
        begin(byte, isEscaped: false, into: &tokens)
      }
    case .afterEscapeKey:
      if Self.introducers.contains(byte) {
        late = LateBytes(bytes: [byte], followsEscapeKey: true)
        continueEscape(byte, into: &tokens)
      } else {
        begin(byte, isEscaped: false, into: &tokens)
      }
    case .control: continueControl(byte, into: &tokens)
    case .linuxFunction:
      if (0x41...0x5A).contains(byte) {
        state = .ground
        tokens.append(.linuxFunction(byte))
      } else {
        begin(byte, isEscaped: false, into: &tokens)
      }
    case .singleShift(let parameter):
      if (0x30...0x39).contains(byte), (parameter ?? 0) < 100 {
        state = .singleShift((parameter ?? 0) * 10 + Int(byte - 0x30))
      } else if (0x40...0x7E).contains(byte) {
        state = .ground
        tokens.append(.singleShift(parameter: parameter, final: byte))
      } else {
        begin(byte, isEscaped: false, into: &tokens)
      }
    case .plainMouse:
      buffer.append(byte)
      guard buffer.count == 3 else { return }
      state = .ground
      tokens.append(.plainMouse(buffer[0], buffer[1], buffer[2]))
    case .string(let kind, let sawEscape):
      continueString(byte, kind: kind, sawEscape: sawEscape, into: &tokens)
    case .afterString:
      state = .ground
      if byte != 0x5C { begin(byte, isEscaped: false, into: &tokens) }
    case .paste(let matched): continuePaste(byte, matched: matched, into: &tokens)
    }
  }

  /// Handles a silence as long as ``wait`` specifies: an unfinished sequence becomes a key if it
  /// may be one, or keeps waiting for its rest.
  mutating func flush(into tokens: inout [InputToken]) {
    if late != nil { return flushLateBytes(into: &tokens) }
    switch state {
    case .ground, .afterEscapeKey, .afterString: break
    case .utf8(_, let isEscaped):
      state = .ground
      tokens.append(.scalar("\u{FFFD}", isEscaped: isEscaped))
    case .escape where expectsReplies: state = .pendingEscape
    case .escape, .pendingEscape:
      expectsReplies = false
      state = .afterEscapeKey
      tokens.append(.escape)
    case .singleShift(let parameter):
      state = .ground
      if parameter == nil { tokens.append(.scalar("O", isEscaped: true)) }
    case .string(let kind, sawEscape: true): finishString(kind, state: .afterString, into: &tokens)
    case .string(let kind, _) where buffer.isEmpty && !Self.introducers.contains(kind):
      state = .ground
      tokens.append(.scalar(Unicode.Scalar(kind), isEscaped: true))
    case .control, .linuxFunction, .plainMouse, .string: late = LateBytes()
    case .paste:
      buffer = []
      late = LateBytes()
      tokens.append(.abandonedPaste)
    }
  }

  // MARK: After a silence

  private mutating func flushLateBytes(into tokens: inout [InputToken]) {
    guard let found = late, !found.bytes.isEmpty else { return }
    let isTyped = found.followsEscapeKey ? found.bytes.count < 3 : Self.isOneKey(found.bytes)
    if case .string(let kind, sawEscape: true) = state, !(isTyped && found.followsEscapeKey) {
      late = nil
      return finishString(kind, state: .afterString, into: &tokens)
    }
    guard isTyped else {
      late = LateBytes()
      return
    }
    let bytes = takeLateBytes()
    state = .ground
    for byte in bytes { consume(byte, into: &tokens) }
    if case .escape = state { flush(into: &tokens) }
  }

  /// The bytes to read again as keys; none if more came than are kept. Clears them.
  private mutating func takeLateBytes() -> [UInt8] {
    let bytes = late?.bytes ?? []
    late = nil
    buffer = []
    return bytes.count < Self.sequenceLimit ? bytes : []
  }

  private static func isOneKey(_ bytes: [UInt8]) -> Bool {
    var other = InputTokenizer()
    var tokens: [InputToken] = []
    for byte in bytes { other.consume(byte, into: &tokens) }
    other.flush(into: &tokens)
    return tokens.count == 1
  }

  private var isPaste: Bool {
    if case .paste = state { return true }
    return false
  }

  /// The bytes `[ ] P _`, which follow the ESC of a terminal's reply. They are never read as keys
  /// with Alt.
  private static let introducers: [UInt8] = [0x5B, 0x5D, 0x50, 0x5F]

  /// Whether `byte` can continue a sequence that terminals send. Stricter than the grammar of
  /// sequences, which would accept most typed keys.
  private func canContinueSequence(_ byte: UInt8) -> Bool {
    switch state {
    case .control: return canContinueControl(byte)
    case .linuxFunction: return (0x41...0x45).contains(byte)
    case .plainMouse: return byte >= 0x20
    case .string(_, sawEscape: true): return true
    case .string(let kind, _):
      return byte == 0x1B || Self.canContinueText(byte, of: kind, after: buffer)
    case .paste: return true
    default: return false
    }
  }

  private func canContinueControl(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3B: return true  // 0…9 : ;
    case 0x3C...0x3F: return buffer.isEmpty  // < = > ?
    case 0x24: return !buffer.isEmpty  // $
    default: break
    }
    switch buffer.first {
    case nil: return Self.isByte(byte, in: "ABCDFHIMOPQRSZabcd[")
    case 0x3C: return Self.isByte(byte, in: "Mm")
    case 0x3D, 0x3E: return byte == 0x63
    case 0x3F: return Self.isByte(byte, in: "cnuyR")
    default:
      if buffer.contains(0x24) { return byte == 0x79 }
      return Self.isByte(byte, in: "ABCDFHMPQRSZcntu~^@")
    }
  }

  /// Whether `byte` can follow `text` in a reply that is a string: colours (`]`), a version, a
  /// setting (`P`), the answer to a graphics query (`_`).
  private static func canContinueText(_ byte: UInt8, of kind: UInt8, after text: [UInt8]) -> Bool {
    switch (kind, text.first) {
    case (0x5D, nil): return (0x30...0x39).contains(byte)
    case (0x5D, _): return byte == 7 || isByte(byte, in: "0123456789abcdefABCDEFrg:;/#")
    case (0x50, nil): return isByte(byte, in: ">!01")
    case (0x5F, nil): return byte == 0x47
    default: return byte >= 0x20 && byte != 0x7F
    }
  }

  private static func isByte(_ byte: UInt8, in letters: StaticString) -> Bool {
    letters.withUTF8Buffer { $0.contains(byte) }
  }

  // MARK: Bytes

  private mutating func begin(_ byte: UInt8, isEscaped: Bool, into tokens: inout [InputToken]) {
    state = .ground
    buffer = []
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
      tokens.append(.scalar("\u{FFFD}", isEscaped: isEscaped))
      return begin(byte, isEscaped: false, into: &tokens)
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
      // The first ESC was the key; the second may begin a sequence.
      state = .escape
      tokens.append(.escape)
    default: begin(byte, isEscaped: true, into: &tokens)
    }
  }

  private mutating func continueControl(_ byte: UInt8, into tokens: inout [InputToken]) {
    switch byte {
    case 0x5B where buffer.isEmpty: state = .linuxFunction
    case 0x4D where buffer.isEmpty: state = .plainMouse
    case 0x24 where !buffer.isEmpty && buffer.allSatisfy { (0x30...0x39).contains($0) }:
      // rxvt ends shifted keys this way; replies of this form have a prefix or two parameters.
      finishControl(byte, into: &tokens)
    case 0x20...0x3F:
      if buffer.count < Self.sequenceLimit { buffer.append(byte) }
    case 0x40...0x7E: finishControl(byte, into: &tokens)
    default: begin(byte, isEscaped: false, into: &tokens)
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
    if sawEscape {
      // An ESC alone ends a string, too. It does not escape the next byte: a key that follows has
      // an ESC of its own. But it begins the next sequence if the string was cut short.
      finishString(kind, state: .ground, into: &tokens)
      switch byte {
      case 0x5C: break
      case 0x5B, 0x4F, 0x50, 0x58, 0x5D, 0x5E, 0x5F: continueEscape(byte, into: &tokens)
      default: begin(byte, isEscaped: false, into: &tokens)
      }
    } else if byte == 0x07 && kind == 0x5D {
      finishString(kind, state: .ground, into: &tokens)
    } else if byte == 0x1B {
      state = .string(kind: kind, sawEscape: true)
    } else if byte == 0x18 || byte == 0x1A {
      state = .ground
      buffer = []
    } else if buffer.count < Self.stringLimit {
      buffer.append(byte)
    }
  }

  private mutating func finishString(
    _ kind: UInt8, state next: State, into tokens: inout [InputToken]
  ) {
    state = next
    tokens.append(.string(kind: kind, payload: buffer))
    buffer = []
  }

  private mutating func continuePaste(
    _ byte: UInt8, matched: Int, into tokens: inout [InputToken]
  ) {
    if byte == Self.pasteEnd[matched] {
      if matched + 1 == Self.pasteEnd.count {
        finishPaste(into: &tokens)
      } else {
        state = .paste(matched: matched + 1)
      }
      return
    }
    // Only an ESC can begin the end mark again: it occurs in the mark once.
    let restarts = byte == Self.pasteEnd[0]
    if late == nil, buffer.count < Self.pasteLimit {
      buffer += Self.pasteEnd.prefix(matched)
      if !restarts { buffer.append(byte) }
    }
    state = .paste(matched: restarts ? 1 : 0)
  }

  /// Ends the paste. Start marks are not part of its text: they belong to pastes whose ends were
  /// lost.
  private mutating func finishPaste(into tokens: inout [InputToken]) {
    state = .ground
    guard late == nil else { return }
    tokens.append(.paste(Array(buffer.split(separator: Self.pasteStart).joined())))
    buffer = []
  }
}
