/// How far a request may go, by whose word it is sent.
///
/// 1. What the user names may be anywhere. What a file or a pipe of theirs names may be anywhere
///    but on the same wire (`IPAddress.Kind.link`) and at many machines at once.
/// 2. What came from the network leads no nearer than it came from: from a public address to public
///    ones, from one of the user's networks or machine to such ones as well, from the same wire
///    anywhere.
/// 3. Each redirect is sent by the word of the one that answered with it, so along a way the reach
///    narrows and never widens.
/// 4. What counts is the address that a connection is made to, not the name.
public enum HTTPReach: Int, Hashable, Comparable, CaseIterable, Sendable {
  /// Addresses of the internet alone.
  case publicAddresses
  /// Those, and this machine and the networks around it.
  case privateAddresses
  /// Any address, those on the same wire included.
  case everywhere

  public static func < (a: HTTPReach, b: HTTPReach) -> Bool { a.rawValue < b.rawValue }

  /// The least that reaches addresses of a kind; at the same time how far what comes from there may
  /// lead.
  public init(to kind: IPAddress.Kind) {
    self =
      switch kind {
      case .global: .publicAddresses
      case .loopback, .local, .reserved: .privateAddresses
      case .link, .multicast: .everywhere
      }
  }

  /// Whether a request may be sent to the address.
  public func includes(_ address: IPAddress) -> Bool { HTTPReach(to: address.kind) <= self }
}

/// An address, and how far whoever named it may lead.
package struct HTTPLink: Hashable, Sendable {
  /// As it was named.
  package var url: String
  /// How far whoever named it may lead.
  package var reach: HTTPReach

  package init(_ url: String, reach: HTTPReach) {
    self.url = url
    self.reach = reach
  }
}
