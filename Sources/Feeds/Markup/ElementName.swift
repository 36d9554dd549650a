/// The name of an element or attribute, lower-cased and packed into two integers, so that names are
/// compared without strings.
struct ElementName: Hashable, Sendable, ExpressibleByStringLiteral {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// - Complexity: O(n) in the bytes.
  init(_ bytes: some Collection<UInt8>) {
    let isRead: Void? = bytes.withContiguousStorageIfAvailable { bytes in
      read(UnsafeRawBufferPointer(bytes))
    }
    if isRead == nil { Array(bytes).withUnsafeBytes { read($0) } }
  }

  @inline(__always) private mutating func read(_ bytes: UnsafeRawBufferPointer) {
    var packed: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &packed) {
      $0.copyMemory(
        from: UnsafeRawBufferPointer(start: bytes.baseAddress, count: min(16, bytes.count)))
    }
    low = Self.lowered(UInt64(littleEndian: packed.0))
    high = Self.lowered(UInt64(littleEndian: packed.1))
    // No name that the readers know is longer; further bytes are hashed.
    guard bytes.count > 16 else { return }
    for index in 16..<bytes.count {
      high = (high ^ Self.lowered(UInt64(bytes[index]))) &* 0x100_0000_01B3
    }
  }

  /// Eight bytes with their ASCII letters in lower case.
  private static func lowered(_ bytes: UInt64) -> UInt64 {
    let each: UInt64 = 0x0101_0101_0101_0101
    let sevenBits = bytes & (each &* 0x7F)
    let fromA = sevenBits &+ each &* UInt64(128 - UInt8(ascii: "A"))
    let beyondZ = sevenBits &+ each &* UInt64(127 - UInt8(ascii: "Z"))
    let isLetter = fromA & ~beyondZ & ~bytes & (each &* 0x80)
    return bytes | isLetter >> 2
  }

  init(_ name: String) { self.init(name.utf8) }

  /// The parts of a name before and after its first colon; `prefix` is `nil` if there is none.
  static func split(_ name: some Collection<UInt8>) -> (prefix: ElementName?, local: ElementName) {
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else {
      return (nil, ElementName(name))
    }
    let prefix = name[..<colon]
    let local = ElementName(name[name.index(after: colon)...])
    return (prefix.isEmpty ? nil : ElementName(prefix), local)
  }

  // Inlined, a literal becomes two constants at compile time.
  @inline(__always) init(stringLiteral name: StaticString) {
    read(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}

extension Dictionary where Key == ElementName {
  /// - Parameter names: the values, each with its names separated by spaces.
  init(names: [(Value, String)]) {
    self.init()
    for (value, list) in names {
      for name in list.split(separator: " ") { self[ElementName(String(name))] = value }
    }
  }
}
