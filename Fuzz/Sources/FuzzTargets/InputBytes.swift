/// An input taken byte by byte; zeros follow its end.
struct InputBytes {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// 0..<`limit`, of one byte.
  mutating func number(below limit: Int) -> Int { Int(byte()) % max(1, limit) }

  mutating func flag() -> Bool { byte() & 1 == 1 }

  /// Any number at all, of eight bytes.
  mutating func integer() -> Int {
    var value: UInt64 = 0
    for _ in 0..<8 { value = value << 8 | UInt64(byte()) }
    return Int(bitPattern: UInt(value))
  }

  mutating func element<Element>(of choices: [Element]) -> Element {
    choices[number(below: choices.count)]
  }

  /// As many bytes as the next one says.
  mutating func piece() -> [UInt8] {
    let count = Int(byte())
    let piece = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return piece
  }

  /// What is left, as text.
  var text: String { String(decoding: rest, as: UTF8.self) }
}

/// Draws of one byte each in place of chance, so that a byte of the input is a decision.
struct ByteGenerator: RandomNumberGenerator {
  private var input: InputBytes

  init(_ input: InputBytes) { self.input = input }

  var isAtEnd: Bool { input.isAtEnd }

  /// The standard library takes the high bits and draws again where the low ones are nearly zero.
  mutating func next() -> UInt64 { UInt64(input.byte()) << 56 | 0x0080_0000_0000_0001 }
}
