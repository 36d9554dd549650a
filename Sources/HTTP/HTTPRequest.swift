/// What an exchange may cost before it is given up.
public struct HTTPLimits: Hashable, Sendable {
  /// Bytes of the body, after decompression. 64 MB by default.
  public var maximumBytes: Int
  /// Seconds from the request to the last byte. 120 by default.
  public var totalSeconds: Double
  /// Seconds without a sign of life from the server. 20 by default.
  public var idleSeconds: Double
  /// Redirects followed. 10 by default.
  public var maximumRedirects: Int

  public init(
    maximumBytes: Int = 64_000_000, totalSeconds: Double = 120, idleSeconds: Double = 20,
    maximumRedirects: Int = 10
  ) {
    self.maximumBytes = maximumBytes
    self.totalSeconds = totalSeconds
    self.idleSeconds = idleSeconds
    self.maximumRedirects = maximumRedirects
  }
}

/// A GET request of an http or https URL.
public struct HTTPRequest: Hashable, Sendable {
  public var url: String
  public var headers: HTTPHeaders
  public var limits: HTTPLimits
  /// Whether redirects may only lead to https. False by default.
  public var redirectsToHTTPSOnly: Bool

  public init(
    url: String, headers: HTTPHeaders = [:], limits: HTTPLimits = HTTPLimits(),
    redirectsToHTTPSOnly: Bool = false
  ) {
    self.url = url
    self.headers = headers
    self.limits = limits
    self.redirectsToHTTPSOnly = redirectsToHTTPSOnly
  }
}
