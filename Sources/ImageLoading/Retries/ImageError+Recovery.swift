import HTTP

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
