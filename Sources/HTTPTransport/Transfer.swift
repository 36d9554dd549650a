import CCurl
import HTTP

/// One request at libcurl. Belongs to the transfer thread, as do libcurl's calls back.
///
/// Time that the reader makes the transfer wait counts for no limit: it is the server's patience that
/// is asked for then, not ours.
final class Transfer {
  typealias Instant = SuspendingClock.Instant

  let exchange: Exchange
  let handle: CurlLibrary.Handle
  private let library: CurlLibrary
  private let words: UnsafeMutablePointer<CChar>
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var head = ResponseHead()
  private var response: HTTPResponse?
  private var received = 0
  private var started: Instant
  private var lastSign: Instant
  private var heldSince: Instant?

  private var limits: HTTPLimits { exchange.request.limits }

  /// - Throws: `HTTPError.invalidURL`, `.unavailable`.
  init(
    _ exchange: Exchange, library: CurlLibrary, settings: TransferSettings, now: Instant
  ) throws(HTTPError) {
    let url = exchange.request.url
    guard let address = WebAddress(url, library: library) else { throw .invalidURL(url) }
    guard let handle = library.functions.easy_init() else {
      throw .unavailable(reason: "libcurl has no memory")
    }
    self.exchange = exchange
    self.library = library
    self.handle = handle
    words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    started = now
    lastSign = now
    try configure(address, settings)
  }

  /// After the handle has left its multi handle.
  deinit {
    library.functions.easy_cleanup(handle)
    library.functions.slist_free_all(fields)
    words.deallocate()
  }

