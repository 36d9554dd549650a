import HTTP
import HTTPTransport
import TerminalApp
import TimelineStore
import TimelineUI

/// Access to the network with the options of the command line and the configuration.
struct Network: Sendable {
  private let userAgent: UserAgent
  /// The logins in the sources' URLs, each for its own origin.
  private let logins: [HTTPLogin]
  private let allowsPrivateAddresses: Bool

  /// - Parameters:
  ///   - file: the user's configuration, which may name an address for the user agent.
  ///   - allowsPrivateAddresses: `--allow-private-addresses`.
  init(
    configuredBy file: ConfigurationFile?, sources: [TimelineSource] = [],
    allowsPrivateAddresses: Bool = false
  ) {
    userAgent = UserAgent(in: file)
    logins = sources.compactMap { if case .url(let address) = $0 { address.login } else { nil } }
    self.allowsPrivateAddresses = allowsPrivateAddresses
  }

  /// - Parameter login: the login in the user's address of pictures.
  init(configuredBy file: ConfigurationFile?, login: HTTPLogin?) {
    userAgent = UserAgent(in: file)
    logins = login.map { [$0] } ?? []
    allowsPrivateAddresses = false
  }

  func transport() -> any HTTPTransport {
    CurlTransport(
      userAgent: userAgent.text, logins: logins, allowsPrivateAddresses: allowsPrivateAddresses)
  }
}
