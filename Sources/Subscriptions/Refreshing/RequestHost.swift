import HTTP

/// What one host tolerates.
package struct RequestHost: Sendable {
  /// The seconds between the beginnings of two requests; 0 if any number may follow another.
  let spacing: Double
  /// The maximum number of requests at a time, without those that are slow.
  let limit: Int
  /// The maximum number of slow requests beside them: with them, six, as browsers have.
  let slowLimit: Int

  package init(spacing: Double = 0, limit: Int = 2, slowLimit: Int = 4) {
    (self.spacing, self.limit, self.slowLimit) = (spacing, limit, slowLimit)
  }

  /// The host of followed feeds with this name.
  init(named name: String) {
    self = name == Self.reddit ? RequestHost(spacing: 60, limit: 1, slowLimit: 0) : RequestHost()
  }

  /// The name under which the requests of an address are counted: host and port; `reddit.com` for
  /// all hosts of Reddit, which counts them together.
  static func name(of address: String) -> String {
    let host = URLReference(address).host ?? ""
    return host == reddit || host.hasSuffix("." + reddit) ? reddit : host
  }

  private static let reddit = "reddit.com"
}
