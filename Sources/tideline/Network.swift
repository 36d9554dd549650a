import HTTP
import HTTPTransport
import TimelineStore
import TimelineUI

/// The way to the network, as the command line asks for it.
struct Network: Sendable {
  /// What the URLs of the sources named, each for its own origin.
  private let logins: [HTTPLogin]
  private let allowsPrivateAddresses: Bool

  /// - Parameter allowsPrivateAddresses: `--allow-private-addresses`.
  init(sources: [TimelineSource] = [], allowsPrivateAddresses: Bool = false) {
    logins = sources.compactMap { if case .url(let address) = $0 { address.login } else { nil } }
    self.allowsPrivateAddresses = allowsPrivateAddresses
  }

  /// - Parameter login: what the user's own address of pictures named.
  init(login: HTTPLogin?) {
    logins = login.map { [$0] } ?? []
    allowsPrivateAddresses = false
  }

  func transport() -> any HTTPTransport {
    CurlTransport(
      userAgent: "tideline/\(Program.version)", logins: logins,
      allowsPrivateAddresses: allowsPrivateAddresses)
  }
}
