import HTTP

/// What one host tolerates.
enum RequestHost {
  /// The name under which the requests of an address are counted: host and port; `reddit.com` for
  /// all hosts of Reddit, which counts them together.
  static func name(of address: String) -> String {
    let host = URLReference(address).host ?? ""
    return host == reddit || host.hasSuffix("." + reddit) ? reddit : host
  }

  private static let reddit = "reddit.com"

  /// The seconds between the beginnings of two requests; 0 if any number may follow another.
  static func spacing(of name: String) -> Double { name == reddit ? 60 : 0 }

  /// The maximum number of requests at a time, without those that are slow.
  static func limit(of name: String) -> Int { name == reddit ? 1 : 2 }

  /// The maximum number of slow requests beside them: with them, six, as browsers have.
  static func slowLimit(of name: String) -> Int { name == reddit ? 0 : 4 }
}
