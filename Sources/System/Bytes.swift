import Glibc

extension UnsafeRawBufferPointer {
  /// The offset of the first `byte` at or after `start`; `nil` if there is none.
  ///
  /// - Complexity: O(n) in the bytes before it; `memchr` compares many at once.
  @inlinable package func index(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}

extension UInt8 {
  /// Whether it is an ASCII letter.
  @inlinable package var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  /// Whether it is an ASCII letter or digit.
  @inlinable package var isAlphanumeric: Bool { isLetter || (0x30...0x39).contains(self) }

  /// The value of a hexadecimal digit; `nil` for any other byte.
  @inlinable package var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x61 + 10
    default: nil
    }
  }
}
