/// An address of the internet protocol, version 4 or 6.
public struct IPAddress: Hashable, Sendable {
  /// Four or sixteen, the most significant first.
  public let bytes: [UInt8]

  /// Nil where there are neither 4 nor 16 bytes.
  public init?(bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// An address as the system and URLs write it: version 6 with or without brackets and zone, version
  /// 4 in every spelling that `inet_aton` knows (`"127.1"`, `"0x7f.1"`, `"0177.0.0.1"`,
  /// `"2130706433"`); nil of anything else.
  ///
  /// - Complexity: O(n) in the bytes.
  public init?(_ text: some StringProtocol) {
    var text = text[...]
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    let parsed = text.contains(":") ? Self.version6(String(text)) : Self.version4(String(text))
    guard let parsed else { return nil }
    bytes = parsed
  }

  var isVersion4: Bool { bytes.count == 4 }

  // MARK: Text

  private static func version4(_ text: String) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 4 else { return nil }
    var numbers: [UInt32] = []
    for part in parts {
      guard let number = number(part) else { return nil }
      numbers.append(number)
    }
    // The last number fills all bytes that are left.
    guard var rest = numbers.popLast() else { return nil }
    var bytes: [UInt8] = []
    for number in numbers {
      guard let byte = UInt8(exactly: number) else { return nil }
      bytes.append(byte)
    }
    var last: [UInt8] = []
    for _ in bytes.count..<4 {
      last.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return rest == 0 ? bytes + last : nil
  }

  /// Decimal, octal after a zero, hexadecimal after `0x`.
  private static func number(_ text: Substring) -> UInt32? {
    guard let first = text.utf8.first, first >= 0x30, first <= 0x39 else { return nil }
    let lower = text.lowercased()
    if lower.hasPrefix("0x") {
      let digits = lower.dropFirst(2)
      return digits.isEmpty ? 0 : unsigned(digits, radix: 16)
    }
    return lower.count > 1 && lower.hasPrefix("0")
      ? unsigned(lower.dropFirst(), radix: 8) : unsigned(lower[...], radix: 10)
  }

  private static func unsigned(_ digits: Substring, radix: Int) -> UInt32? {
    // A sign is no digit here.
    guard digits.utf8.first != UInt8(ascii: "+") else { return nil }
    return UInt32(digits, radix: radix)
  }

  private static func version6(_ text: String) -> [UInt8]? {
    let address = text.prefix { $0 != "%" }
    var parts = address.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 3, parts.count <= 9 else { return nil }
    // A gap at either end leaves two empty parts there.
    if parts[0].isEmpty {
      guard parts[1].isEmpty else { return nil }
      parts.removeFirst()
    }
    if parts.last == "" {
      guard parts.count > 1, parts[parts.count - 2].isEmpty else { return nil }
      parts.removeLast()
    }
    var bytes: [UInt8] = []
    var gap: Int?
    for (index, part) in parts.enumerated() {
      if part.isEmpty {
        guard gap == nil else { return nil }
        gap = bytes.count
      } else if part.contains(".") {
        guard index == parts.count - 1, let last = dotted(part) else { return nil }
        bytes += last
      } else {
        guard part.utf8.count <= 4, part.utf8.first != UInt8(ascii: "+"),
          let number = UInt16(part, radix: 16)
        else { return nil }
        bytes += [UInt8(number >> 8), UInt8(number & 0xFF)]
      }
    }
    guard let gap else { return bytes.count == 16 ? bytes : nil }
    guard bytes.count < 16 else { return nil }
    bytes.insert(contentsOf: [UInt8](repeating: 0, count: 16 - bytes.count), at: gap)
    return bytes
  }

  /// The four decimal numbers at the end of an address of version 6.
  private static func dotted(_ text: String) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { part in part.utf8.first == 0x2B ? nil : UInt8(part) }
    return parts.count == 4 && bytes.count == 4 ? bytes : nil
  }
}

extension IPAddress: CustomStringConvertible {
  /// As usual: `"127.0.0.1"`, `"fe80::1"`.
  public var description: String {
    guard !isVersion4 else { return bytes.map(String.init).joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
    if groups.prefix(5).allSatisfy({ $0 == 0 }), groups[5] == 0xFFFF {
      return "::ffff:" + bytes.suffix(4).map(String.init).joined(separator: ".")
    }
    // The first of the longest runs of zeros becomes the gap (RFC 5952).
    var gap = 0..<0
    var start = 0
    while start < 8 {
      let end = groups[start...].firstIndex { $0 != 0 } ?? 8
      if end - start > max(1, gap.count) { gap = start..<end }
      start = max(end, start + 1)
    }
    let text = { (groups: ArraySlice<Int>) in
      groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard !gap.isEmpty else { return text(groups[...]) }
    return text(groups[..<gap.lowerBound]) + "::" + text(groups[gap.upperBound...])
  }
}
