import Geometry

/// Converts the bytes of a terminal to events. It has no clock: its owner calls ``flush()`` after
/// the silence that ``wait`` specifies.
///
/// Replies of the terminal are never taken for keys, whenever they come; ``feed(_:)`` returns them
/// beside the events.
struct InputParser {
  /// The events and replies completed by the bytes so far, in order.
  struct Output: Hashable {
    var events: [InputEvent] = []
    var replies: [TerminalReply] = []
  }

  /// The number of queries whose DA1 is unanswered. Every query ends with DA1, which every terminal
  /// answers.
  var outstandingQueries = 0 {
    didSet { tokenizer.expectsReplies = expectsReplies }
  }

  /// While true, `CSI row ; column R` is a reply and not F3 with a modifier, which looks the same
  /// in the first row, and a lone ESC waits longer to become a key.
  var expectsReplies: Bool { outstandingQueries > 0 }

  private var tokenizer = InputTokenizer()
  /// Keys whose bytes differ from those of most terminals.
  private let keySequences: [KeySequence]

  /// A key and its bytes. Searching a few dozen takes less time than building a table of them.
  typealias KeySequence = (bytes: [UInt8], press: KeyPress)

  /// - Parameter keySequences: of two with the same bytes the last one is used.
  init(keySequences: [KeySequence] = []) {
    self.keySequences = keySequences
  }

  var wait: InputTokenizer.Wait { tokenizer.wait }

  /// - Complexity: O(n) in the bytes.
  mutating func feed(_ bytes: some Sequence<UInt8>) -> Output {
    var tokens: [InputToken] = []
    for byte in bytes { tokenizer.consume(byte, into: &tokens) }
    return interpret(tokens)
  }

  /// Handles a silence as long as ``wait`` specifies: a lone ESC is the escape key.
  mutating func flush() -> Output {
    var tokens: [InputToken] = []
    tokenizer.flush(into: &tokens)
    return interpret(tokens)
  }

  private mutating func interpret(_ tokens: [InputToken]) -> Output {
    var output = Output()
    for token in tokens {
      if let press = unusualKey(token) {
        output.events.append(press.event)
        continue
      }
      switch token {
      case .scalar(let scalar, let isEscaped):
        output.events.append(Self.key(scalar, isEscaped: isEscaped).event)
      case .escape: output.events.append(.key(.escape))
      case .singleShift(let parameter, let final):
        if let press = KeyPress(singleShift: final, parameter: parameter) {
          output.events.append(press.event)
        }
      case .linuxFunction(let letter):
        if (0x41...0x45).contains(letter) {
          output.events.append(.key(.function(Int(letter) - 0x40)))
        }
      case .plainMouse(let button, let column, let row):
        append(
          MouseReport(
            code: Int(button) - 32, column: Int(column) - 32, row: Int(row) - 32, isRelease: nil),
          to: &output)
      case .paste(let bytes):
        // As characters, so that a return with a line feed is one.
        let text = String(decoding: bytes, as: UTF8.self).map {
          $0 == "\r" || $0 == "\r\n" ? "\n" : $0
        }
        output.events.append(.paste(String(text)))
      case .abandonedPaste: output.events.append(.pasteAbandoned)
      case .string(let kind, let payload):
        if let reply = TerminalReply(string: kind, payload) { output.replies.append(reply) }
      case .control(let sequence): interpret(sequence, into: &output)
      }
    }
    return output
  }

  private mutating func interpret(_ sequence: ControlSequence, into output: inout Output) {
    switch (sequence.prefix, sequence.final) {
    case (0x3C, 0x4D), (0x3C, 0x6D):  // < M m
      append(
        MouseReport(
          code: sequence.value(0, default: 0), column: sequence.value(1, default: 1),
          row: sequence.value(2, default: 1), isRelease: sequence.final == 0x6D),
        to: &output)
    case (0, 0x4D):  // M with parameters: urxvt's mouse
      append(
        MouseReport(
          code: sequence.value(0, default: 32) - 32, column: sequence.value(1, default: 1),
          row: sequence.value(2, default: 1), isRelease: nil),
        to: &output)
    case (0x3F, 0x63):  // ? c
      outstandingQueries = max(0, outstandingQueries - 1)
      output.replies.append(.attributes(sequence.parameters.compactMap { $0.first ?? nil }))
    case (0x3E, 0x63):  // > c
      output.replies.append(.kind(sequence.value(0, default: 0)))
    case (0x3F, 0x79):  // ? $ y
      output.replies.append(
        .mode(sequence.value(0, default: 0), state: sequence.value(1, default: 0)))
    case (0, 0x74):  // t
      output.replies.append(.window(sequence.parameters.compactMap { $0.first ?? nil }))
    case (0, 0x52) where expectsReplies || !Self.isModifiedF3(sequence):  // R
      if sequence.parameters.count == 2 {
        output.replies.append(
          .cursor(row: sequence.value(0, default: 1), column: sequence.value(1, default: 1)))
      } else if sequence.parameters.isEmpty {
        output.events.append(.key(.function(3)))
      }
    case (0, 0x49) where sequence.body.isEmpty: output.replies.append(.focus(true))  // I
    case (0, 0x4F) where sequence.body.isEmpty: output.replies.append(.focus(false))  // O
    case (0, _):
      if let press = KeyPress(sequence) { output.events.append(press.event) }
    default: break  // A reply to a query that this program does not send.
    }
  }

  private func append(_ report: MouseReport, to output: inout Output) {
    if let event = report.event { output.events.append(.mouse(event)) }
  }

  private func unusualKey(_ token: InputToken) -> KeyPress? {
    guard !keySequences.isEmpty else { return nil }
    let bytes: [UInt8]
    switch token {
    case .control(let sequence): bytes = [0x1B, 0x5B] + sequence.body + [sequence.final]
    case .singleShift(nil, let final): bytes = [0x1B, 0x4F, final]
    case .scalar(let scalar, isEscaped: true): bytes = [0x1B] + Array(String(scalar).utf8)
    default: return nil
    }
    return keySequences.last { $0.bytes == bytes }?.press
  }

  private static func isModifiedF3(_ sequence: ControlSequence) -> Bool {
    sequence.parameters.count == 2 && sequence.value(0, default: 1) == 1
      && (2...16).contains(sequence.value(1, default: 1))
  }

  private static func key(_ scalar: Unicode.Scalar, isEscaped: Bool) -> KeyPress {
    var press = KeyPress(typed: scalar)
    if isEscaped { press.modifiers.insert(.alt) }
    return press
  }
}

extension TerminalReply {
  /// Parses the string of a device control (`P`) or operating system (`]`) command; `nil` for all
  /// others.
  fileprivate init?(string kind: UInt8, _ payload: [UInt8]) {
    let text = String(decoding: payload, as: UTF8.self)
    switch kind {
    case 0x50 where text.hasPrefix(">|"): self = .version(String(text.dropFirst(2)))
    case 0x50 where text.hasPrefix("1$r"): self = .setting(String(text.dropFirst(3)))
    case 0x5D:
      let parts = text.split(separator: ";", maxSplits: 1)
      guard parts.count == 2, let number = Int(parts[0]) else { return nil }
      self = .color(number, String(parts[1]))
    default: return nil
    }
  }
}
