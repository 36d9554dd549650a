import System

/// An address of the internet protocol, version 4 or 6.
public struct IPAddress: Hashable, Sendable {
  /// Four or sixteen bytes, the most significant first.
  public let bytes: [UInt8]

  /// `nil` unless there are 4 or 16 bytes.
  public init?(bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// An address as systems and URLs write it: version 6, or version 4 in every spelling that
  /// `inet_aton` knows (`"127.1"`, `"0x7f.1"`, `"0177.0.0.1"`, `"2130706433"`); either version may
  /// be in brackets, the zone is dropped, and a part `0x` counts as 0. `nil` for anything else.
  ///
  /// - Complexity: O(n) in the bytes.
  public init?(_ text: some StringProtocol) {
    var text = text[...]
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    // The system's functions stop at a zero byte, and one of them at white space.
    guard text.utf8.allSatisfy({ $0 > 32 }) else { return nil }
    if text.utf8.contains(UInt8(ascii: ":")) {
      var address = in6_addr()
      guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &address) == 1 else {
        return nil
      }
      bytes = withUnsafeBytes(of: address) { Array($0) }
    } else {
      // Browsers read `0x` as 0.
      let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        .map { $0.lowercased() == "0x" ? "0" : String($0) }
      var address = in_addr()
      guard inet_aton(numbers.joined(separator: "."), &address) != 0 else { return nil }
      bytes = withUnsafeBytes(of: address) { Array($0) }
    }
  }

  var isVersion4: Bool { bytes.count == 4 }

  // MARK: Hosts

  /// The address of a URL's host as far as it is known without a lookup: an address in any
  /// spelling, or a name for this machine; `nil` for any other name.
  ///
  /// Read as browsers and resolvers do: `%` sequences are decoded, digits and dots of other scripts
  /// and widths count as the plain ones, trailing dots are ignored, `localhost` and all names below
  /// it are this machine.
  ///
  /// - Complexity: O(n) in the bytes.
  package init?(host: String) {
    var name = Self.plain(String(decoding: URLReference.decoded(host), as: UTF8.self))
    while name.hasSuffix(".") { name.removeLast() }
    if Self.ownNames.contains(name) || name.hasSuffix(".localhost") {
      self.init("127.0.0.1")
    } else {
      self.init(name)
    }
  }

  /// Names that systems give to themselves.
  private static let ownNames: Set<String> = [
    "localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost",
    "ip6-loopback",
  ]

  /// The host in lower case: variants of ASCII characters become the plain ones, and invisible
  /// characters that lookups ignore are removed.
  private static func plain(_ host: String) -> String {
    guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return host.lowercased() }
    var result = String.UnicodeScalarView()
    for scalar in host.unicodeScalars {
      switch scalar.value {
      // Soft hyphen, joiners, selectors: lookups ignore them.
      case 0xAD, 0x200B...0x200D, 0x2060, 0xFE00...0xFE0F, 0xFEFF: break
      case 0x3002, 0xFF0E, 0xFF61: result.append(".")
      case 0xFF01...0xFF5E: result.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
      case 0x24B6...0x24E9:
        result.append(Unicode.Scalar(UInt8(0x61 + (scalar.value - 0x24B6) % 26)))
      case 0x1D400...0x1D6A3:
        // Letters of formulas, thirteen alphabets of 52.
        let letter = (scalar.value - 0x1D400) % 52
        result.append(Unicode.Scalar(UInt8(0x61 + letter % 26)))
      default:
        if scalar.value >= 0x80, scalar.properties.numericType != nil,
          let value = scalar.properties.numericValue, let digit = UInt8(exactly: value), digit < 10
        {
          result.append(Unicode.Scalar(0x30 + digit))
        } else {
          result.append(scalar)
        }
      }
    }
    return String(result).lowercased()
  }
}

extension IPAddress: CustomStringConvertible {
  /// In the usual notation: `"127.0.0.1"`, `"fe80::1"`.
  public var description: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { place in
      let text: UnsafePointer<CChar>? = inet_ntop(
        isVersion4 ? AF_INET : AF_INET6, bytes, place.baseAddress, socklen_t(place.count))
      return text.map { String(cString: $0) } ?? ""
    }
  }
}
