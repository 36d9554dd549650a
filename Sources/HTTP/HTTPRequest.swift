/// Bounds on the cost of an exchange.
public struct HTTPLimits: Hashable, Sendable {
  /// Bytes of the body, after decompression. 64 MB by default.
  public var maximumBytes: Int
  /// Bytes of the heads of one response, including interim ones. 256 kB by default.
  public var maximumHeadBytes: Int
  /// Seconds from the request to the last byte, over all redirects. 600 by default.
  public var totalSeconds: Double
  /// Seconds from the lookup of the host's name to a usable connection, including TLS, for each
  /// redirect. 15 by default.
  public var connectSeconds: Double
  /// Seconds from the request to the end of the response's head, over all redirects. 30 by default.
  public var headSeconds: Double
  /// Seconds without activity of the server, including while connecting to it. 20 by default.
  public var idleSeconds: Double
  /// Minimum rate of a body, in bytes a second over each ``rateSeconds``. 500 by default, a quarter
  /// of the capacity of the slowest links in use.
  public var minimumRate: Int
  /// Seconds over which ``minimumRate`` is measured. 20 by default.
  public var rateSeconds: Double
  /// Maximum number of redirects. 10 by default.
  public var maximumRedirects: Int

  /// Creates limits, with these defaults.
  public init(
    maximumBytes: Int = 64_000_000, maximumHeadBytes: Int = 256_000, totalSeconds: Double = 600,
    connectSeconds: Double = 15, headSeconds: Double = 30, idleSeconds: Double = 20,
    minimumRate: Int = 500,
    rateSeconds: Double = 20, maximumRedirects: Int = 10
  ) {
    self.maximumBytes = maximumBytes
    self.maximumHeadBytes = maximumHeadBytes
    self.totalSeconds = totalSeconds
    self.connectSeconds = connectSeconds
    self.headSeconds = headSeconds
    self.idleSeconds = idleSeconds
    self.minimumRate = minimumRate
    self.rateSeconds = rateSeconds
    self.maximumRedirects = maximumRedirects
  }
}

/// A GET request of an http or https URL.
public struct HTTPRequest: Hashable, Sendable {
  /// The address without a name and password, which are not part of a request (``HTTPLogin``).
  public let url: String
  /// The addresses that it may be sent to. Only public ones by default.
  public var reach: RequestScope
  /// Sent in addition to those of the transport.
  public var headers: HTTPHeaders
  /// Bounds on the cost of the exchange.
  public var limits: HTTPLimits
  /// Whether redirects must lead to https. False by default.
  public var redirectsToHTTPSOnly: Bool
  /// The validators of an earlier answer, sent only to the address that they came from.
  package var validators: HTTPValidators?

  /// Creates a request of `url`, without a name and password in it.
  public init(
    url: String, reach: RequestScope = .publicAddresses, headers: HTTPHeaders = [:],
    limits: HTTPLimits = HTTPLimits(), redirectsToHTTPSOnly: Bool = false
  ) {
    self.url = URLReference.separatingUserInfo(url).address
    self.reach = reach
    self.headers = headers
    self.limits = limits
    self.redirectsToHTTPSOnly = redirectsToHTTPSOnly
  }
}
