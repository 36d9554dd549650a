extension IPAddress {
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

  /// The host in lower case, with variants of ASCII characters replaced by these.
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
