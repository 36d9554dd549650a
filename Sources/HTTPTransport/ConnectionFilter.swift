import HTTP

/// Decides to which addresses a transfer connects.
///
/// 1. A connection is opened only to an address within the request's reach, or to the user's proxy.
/// 2. A host given as an IP address is checked even if a proxy connects to it.
struct ConnectionFilter {
  /// The proxy that connects to the host; `nil` if the transfer does.
  let proxy: String?
  /// The last address that was refused as out of reach; `nil` if there was none.
  private(set) var outOfReach: IPAddress?
  private let host: String
  private let reach: RequestScope
  private let isConnectionAllowed: @Sendable (IPAddress) -> Bool

  /// - Throws: `HTTPError.outOfReach`.
  init(
    scheme: String, host: String, reach: RequestScope, settings: TransferSettings
  ) throws(HTTPError) {
    if let literal = IPAddress(host: host), !reach.includes(literal) {
      throw .outOfReach(host: host, literal)
    }
    proxy = settings.proxies.proxy(scheme: scheme, host: host)
    self.host = host
    self.reach = reach
    isConnectionAllowed = settings.isConnectionAllowed
  }

  /// Whether a connection without a proxy may be opened to the address.
  mutating func allows(_ address: IPAddress) -> Bool {
    guard reach.includes(address) else {
      outOfReach = address
      return false
    }
    return isConnectionAllowed(address)
  }

  /// The reach of addresses in the response: that of the server's address or, behind a proxy, of
  /// the host if it is an IP address; public addresses if neither is known. It is never wider than
  /// the request's.
  func responseReach(server: String?) -> RequestScope {
    let address = proxy == nil ? server.flatMap { IPAddress($0) } : IPAddress(host: host)
    return min(reach, address.map { RequestScope(to: $0.kind) } ?? .publicAddresses)
  }
}
