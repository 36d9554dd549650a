extension HTTPResponse {
  /// Longest delay that is accepted from a server, in seconds: an hour.
  package static let maximumRetryDelay = 3_600.0

  /// The delay in seconds that the server asks for, 0...``maximumRetryDelay``; `nil` if it asks for
  /// none.
  ///
  /// It is in `Retry-After`, in seconds or as a date, or with a 429 in `X-RateLimit-Reset`, the
  /// only one that Mastodon sends. Dates are compared with the server's own.
  ///
  /// - Parameter now: seconds since 1970, for a server that sends no date.
  package func retryDelay(now: Double) -> Double? {
    let present = headers["Date"].flatMap(Self.moment) ?? now
    var delay = headers["Retry-After"].flatMap { Self.delay($0, present: present) }
    if delay == nil, status == 429 {
      delay = headers["X-RateLimit-Reset"].flatMap { Self.delay($0, present: present) }
    }
    return delay.map { min(max(0, $0), Self.maximumRetryDelay) }
  }

  private static func delay(_ text: String, present: Double) -> Double? {
    guard let number = Double(text), number.isFinite else {
      return moment(text).map { $0 - present }
    }
    // Some servers count from 1970.
    return number > 1_000_000_000 ? number - present : number
  }

  /// Whole seconds since 1970 of a date with a time of day.
  private static func moment(_ text: String) -> Double? {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    return DateParser.seconds(text)?.rounded(.down)
  }
}
