/// Classifies addresses by IANA's special-purpose address registries (RFC 6890) and their updates.
extension IPAddress {
  /// The purpose of an address.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// Any public address of the internet.
    case global
    /// This machine. A connection to the unspecified address (`0.0.0.0`, `::`) reaches it, too.
    case loopback
    /// A private network, including a provider's network behind carrier-grade NAT.
    case local
    /// The same link, including cloud metadata services, which hand out a machine's credentials.
    case link
    /// Many machines at once: multicast and broadcast.
    case multicast
    /// Reserved for tests, examples or later use; only a nearby machine can answer.
    case reserved

    /// `"a loopback address"`.
    package var text: String {
      switch self {
      case .global: "a public address"
      case .loopback: "a loopback address"
      case .local: "a private address"
      case .link: "a link-local address"
      case .multicast: "a multicast address"
      case .reserved: "a reserved address"
      }
    }

    /// The stricter of two kinds of one address: the one that only a wider `RequestScope` includes.
    fileprivate func stricter(_ other: Kind) -> Kind {
      RequestScope(to: self) >= RequestScope(to: other) ? self : other
    }
  }

  /// Whether both begin with the same bits; missing bytes count as zeros.
  package static func areEqual(
    _ a: some RandomAccessCollection<UInt8>, _ b: some RandomAccessCollection<UInt8>, bits: Int
  ) -> Bool {
    var left = bits
    var (a, b) = (a.makeIterator(), b.makeIterator())
    while left > 0 {
      let mask: UInt8 = left >= 8 ? 0xFF : ~(0xFF >> UInt8(left))
      if (a.next() ?? 0) & mask != (b.next() ?? 0) & mask { return false }
      left -= 8
    }
    return true
  }

  /// Blocks of addresses, each with its prefix and its length; the first one that has an address
  /// determines its kind.
  private static let ipv4Blocks: [(prefix: [UInt8], bits: Int, kind: Kind)] = [
    ([0], 8, .loopback),
    ([10], 8, .local),
    // Carrier-grade NAT (RFC 6598), shared by a provider's customers.
    ([100, 64], 10, .local),
    ([127], 8, .loopback),
    ([169, 254], 16, .link),
    ([172, 16], 12, .local),
    ([192, 0, 0], 24, .reserved),
    // Documentation.
    ([192, 0, 2], 24, .reserved), ([198, 51, 100], 24, .reserved),
    ([203, 0, 113], 24, .reserved),
    // The anycast prefix of 6to4 relays, deprecated by RFC 7526.
    ([192, 88, 99], 24, .reserved),
    ([192, 168], 16, .local),
    // Network benchmarks.
    ([198, 18], 15, .reserved),
    ([224], 4, .multicast),
    // Limited broadcast.
    ([255, 255, 255, 255], 32, .multicast),
    ([240], 4, .reserved),
  ]

  private static let ipv6Blocks: [(prefix: [UInt8], bits: Int, kind: Kind)] = [
    ([0xFC], 7, .local), ([0xFE, 0x80], 10, .link),
    // Site-local, deprecated by RFC 3879, but still used.
    ([0xFE, 0xC0], 10, .local),
    ([0xFF], 8, .multicast),
    // Benchmarks, ORCHID and ORCHIDv2 (host identifiers that are not routed), documentation.
    ([0x20, 0x01, 0, 2, 0, 0], 48, .reserved), ([0x20, 0x01, 0, 0x10], 28, .reserved),
    ([0x20, 0x01, 0, 0x20], 28, .reserved),
    ([0x20, 0x01, 0x0D, 0xB8], 32, .reserved), ([0x3F, 0xFF, 0], 20, .reserved),
    // Global unicast.
    ([0x20], 3, .global),
  ]

  /// The kind of the address. An IPv6 address that embeds IPv4 addresses is classified by these; if
  /// several kinds apply, the strictest counts.
  public var kind: Kind {
    guard !isVersion4 else { return Self.kind(ofVersion4: bytes) }
    let embedded = { (range: Range<Int>) in Self.kind(ofVersion4: bytes[range]) }
    func begins(_ prefix: [UInt8], _ bits: Int) -> Bool {
      Self.areEqual(prefix, bytes, bits: bits)
    }
    if begins([], 128) || begins([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128) {
      return .loopback
    }
    // IPv4-mapped, and IPv4-translated (SIIT, RFC 2765).
    if begins([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96)
      || begins([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96)
    {
      return embedded(12..<16)
    }
    // IPv4-compatible, which is no longer routed: never global, whatever it embeds.
    if begins([], 96) { return embedded(12..<16).stricter(.reserved) }
    // NAT64. The second prefix is for local use (RFC 8215): the operator decides which bytes embed
    // the IPv4 address.
    if begins([0, 0x64, 0xFF, 0x9B], 96) { return embedded(12..<16) }
    if begins([0, 0x64, 0xFF, 0x9B, 0, 1], 48) { return .local }
    // 6to4.
    if begins([0x20, 0x02], 16) { return embedded(2..<6).stricter(isatapKind) }
    // Teredo: the server's address, and the bitwise complement of the client's.
    if begins([0x20, 0x01], 32) {
      return embedded(4..<8).stricter(Self.kind(ofVersion4: bytes[12..<16].map { ~$0 }))
    }
    let block = Self.ipv6Blocks.first { begins($0.prefix, $0.bits) }
    return (block?.kind ?? .reserved).stricter(isatapKind)
  }

  /// The kind of the IPv4 address in an ISATAP interface identifier (RFC 5214); `.global` if the
  /// address has no such identifier.
  private var isatapKind: Kind {
    guard bytes[8] & 0xFD == 0, bytes[9] == 0, bytes[10] == 0x5E, bytes[11] == 0xFE else {
      return .global
    }
    return Self.kind(ofVersion4: bytes[12..<16])
  }

  private static func kind(ofVersion4 bytes: some RandomAccessCollection<UInt8>) -> Kind {
    ipv4Blocks.first { areEqual($0.prefix, bytes, bits: $0.bits) }?.kind ?? .global
  }
}
