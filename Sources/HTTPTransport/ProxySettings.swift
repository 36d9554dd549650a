import HTTP
import System

/// The proxies that the user's environment names. They are chosen here instead of in libcurl, so
/// that the transport knows whether a connection goes to a proxy, which may have any address, or to
/// the host itself.
struct ProxySettings: Hashable, Sendable {
  /// For http and https, as written in the environment; `nil` for none.
  let http: String?
  let https: String?
  /// Hosts that are reached directly.
  private let exceptions: [Substring]

  /// Reads `http_proxy` (only in lower case: in a CGI program, `HTTP_PROXY` holds a header of the
  /// visitor's request), `https_proxy`, `all_proxy` and `no_proxy`, the last three in capitals as
  /// well.
  init(environment: (String) -> String?) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap(environment).first { !$0.isEmpty }
    }
    let all = value("all_proxy", "ALL_PROXY")
    http = value("http_proxy") ?? all
    https = value("https_proxy", "HTTPS_PROXY") ?? all
    exceptions = (value("no_proxy", "NO_PROXY") ?? "")
      .split { $0 == "," || $0 == " " || $0 == "\t" }
  }

  static var system: ProxySettings {
    ProxySettings { name in getenv(name).map { String(cString: $0) } }
  }

  /// The proxy for requests to `host`; `nil` for a direct connection. Loopback addresses are always
  /// reached directly, since for a proxy they mean its own machine.
  ///
  /// - Complexity: O(n) in the bytes of the list.
  func proxy(scheme: String, host: String) -> String? {
    guard let proxy = scheme == "https" ? https : http else { return nil }
    let address = IPAddress(host: host)
    guard address?.kind != .loopback else { return nil }
    let name = Self.bare(host[...])
    let isException = exceptions.contains { entry in
      if entry == "*" { return true }
      if let address { return Self.block(entry, contains: address) }
      let listed = Self.bare(entry)
      return !listed.isEmpty && (name == listed || name.hasSuffix("." + listed))
    }
    return isException ? nil : proxy
  }

  /// In lower case, without dots at its ends.
  private static func bare(_ name: Substring) -> String {
    var name = name.drop { $0 == "." }
    while name.last == "." { name.removeLast() }
    return name.lowercased()
  }

  /// Whether an address, or a block such as `192.168.0.0/16`, equals or contains `address`.
  private static func block(_ entry: Substring, contains address: IPAddress) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1)
    guard let text = parts.first, let listed = IPAddress(text),
      listed.bytes.count == address.bytes.count
    else { return false }
    let all = listed.bytes.count * 8
    guard let bits = parts.count > 1 ? Int(parts[1]) : all, (0...all).contains(bits) else {
      return false
    }
    return IPAddress.areEqual(listed.bytes, address.bytes, bits: bits)
  }
}
