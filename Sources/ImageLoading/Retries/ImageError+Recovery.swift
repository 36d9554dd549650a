import HTTP

extension ImageError {
  /// Whether the same request may bring the picture later: the server was busy, or the way to it
  /// broke. What it says about the picture itself, or what the picture is, does not change so soon.
  package var isTransient: Bool {
    if case .http(let error) = self { error.isTransient } else { false }
  }
}

extension HTTPError {
  /// Whether the same request may succeed a little later.
  package var isTransient: Bool {
    switch self {
    case .unreachable, .timeout, .tooSlow, .truncated: true
    // Busy, or an error of the moment (RFC 9110, 15): what is left out of 5xx says what it never
    // does.
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
