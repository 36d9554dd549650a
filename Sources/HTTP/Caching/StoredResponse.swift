/// The head of an answer that is kept, with what tells how long it is good for (RFC 9111, for a
/// cache of one user's own).
///
/// 1. Kept is what has a time for which it is fresh or something to ask its server by, unless it
///    says otherwise, came with credentials, or differs by what no request repeats (`Vary: *`).
/// 2. Times are seconds since 1970. A clock that was set back makes what was kept stale, not
///    eternal.
/// 3. Where redirects led to it, it is fresh no longer than each of them, and its server is not
///    asked whether it still holds: the way may lead elsewhere.
package struct StoredResponse: Hashable, Sendable {
  /// What may be done with it.
  package enum Use: Hashable, Sendable {
    /// It is as good as new.
    case fresh
    /// It may be used while its server is asked.
    case whileRevalidating
    /// Its server is to be asked first.
    case stale
  }

  /// A part of the time since the last change, for which it is taken to be fresh where nothing says
  /// for how long; and no longer than the second, in seconds: a week.
  private static let heuristicShare = 0.1
  private static let heuristicLimit = 604_800.0
  /// How long a redirect for good holds that does not say: a day.
  private static let permanentRedirect = 86_400.0

  /// What was asked for.
  package let url: String
  package let status: Int
  package let headers: HTTPHeaders
  /// When it was asked for, and when its head came.
  package let requestTime: Double
  package let responseTime: Double
  /// Fields of the request by which the answer may differ.
  package let varied: HTTPHeaders
  /// When the first of the redirects that led to it is no longer fresh; nil where there were none.
  package let redirectsHoldUntil: Double?

  package init(
    url: String, status: Int, headers: HTTPHeaders, requestTime: Double, responseTime: Double,
    varied: HTTPHeaders, redirectsHoldUntil: Double?
  ) {
    self.url = url
    self.status = status
    self.headers = headers
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.varied = varied
    self.redirectsHoldUntil = redirectsHoldUntil
  }

  /// What is to be kept of an answer; nil where it is not to be kept.
  package init?(
    _ response: HTTPResponse, to request: HTTPRequest, requestTime: Double, responseTime: Double
  ) {
    guard !response.usedCredentials, request.headers["Authorization"] == nil else { return nil }
    let control = CacheControl(response.headers)
    guard !control.noStore, let varied = Self.varied(response.headers, request) else { return nil }
    var redirectsHoldUntil: Double?
    for redirect in response.redirects {
      guard !CacheControl(redirect.headers).noStore else { return nil }
      let hop = StoredResponse(
        url: "", status: redirect.status, headers: redirect.headers, requestTime: requestTime,
        responseTime: responseTime, varied: [:], redirectsHoldUntil: nil)
      let end = responseTime + hop.lifetime - hop.age(at: responseTime)
      redirectsHoldUntil = min(redirectsHoldUntil ?? end, end)
    }
    self.init(
      url: request.url, status: response.status, headers: response.headers,
      requestTime: min(requestTime, responseTime), responseTime: responseTime, varied: varied,
      redirectsHoldUntil: redirectsHoldUntil)
    let isFresh = use(at: responseTime) == .fresh
    switch status {
    case 200: guard isFresh || validators != nil else { return nil }
    // That something is not there is kept only where the server says for how long.
    case 404, 410: guard isFresh, hasExplicitLifetime else { return nil }
    default: return nil
    }
  }

  // MARK: Using it

  /// Whether it answers `request` as far as `Vary` says.
  package func answers(_ request: HTTPRequest) -> Bool {
    request.url == url && Self.varied(headers, request) == varied
  }

  package func use(at now: Double) -> Use {
    let control = CacheControl(headers)
    guard !control.noCache, now > responseTime - 60 else { return .stale }
    if let redirectsHoldUntil, now >= redirectsHoldUntil { return .stale }
    let staleness = age(at: now) - lifetime
    if staleness < 0 { return .fresh }
    guard !control.mustRevalidate, let extra = control.staleWhileRevalidate, staleness < extra
    else { return .stale }
    return .whileRevalidating
  }

  /// Whether it may be used although it is stale, because its server could not be asked.
  ///
  /// - Parameter isDisconnected: it could not be reached; else it has answered with an error.
  package func mayReplaceError(at now: Double, isDisconnected: Bool) -> Bool {
    let control = CacheControl(headers)
    guard status == 200, !control.noCache, !control.mustRevalidate else { return false }
    if isDisconnected { return true }
    guard let extra = control.staleIfError else { return false }
    return age(at: now) - lifetime < extra
  }

  /// Fields by which its server is asked whether it still holds; nil where it cannot be.
  package var validators: HTTPHeaders? {
    guard redirectsHoldUntil == nil, status == 200 else { return nil }
    var fields = HTTPHeaders()
    if let tag = headers["ETag"], !tag.isEmpty { fields.append("If-None-Match", tag) }
    if let date = headers["Last-Modified"], DateParser.seconds(date) != nil {
      fields.append("If-Modified-Since", date)
    }
    return fields.fields.isEmpty ? nil : fields
  }

  /// It still holds, as `response` says (RFC 9111, 3.2 and 4.3.4): its fields take the place of
  /// those of the same name, but for those that describe the body as it came.
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
    // The time it spent on the way then is not that of now.
    merged["Age"] = nil
    for field in new { merged.append(field.name, field.value) }
    return StoredResponse(
      url: url, status: status, headers: merged, requestTime: min(requestTime, responseTime),
      responseTime: responseTime, varied: varied, redirectsHoldUntil: nil)
  }

  // MARK: Times

  /// Seconds for which it is fresh, from when it was made.
  package var lifetime: Double {
    if let maxAge = CacheControl(headers).maxAge { return maxAge }
    let made = date ?? responseTime
    if let expires = headers["Expires"] {
      // What is no date, such as 0, has passed already.
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

  /// Seconds since it was made (RFC 9111, 4.2.3).
  package func age(at now: Double) -> Double {
    let apparent = max(0, responseTime - (date ?? responseTime))
    let told = headers["Age"].flatMap { Double($0) }.map { $0.isFinite ? max(0, $0) : 0 } ?? 0
    let corrected = told + max(0, responseTime - requestTime)
    return max(apparent, corrected) + max(0, now - responseTime)
  }

  private var date: Double? { headers["Date"].flatMap(DateParser.seconds) }

  // MARK: Vary

  /// Fields that a transport adds by itself, to every request the same.
  private static let constant: Set = ["accept-encoding", "user-agent", "host"]

  /// What `request` says in the fields by which the answer may differ; nil where that is no matter
  /// of fields.
  private static func varied(_ headers: HTTPHeaders, _ request: HTTPRequest) -> HTTPHeaders? {
    var varied = HTTPHeaders()
    let names = headers.values(of: "Vary").flatMap { $0.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    for name in Set(names).sorted() where !name.isEmpty && !constant.contains(name) {
      guard name != "*" else { return nil }
      if let value = request.headers[name] { varied.append(name, value) }
    }
    return varied
  }
}
