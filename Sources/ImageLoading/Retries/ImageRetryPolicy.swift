import HTTP

/// When and how often a picture is retried after a transient failure.
public struct ImageRetryPolicy: Hashable, Sendable {
  /// Number of requests for a picture until it counts as failed, at least 1. 4 by default.
  public var maximumAttempts = 4
  /// Seconds before the first retry, doubled with each further one; each delay is a random time
  /// between half of that and all of it. 1.5 by default.
  public var firstDelay = 1.5
  /// Maximum delay in seconds, however often the picture has failed. If the server asks for more,
  /// the picture counts as failed, at least until then. 60 by default.
  public var longestDelay = 60.0
  /// Seconds for which a picture is not requested after its last attempt has failed, unless
  /// `tryAgain` is called; a permanent failure lasts until that call. 300 by default.
  public var failureLifetime = 300.0
  /// Number of failures remembered; the least recently used are forgotten first. 4,096 by default.
  public var maximumFailures = 4_096

  /// The defaults.
  public init() {}
}

extension ImageError {
  /// Whether the same request may bring the picture later: the server was busy, or the connection
  /// failed. Failures of the picture itself do not change so soon.
  package var isTransient: Bool {
    if case .http(let error) = self { error.isTransient } else { false }
  }
}

extension HTTPError {
  /// Whether the same request may succeed a little later.
  package var isTransient: Bool {
    switch self {
    case .unreachable, .timeout, .tooSlow, .truncated: true
    // Busy, or a temporary error (RFC 9110, 15): the excluded statuses of 5xx say that the server
    // never does what was requested.
    case .status(let code):
      switch code {
      case 408, 421, 425, 429: true
      case 501, 505, 506, 508, 510, 511: false
      default: code >= 500
      }
    case .invalidURL, .unsupportedScheme, .outOfReach, .tls, .tooLarge, .tooManyRedirects,
      .malformed, .notInArchive, .unavailable, .cancelled:
      false
    }
  }
}
