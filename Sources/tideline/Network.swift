import HTTP
import HTTPTransport
import TimelineStore
import TimelineUI

/// Access to the network with the options of the command line.
struct Network: Sendable {
  /// The logins in the sources' URLs, each for its own origin.
  private let logins: [HTTPLogin]
  private let allowsPrivateAddresses: Bool

  /// - Parameter allowsPrivateAddresses: `--allow-private-addresses`.
  init(sources: [TimelineSource] = [], allowsPrivateAddresses: Bool = false) {
    logins = sources.compactMap { if case .url(let address) = $0 { address.login } else { nil } }
    self.allowsPrivateAddresses = allowsPrivateAddresses
  }

  /// - Parameter login: the login in the user's address of pictures.
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
