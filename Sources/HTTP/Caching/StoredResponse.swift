/// The head of a stored response, with the data that determines its freshness (RFC 9111, for a
/// private cache).
///
/// 1. A 200 response is stored if it is fresh or has validators, a 404 or 410 response only if it
///    is fresh by an explicit lifetime. None is stored if it forbids that, if the request carried
///    credentials, or if it varies by something that no request repeats (`Vary: *`).
/// 2. Times are seconds since 1970. A clock that was set back makes stored responses stale, not
///    eternal.
/// 3. A response reached through redirects is fresh no longer than any of them, and is not
///    revalidated: the redirects may lead elsewhere now.
package struct StoredResponse: Hashable, Sendable {
  /// The permitted use of a stored response.
  package enum Use: Hashable, Sendable {
    /// It may be used.
    case fresh
    /// It may be used while it is revalidated.
    case whileRevalidating
    /// It must be revalidated first.
    case stale
  }

  /// Without an explicit lifetime, a response is fresh for this share of the time since its last
  /// change, but no longer than the second constant, in seconds: a week.
  private static let heuristicShare = 0.1
  private static let heuristicLimit = 604_800.0
  /// Seconds for which a permanent redirect without an explicit lifetime holds: a day.
  private static let permanentRedirect = 86_400.0

  /// The address of the request.
  package let url: String
  package let status: Int
  package let headers: HTTPHeaders
  /// The times of the request and of the arrival of the head.
  package let requestTime: Double
  package let responseTime: Double
  /// The fields of the request that the response's `Vary` names.
  package let varied: HTTPHeaders
  /// The earliest time at which one of the redirects becomes stale; `nil` without redirects.
  package let redirectsFreshUntil: Double?

  package init(
    url: String, status: Int, headers: HTTPHeaders, requestTime: Double, responseTime: Double,
    varied: HTTPHeaders, redirectsFreshUntil: Double?
  ) {
    self.url = url
    self.status = status
    self.headers = headers
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.varied = varied
    self.redirectsFreshUntil = redirectsFreshUntil
  }

  /// The head of a response to be stored; `nil` if rule 1 excludes it.
  package init?(
    _ response: HTTPResponse, to request: HTTPRequest, requestTime: Double, responseTime: Double
  ) {
    guard !response.usedCredentials, request.headers["Authorization"] == nil else { return nil }
    let control = CacheControl(response.headers)
    guard !control.noStore, let varied = Self.varied(response.headers, request) else { return nil }
    var redirectsFreshUntil: Double?
    for redirect in response.redirects {
      guard !CacheControl(redirect.headers).noStore else { return nil }
      let hop = StoredResponse(
        url: "", status: redirect.status, headers: redirect.headers, requestTime: requestTime,
        responseTime: responseTime, varied: [:], redirectsFreshUntil: nil)
      let end = responseTime + hop.lifetime - hop.age(at: responseTime)
      redirectsFreshUntil = min(redirectsFreshUntil ?? end, end)
    }
    self.init(
      url: request.url, status: response.status, headers: response.headers,
      requestTime: min(requestTime, responseTime), responseTime: responseTime, varied: varied,
      redirectsFreshUntil: redirectsFreshUntil)
    let isFresh = use(at: responseTime) == .fresh
    switch status {
    case 200: guard isFresh || validators != nil else { return nil }
    // A missing resource is stored only for an explicit lifetime.
    case 404, 410: guard isFresh, hasExplicitLifetime else { return nil }
    default: return nil
    }
  }

  // MARK: Using it

  /// Whether it has the address of `request` and matches it by `Vary`.
  package func answers(_ request: HTTPRequest) -> Bool {
    request.url == url && Self.varied(headers, request) == varied
  }

  package func use(at now: Double) -> Use {
    let control = CacheControl(headers)
    guard !control.noCache, now > responseTime - 60 else { return .stale }
    if let redirectsFreshUntil, now >= redirectsFreshUntil { return .stale }
    let staleness = age(at: now) - lifetime
    if staleness < 0 { return .fresh }
    guard !control.mustRevalidate, let extra = control.staleWhileRevalidate, staleness < extra
    else { return .stale }
    return .whileRevalidating
  }

  /// Whether it may be used although it is stale, because it could not be revalidated.
  ///
  /// - Parameter isDisconnected: whether the server could not be reached; otherwise it responded
  ///   with an error.
  package func canReplaceError(at now: Double, isDisconnected: Bool) -> Bool {
    let control = CacheControl(headers)
    guard status == 200, !control.noCache, !control.mustRevalidate else { return false }
    if isDisconnected { return true }
    guard let extra = control.staleIfError else { return false }
    return age(at: now) - lifetime < extra
  }

  /// The validators for a request; `nil` if it cannot be revalidated. An unreadable date is none.
  package var validators: HTTPValidators? {
    guard redirectsFreshUntil == nil, status == 200 else { return nil }
    var fields = headers
    if headers["Last-Modified"].flatMap(DateParser.seconds) == nil { fields["Last-Modified"] = nil }
    return HTTPValidators(fields, of: url)
  }

  /// The stored response after the 304 `response` has confirmed it (RFC 9111, 3.2 and 4.3.4): the
  /// new fields replace those of the same name, except those that describe the stored body.
  package func freshened(
    by response: HTTPResponse, requestTime: Double, responseTime: Double
  ) -> StoredResponse {
    var merged = headers
    let kept: Set = [
      "content-length", "content-encoding", "content-type", "content-range", "transfer-encoding",
      "connection",
    ]
    let new = response.headers.fields.filter { !kept.contains($0.name.lowercased()) }
    for field in new { merged[field.name] = nil }
    // The transit time of the former response no longer applies.
    merged["Age"] = nil
    for field in new { merged.append(field.name, field.value) }
    return StoredResponse(
      url: url, status: status, headers: merged, requestTime: min(requestTime, responseTime),
      responseTime: responseTime, varied: varied, redirectsFreshUntil: nil)
  }

  // MARK: Times

  /// Seconds for which it is fresh, counted from its creation.
  package var lifetime: Double {
    if let maxAge = CacheControl(headers).maxAge { return maxAge }
    let made = date ?? responseTime
    if let expires = headers["Expires"] {
      // An unreadable date, such as 0, is in the past.
      return DateParser.seconds(expires).map { max(0, $0 - made) } ?? 0
    }
    switch status {
    case 200:
      guard let changed = headers["Last-Modified"].flatMap(DateParser.seconds) else { return 0 }
      return min(max(0, (made - changed) * Self.heuristicShare), Self.heuristicLimit)
    case 301, 308: return Self.permanentRedirect
    default: return 0
    }
  }

  private var hasExplicitLifetime: Bool {
    CacheControl(headers).maxAge != nil || headers["Expires"] != nil
  }

  /// Seconds since its creation (RFC 9111, 4.2.3).
  package func age(at now: Double) -> Double {
    let apparent = max(0, responseTime - (date ?? responseTime))
    let ageValue = headers["Age"].flatMap { Double($0) }.map { $0.isFinite ? max(0, $0) : 0 } ?? 0
    let corrected = ageValue + max(0, responseTime - requestTime)
    return max(apparent, corrected) + max(0, now - responseTime)
  }

  private var date: Double? { headers["Date"].flatMap(DateParser.seconds) }

  // MARK: Vary

  /// Fields that a transport adds to every request with the same value.
  private static let constant: Set = ["accept-encoding", "user-agent", "host"]

  /// The fields of `request` that `Vary` names in `headers`; `nil` for `Vary: *`.
  private static func varied(_ headers: HTTPHeaders, _ request: HTTPRequest) -> HTTPHeaders? {
    var varied = HTTPHeaders()
    let names = headers.values(of: "Vary")
      .flatMap { HeaderValue.parts(of: $0[...], separator: ",") }.map { $0.lowercased() }
    for name in Set(names).sorted() where !name.isEmpty && !constant.contains(name) {
      guard name != "*" else { return nil }
      if let value = request.headers[name] { varied.append(name, value) }
    }
    return varied
  }
}
