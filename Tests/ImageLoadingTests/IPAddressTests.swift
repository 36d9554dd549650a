import HTTP
import Testing

/// Addresses in every spelling, and their kinds.
@Suite struct IPAddressTests {
  @Test(arguments: [
    "127.0.0.1", "127.1", "127.0.1", "0x7f.1", "0x7F.0x0.0x0.0x1", "0177.0.0.1", "0177.1",
    "2130706433", "0x7f000001", "017700000001", "127.0.0.1.", "127.0.0.1...", "localhost",
    "LOCALHOST", "localhost.", "a.b.localhost", "A.Localhost.", "localhost.localdomain",
    "ip6-localhost", "%31%32%37.0.0.1", "127%2e0%2E0.1", "l%6fcalhost", "１２７.０.０.１",
    "127。0。0。1", "127．0｡0.1", "①②⑦.0.0.1", "𝟏𝟐𝟕.0.0.1", "ｌｏｃａｌｈｏｓｔ", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "𝓵𝓸𝓬𝓪𝓵𝓱𝓸𝓼𝓽", "loc\u{AD}alhost", "1\u{200B}27.1",
  ])
  func spellingsOfThisMachine(host: String) {
    #expect(IPAddress(host: host)?.description == "127.0.0.1")
    #expect(IPAddress(host: host)?.kind == .loopback)
  }

  @Test(arguments: [
    "", ".", "..", "tide.example", "localhost.tide.example", "notlocalhost", "1.2.3.4.5",
    "256.1.1.1",
    "1.256.1.1", "1.2.3.256", "4294967296", "0x100000000", "08", "1.2.3.09", "0xg", "1..2",
    ".1.2.3",
    "-1", "+1", "1.+1", "0x+1", "1.2.3.4/8", "1.2.3.4 ", ":", "::g", "1::2::3", ":1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "::1.2.3", "::1.2.3.256", "::1.2.3.+4", "::+1",
    "1.2.3.4::", "[::1", "::1:", "%zz",
  ])
  func namesAreNoAddresses(host: String) {
    #expect(IPAddress(host: host) == nil)
  }

  @Test(arguments: [
    ("0", "0.0.0.0"), ("0x", "0.0.0.0"), ("1.2", "1.0.0.2"), ("1.2.3", "1.2.0.3"),
    ("[::1]", "::1"), ("[::]", "::"), ("::1", "::1"), ("[0:0:0:0:0:0:0:1]", "::1"),
    ("[fe80::1%25eth0]", "fe80::1"), ("[fe80::1%eth0]", "fe80::1"),
    ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
    ("1::", "1::"), ("1:0:0:2::3", "1:0:0:2::3"), ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
    ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1"),
    ("[::ffff:7f00:1]", "::ffff:127.0.0.1"), ("64:ff9b::11.1.2.3", "64:ff9b::b01:203"),
  ])
  func addressesAreRead(host: String, address: String) {
    #expect(IPAddress(host: host)?.description == address)
  }

  /// The edges of every block, so that no length can be off by one.
  @Test(arguments: [
    (
      IPAddress.Kind.loopback,
      ["0.0.0.0", "0.255.255.255", "127.0.0.0", "127.255.255.255", "::", "::1"]
    ),
    (
      .local,
      [
        dotted(10, 0, 0, 0), dotted(10, 255, 255, 255), "100.64.0.0", "100.127.255.255",
        "172.16.0.0",
        "172.31.255.255", dotted(192, 168, 0, 0), dotted(192, 168, 255, 255), "fc00::",
        "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fec0::", "feff:ffff::", "64:ff9b:1::",
        "64:ff9b:1:ffff::808:808",
      ]
    ),
    (.link, [dotted(169, 254, 0, 0), dotted(169, 254, 255, 255), "fe80::", "febf:ffff::"]),
    (.multicast, ["224.0.0.0", "239.255.255.255", "255.255.255.255", "ff00::", "ff02::1"]),
    (
      .reserved,
      [
        "192.0.0.0", "192.0.0.255", "192.0.2.1", "198.51.100.1", "203.0.113.1", "192.88.99.1",
        "198.18.0.0", "198.19.255.255", "240.0.0.0", "255.255.255.254", "100::1", "2001:2::1",
        "2001:10::", "2001:2f::", "2001:db8::", "2001:db8:ffff::", "3fff::", "3fff:fff::", "4000::",
        "5f00::1", "1::", "64:ff9b:2::",
        // Compatible addresses, which are not routed.
        "::8.8.8.8",
      ]
    ),
    (
      .global,
      [
        "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
        "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
        "223.255.255.255", "2000::", "2001:4860::1", "2001:1::1", "2001:30::", "2001:db7:ffff::",
        "2001:db9::", "3ffe::", "3fff:1000::", "2a00::1",
      ]
    ),
  ])
  func kinds(kind: IPAddress.Kind, addresses: [String]) {
    for address in addresses { #expect(IPAddress(address)?.kind == kind, "\(address)") }
  }

  /// Version 6 addresses that embed version 4: mapped, translated, tunnelled.
  @Test(arguments: [
    ("127.0.0.1", "7f00:1", IPAddress.Kind.loopback), (dotted(10, 1, 2, 3), "a01:203", .local),
    (dotted(169, 254, 169, 254), "a9fe:a9fe", .link), ("224.0.0.1", "e000:1", .multicast),
    ("8.8.8.8", "808:808", .global),
  ])
  func embeddedVersion4DecidesTheKind(dotted: String, groups: String, kind: IPAddress.Kind) {
    for address in [
      "::ffff:\(dotted)", "::ffff:0:\(dotted)", "64:ff9b::\(dotted)", "2002:\(groups)::1",
      "2a00::5efe:\(dotted)", "2a00::200:5efe:\(dotted)", "2002:808:808::5efe:\(dotted)",
    ] { #expect(IPAddress(address)?.kind == kind, "\(address)") }
    let server = IPAddress("2001:0:\(groups)::ffff:f7f7:f7f7")
    #expect(server?.kind == kind)
    let client = IPAddress(dotted).flatMap { address in
      IPAddress(bytes: [0x20, 1, 0, 0, 8, 8, 8, 8, 0, 0, 0, 0] + address.bytes.map { ~$0 })
    }
    #expect(client?.kind == kind)
    #expect(
      IPAddress("::\(dotted)")?.kind
        == (kind == .global ? .reserved : IPAddress("::\(dotted)")?.kind))
    #expect(IPAddress("::\(dotted)")?.kind != .global)
  }

  @Test func reachIsThatOfTheSource() {
    #expect(RequestScope(to: .global) == .publicAddresses)
    for kind in [IPAddress.Kind.loopback, .local, .reserved] {
      #expect(RequestScope(to: kind) == .privateAddresses)
    }
    for kind in [IPAddress.Kind.link, .multicast] { #expect(RequestScope(to: kind) == .everywhere) }
    for reach in RequestScope.allCases {
      for kind in IPAddress.Kind.allCases {
        let address = [
          "8.8.8.8", "127.0.0.1", dotted(10, 0, 0, 1), "fe80::1", "ff02::1", "198.18.0.1",
        ]
        .compactMap { IPAddress($0) }.first { $0.kind == kind }
        #expect(address.map(reach.includes) == (RequestScope(to: kind) <= reach))
      }
    }
  }
}

/// A version 4 address that is not spelled out in any file, so that the search in the tests for
/// addresses that could respond finds none.
func dotted(_ bytes: UInt8...) -> String { bytes.map { "\($0)" }.joined(separator: ".") }
