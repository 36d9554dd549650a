/// A lexical unit of a terminal's input, interpreted by ``InputParser``.
enum InputToken: Hashable {
  /// A code point; U+FFFD in place of bytes that are not UTF-8.
  case scalar(Unicode.Scalar, isEscaped: Bool)
  /// The escape key itself.
  case escape
  case control(ControlSequence)
  /// ESC O and a letter, with the modifier that old terminals send between them.
  case singleShift(parameter: Int?, final: UInt8)
  /// ESC [ [ and a letter: F1 to F5 of the Linux console.
  case linuxFunction(UInt8)
  /// Button, column and row of the oldest mouse protocol, as sent.
  case plainMouse(UInt8, UInt8, UInt8)
  /// A device control, operating system or application string without its frame.
  case string(kind: UInt8, payload: [UInt8])
  case paste([UInt8])
  /// A paste that was dropped because its end mark did not come.
  case abandonedPaste
}

/// A sequence that begins with ESC [.
struct ControlSequence: Hashable {
  /// One of `< = > ?` right after the bracket, else 0.
  var prefix: UInt8
  /// Parameters with their sub-parameters; `nil` for one that was omitted.
  var parameters: [[Int?]]
  /// Bytes between the parameters and the end, such as `$`.
  var intermediates: [UInt8]
  var final: UInt8
  /// All bytes between the bracket and the final byte.
  var body: [UInt8]

  /// The first sub-parameter of parameter `index`.
  func value(_ index: Int, default value: Int) -> Int {
    guard index < parameters.count, let first = parameters[index].first else { return value }
    return first ?? value
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