  private func configure(_ address: WebAddress, _ settings: TransferSettings) throws(HTTPError) {
    let request = exchange.request
    func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
      try library.set(option, value, of: handle)
    }
    func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
      try library.set(option, value, of: handle)
    }
    try library.allowWebOnly(handle, redirectsToHTTPSOnly: request.redirectsToHTTPSOnly)
    try set(CURLOPT_URL, address.text)
    try set(CURLOPT_FOLLOWLOCATION, 1)
    try set(CURLOPT_MAXREDIRS, max(0, request.limits.maximumRedirects))
    try set(CURLOPT_HTTP09_ALLOWED, 0)
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try set(CURLOPT_ACCEPT_ENCODING, "")
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_BUFFERSIZE, 65_536)
    // None, not even from an address that holds a name and password.
    try set(CURLOPT_HTTPAUTH, 0)
    try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    try set(CURLOPT_NOPROXY, settings.noProxy)
    // The limits of the request are kept here; libcurl's own must not end it sooner.
    try set(CURLOPT_CONNECTTIMEOUT, 86_400)
    if let file = settings.certificateFile { try set(CURLOPT_CAINFO, file) }
    do {
      try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    } catch {
      // A libcurl that is built without HTTP/2 speaks HTTP/1.1.
      try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    }
    try set(CURLOPT_USERAGENT, settings.userAgent)
    for field in request.headers.fields {
      // To libcurl a name without a value means: leave that field out.
      let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
      guard let longer = library.functions.slist_append(fields, line) else {
        throw .unavailable(reason: "libcurl has no memory")
      }
      fields = longer
    }
    try library.set(CURLOPT_HTTPHEADER, fields.map { UnsafeMutableRawPointer($0) }, of: handle)
    try library.set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(words), of: handle)

    let this = Unmanaged.passUnretained(self).toOpaque()
    try library.set(CURLOPT_PRIVATE, this, of: handle)
    try library.set(CURLOPT_HEADERDATA, this, of: handle)
    try library.set(CURLOPT_WRITEDATA, this, of: handle)
    try library.set(CURLOPT_HEADERFUNCTION, Self.onHeader, of: handle)
    try library.set(CURLOPT_WRITEFUNCTION, Self.onBody, of: handle)
  }

  // MARK: libcurl's calls

  private static let onHeader: curl_write_callback = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().takeHeader(line)
  }

  private static let onBody: curl_write_callback = { bytes, size, count, context in
    guard size * count > 0 else { return 0 }
    guard let bytes, let context else { return 0 }
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().takeBody(piece)
  }

  /// Any number but the line's length ends the transfer.
  private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
    lastSign = .now
    // What comes after the head of the answer are trailers.
    guard response == nil else { return line.count }
    switch head.take(line) {
    case .more, .redirect:
      return line.count
    case .malformed:
      exchange.finish(.failure(.malformed(reason: "no status line")))
      return line.count + 1
    case .complete:
      return receiveHead() ? line.count : line.count + 1
    }
  }

  /// Hands on the head; false where its body will be too large.
  private func receiveHead() -> Bool {
    let url = library.string(CURLINFO_EFFECTIVE_URL, of: handle) ?? exchange.request.url
    let response = HTTPResponse(status: head.status, headers: head.headers, url: url)
    // These two have no body, whatever length they claim (RFC 9112, 6.3).
    let hasBody = head.status != 204 && head.status != 304
    if hasBody, let length = response.expectedLength, length > limits.maximumBytes {
      exchange.finish(.failure(.tooLarge(limit: limits.maximumBytes)))
      return false
    }
    self.response = response
    exchange.receive(response)
    return true
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastSign = .now
    guard received + bytes.count <= limits.maximumBytes else {
      exchange.finish(.failure(.tooLarge(limit: limits.maximumBytes)))
      return 0
    }
    switch exchange.receive(bytes) {
    case .taken:
      received += bytes.count
      return bytes.count
    case .held:
      heldSince = .now
      return Int(CURL_WRITEFUNC_PAUSE)
    case .ended:
      return 0
    }
  }

  // MARK: The thread

  /// The reader has room again.
  func resume(now: Instant) {
    guard let heldSince else { return }
    self.heldSince = nil
    started += heldSince.duration(to: now)
    lastSign = now
    // What was held back is handed over by this call, so it may be held again after it.
    _ = library.functions.easy_pause(handle, CURLPAUSE_CONT)
  }

  /// When to look at the time again; nil while the reader makes it wait.
  var deadline: Instant? {
    guard heldSince == nil else { return nil }
    return min(
      started + .seconds(limits.totalSeconds), lastSign + .seconds(limits.idleSeconds))
  }

  /// The limit that has passed, in seconds.
  func expiredLimit(now: Instant) -> Double? {
    guard heldSince == nil else { return nil }
    if now >= started + .seconds(limits.totalSeconds) { return limits.totalSeconds }
    return now >= lastSign + .seconds(limits.idleSeconds) ? limits.idleSeconds : nil
  }

  /// What libcurl's result means for the reader.
  func end(_ code: CURLcode) -> Result<Void, HTTPError> {
    guard code != CURLE_OK else {
      if response == nil, head.status >= 200, !receiveHead() { return .success(()) }
      return response == nil ? .failure(.malformed(reason: "it has no head")) : .success(())
    }
    switch code {
    case CURLE_TOO_MANY_REDIRECTS:
      return .failure(.tooManyRedirects(limit: limits.maximumRedirects))
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
      guard let location = head.location else { break }
      guard let colon = location.firstIndex(of: ":"), colon > location.startIndex else {
        return .failure(.malformed(reason: "it redirects to no address"))
      }
      let scheme = String(location[..<colon]).lowercased()
      guard !exchange.request.redirectsToHTTPSOnly || scheme != "http" else {
        let host = URLReference(exchange.request.url).host ?? exchange.request.url
        return .failure(.tls(host: host, reason: "it redirects to http"))
      }
      return .failure(.unsupportedScheme(scheme))
    default: break
    }
    let address = library.string(CURLINFO_EFFECTIVE_URL, of: handle)
      .flatMap { WebAddress($0, library: library) }
    let words = String(cString: words)
    let error = HTTPError(
      code, host: address?.authority ?? exchange.request.url,
      text: words.isEmpty ? library.text(code) : words,
      systemCode: library.number(CURLINFO_OS_ERRNO, of: handle))
    guard let response else { return .failure(error) }
    if case .tls = error { return .failure(error) }
    if code == CURLE_BAD_CONTENT_ENCODING { return .failure(error) }
    return .failure(.truncated(expected: response.expectedLength, received: received))
  }
}
