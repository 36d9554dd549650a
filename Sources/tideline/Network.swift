import HTTP
import HTTPTransport
import TerminalApp

/// Access to the network, as the command line and the configuration specify.
struct Network: Sendable {
  private let userAgent: UserAgent
  private let logins: [HTTPLogin]
  private let allowsPrivateAddresses: Bool

  /// - Parameters:
  ///   - file: the user's configuration, which may name an address for the user agent.
  ///   - logins: the logins in the URLs that the user names, each for its own origin.
  ///   - allowsPrivateAddresses: `--allow-private-addresses`.
  init(
    configuredBy file: ConfigurationFile?, logins: [HTTPLogin] = [],
    allowsPrivateAddresses: Bool = false
  ) {
    userAgent = UserAgent(in: file)
    self.logins = logins
    self.allowsPrivateAddresses = allowsPrivateAddresses
  }

  func transport() -> any HTTPTransport {
    CurlTransport(
      userAgent: userAgent.text, logins: logins, allowsPrivateAddresses: allowsPrivateAddresses)
  }
}
