/// What an exchange may cost before it is given up.
public struct HTTPLimits: Hashable, Sendable {
  /// Bytes of the body, after decompression. 64 MB by default.
  public var maximumBytes: Int
  /// Bytes of the heads of one answer, those of interim ones included. 256 kB by default.
  public var maximumHeadBytes: Int
  /// Seconds from the request to the last byte, over all redirects. 600 by default.
  public var totalSeconds: Double
  /// Seconds from looking up the host's name to a connection that can be used, TLS included, for
  /// each redirect anew. 15 by default.
  public var connectSeconds: Double
  /// Seconds from the request to the end of the answer's head, over all redirects. 30 by default.
  public var headSeconds: Double
  /// Seconds without a sign of life from the server, connecting to it included. 20 by default.
  public var idleSeconds: Double
  /// What a body brings at least, in bytes a second over each ``rateSeconds``. 500 by default, a
  /// quarter of what the slowest links in use carry.
  public var leastRate: Int
  /// 20 by default.
  public var rateSeconds: Double
  /// Redirects followed. 10 by default.
  public var maximumRedirects: Int

  /// Limits that are the usual ones unless given.
  public init(
    maximumBytes: Int = 64_000_000, maximumHeadBytes: Int = 256_000, totalSeconds: Double = 600,
    connectSeconds: Double = 15, headSeconds: Double = 30, idleSeconds: Double = 20,
    leastRate: Int = 500,
    rateSeconds: Double = 20, maximumRedirects: Int = 10
  ) {
    self.maximumBytes = maximumBytes
    self.maximumHeadBytes = maximumHeadBytes
    self.totalSeconds = totalSeconds
    self.connectSeconds = connectSeconds
    self.headSeconds = headSeconds
    self.idleSeconds = idleSeconds
    self.leastRate = leastRate
    self.rateSeconds = rateSeconds
    self.maximumRedirects = maximumRedirects
  }
}

/// A GET request of an http or https URL.
public struct HTTPRequest: Hashable, Sendable {
  /// Without a name and password: these are no matter of a request's (``HTTPLogin``).
  public let url: String
  /// How far it may go. To public addresses alone by default.
  public var reach: HTTPReach
  /// Sent besides those that the transport adds.
  public var headers: HTTPHeaders
  /// What the exchange may cost.
  public var limits: HTTPLimits
  /// Whether redirects may only lead to https. False by default.
  public var redirectsToHTTPSOnly: Bool

  /// A request of `url`; a name and password in it are left out.
  public init(
    url: String, reach: HTTPReach = .publicAddresses, headers: HTTPHeaders = [:],
    limits: HTTPLimits = HTTPLimits(), redirectsToHTTPSOnly: Bool = false
  ) {
    self.url = URLReference.splittingUser(url).address
    self.reach = reach
    self.headers = headers
    self.limits = limits
    self.redirectsToHTTPSOnly = redirectsToHTTPSOnly
  }
}
