/// How far a request may go, depending on the source of its address.
///
/// 1. An address given by the user may be anywhere. An address in the user's file or pipe may be
///    anywhere except on the same link (`IPAddress.Kind.link`) and at many machines at once.
/// 2. An address from the network leads no nearer than the machine that sent it: from a public
///    address to public ones, from one of the user's networks or machine to such ones as well, from
///    the same link anywhere.
/// 3. Each redirect is sent with the reach of the server that responded with it, so along a chain
///    of redirects the reach narrows and never widens.
/// 4. The address of the connection counts, not the name.
public enum RequestScope: Int, Hashable, Comparable, CaseIterable, Sendable {
  /// Only public addresses of the internet.
  case publicAddresses
  /// Public addresses, this machine and the networks around it.
  case privateAddresses
  /// Any address, including those on the same link.
  case everywhere

  public static func < (a: RequestScope, b: RequestScope) -> Bool { a.rawValue < b.rawValue }

  /// The narrowest reach that includes addresses of a kind; it is also the reach of addresses
  /// received from there.
  public init(to kind: IPAddress.Kind) {
    self =
      switch kind {
      case .global: .publicAddresses
      case .loopback, .local, .reserved: .privateAddresses
      case .link, .multicast: .everywhere
      }
  }

  /// Whether a request may be sent to the address.
  public func includes(_ address: IPAddress) -> Bool { RequestScope(to: address.kind) <= self }
}

/// An address, and the reach that its source gives it.
package struct HTTPLink: Hashable, Sendable {
  /// As its source wrote it.
  package var url: String
  /// The reach that its source gives it.
  package var reach: RequestScope

  package init(_ url: String, reach: RequestScope) {
    self.url = url
    self.reach = reach
  }
}
