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

  /// An address as systems and URLs write it: version 6 with or without brackets and zone, version
  /// 4 in every spelling that `inet_aton` knows (`"127.1"`, `"0x7f.1"`, `"0177.0.0.1"`,
  /// `"2130706433"`); `nil` for anything else.
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
