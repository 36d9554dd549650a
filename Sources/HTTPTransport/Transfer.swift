import CCurl
import HTTP

/// The libcurl transfer of one request. It and libcurl's callbacks run only on the transfer thread.
///
/// 1. A redirect is a response like any other: the sender of the request follows it.
/// 2. Arriving bytes are gathered, and passed to the reader after each round of the thread, or
///    before they exceed `gatheredByteLimit`: small pieces do not each wake the reader.
/// 3. If the reader has no room, the transfer is held. Bytes that libcurl unpacks until the round
///    ends are taken nevertheless: libcurl would otherwise keep them itself, beyond all limits, and
///    a kilobyte may unpack to a megabyte.
final class Transfer {
  typealias Instant = SuspendingClock.Instant

  /// The maximum bytes that are gathered before they are passed on within a round.
  private static let gatheredByteLimit = 65_536

  /// The maximum number of unpacked bytes of a packed body that are gathered while the reader has
  /// no room.
  private static let heldByteLimit = 32_000_000

  /// Whether libcurl is paused until the reader has room.
  private var isPaused = false
  /// Whether the body arrives packed and libcurl unpacks it.
  private var isPacked = false

  let exchange: Exchange
  let handle: CurlHandle
  private let address: CurlAddress
  private var filter: ConnectionFilter
  private var head: ResponseHead
  private var response: HTTPResponse?
  private var received = 0
  private var pending: [UInt8] = []
  private var limits: TransferLimits
  /// The load of libcurl's callbacks since the last round.
  private var round = RoundLoad()

  private var request: HTTPRequest { exchange.request }

  /// - Throws: `HTTPError.invalidURL`, `.outOfReach`, `.unavailable`.
  init(
    _ exchange: Exchange, library: CurlLibrary, settings: TransferSettings, now: Instant
  ) throws(HTTPError) {
    let request = exchange.request
    guard let address = CurlAddress(request.url, library: library) else {
      throw .invalidURL(request.url)
    }
    filter = try ConnectionFilter(
      scheme: address.scheme, host: address.host, reach: request.reach, settings: settings)
    handle = try CurlHandle(library)
    self.exchange = exchange
    self.address = address
    head = ResponseHead(maximumBytes: request.limits.maximumHeadBytes)
    limits = TransferLimits(request.limits, start: exchange.start, now: now)
    try configure(settings)
  }

  private func configure(_ settings: TransferSettings) throws(HTTPError) {
    try handle.allowWebOnly()
    try handle.set(CURLOPT_URL, address.text)
    try handle.set(CURLOPT_FOLLOWLOCATION, 0)
    try handle.set(CURLOPT_HTTP09_ALLOWED, 0)
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if unpacks { try handle.set(CURLOPT_ACCEPT_ENCODING, "") }
    try handle.set(CURLOPT_NOSIGNAL, 1)
    try handle.set(CURLOPT_BUFFERSIZE, 65_536)
    try handle.set(CURLOPT_NETRC, curl_netrc_ignored)
    try handle.set(CURLOPT_PROXY, filter.proxy ?? "")
    try handle.set(CURLOPT_NOPROXY, "")
    if let login = exchange.login {
      try handle.set(CURLOPT_HTTPAUTH, 1)
      try handle.set(CURLOPT_USERNAME, login.name)
      try handle.set(CURLOPT_PASSWORD, login.password)
    } else {
      try handle.set(CURLOPT_HTTPAUTH, 0)
    }
    // Only libcurl can enforce this limit: the time spent waiting for a free connection does not
    // count.
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds)
    if let file = settings.certificateFile { try handle.set(CURLOPT_CAINFO, file) }
    do {
      try handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    } catch {
      // A libcurl that is built without HTTP/2 speaks HTTP/1.1.
      try handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    }
    handle.take(exchange.cookies)
    try handle.set(CURLOPT_USERAGENT, settings.userAgent)
    try handle.set(
      CURLOPT_HTTPHEADER,
      // `Name:` would remove the field in libcurl; `Name;` sends it with an empty value.
      request.sentHeaders.fields.map {
        $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)"
      })
    try handle.set(CURLOPT_RESOLVE, settings.places)
    try handle.setCallbacks(
      Unmanaged.passUnretained(self).toOpaque(), onHeader: Self.onHeader, onBody: Self.onBody,
      onOpening: Self.onOpening)
  }

  /// Whether libcurl unpacks the body. A request that sets `Accept-Encoding` itself receives the
  /// body as sent.
  private var unpacks: Bool { request.headers["accept-encoding"] == nil }

  private var connectMilliseconds: Int {
    let seconds = request.limits.connectSeconds
    return seconds.isFinite ? Int(max(0.001, min(seconds, 86_400)) * 1_000) : 86_400_000
  }

  // MARK: libcurl's callbacks

  private static let onOpening: curl_opensocket_callback = { context, _, address in
    guard let context, let address else { return -1 }
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().open(address)
  }

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

  /// Opens a socket for a connection to the address; returns -1 to refuse it.
  private func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
    guard filter.proxy == nil else { return curl_open_socket(address) }
    let bytes = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { buffer in
      buffer.baseAddress.map { Array(buffer.prefix(curl_address_bytes(address, $0))) } ?? []
    }
    guard let server = IPAddress(bytes: bytes), filter.allows(server) else { return -1 }
    return curl_open_socket(address)
  }

  /// Returning any number other than the line's length ends the transfer.
  private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
    round.add(line.count)
    // Lines after the head are trailers.
    guard response == nil else { return line.count }
    switch head.take(line) {
    case .more:
      return line.count
    case .malformed: exchange.finish(.failure(.malformed(reason: "no status line")))
    case .tooLong: exchange.finish(.failure(tooLongHead))
    case .complete: if receiveHead() { return line.count }
    }
    return line.count + 1
  }

  private var tooLongHead: HTTPError {
    .malformed(reason: "its headers are longer than \(request.limits.maximumHeadBytes / 1000) kB")
  }

  private var differentLengths: HTTPError {
    .malformed(reason: "it gives two different lengths")
  }

  /// Passes the head on; false if the response is refused.
  private func receiveHead() -> Bool {
    let response = HTTPResponse(
      status: head.status, headers: head.headers, url: address.text,
      reach: filter.responseReach(server: handle.string(CURLINFO_PRIMARY_IP)))
    let lengths = Set(
      head.headers.fields.filter { $0.name.lowercased() == "content-length" }.map(\.value))
    guard lengths.count < 2 else {
      exchange.finish(.failure(differentLengths))
      return false
    }
    let maximum = request.limits.maximumBytes
    if let length = response.expectedLength, length > maximum {
      exchange.finish(.failure(.tooLarge(limit: maximum)))
      return false
    }
    self.response = response
    isPacked = unpacks && response.headers["content-encoding"] != nil
    limits.bodyBegins(now: .now)
    let isRedirect = response.redirection != nil
    exchange.receive(response, cookies: isRedirect ? handle.cookies : CurlCookies())
    return true
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    round.add(bytes.count)
    let maximum = request.limits.maximumBytes
    guard bytes.count <= maximum, received <= maximum - bytes.count else {
      exchange.finish(.failure(.tooLarge(limit: maximum)))
      pending = []
      return 0
    }
    if pending.count + bytes.count > Self.gatheredByteLimit {
      switch deliverToReader() {
      case .taken: break
      case .held where isPacked && pending.count + bytes.count <= Self.heldByteLimit: break
      case .held:
        isPaused = true
        return Int(CURL_WRITEFUNC_PAUSE)
      case .ended: return 0
      }
    }
    pending.append(contentsOf: bytes)
    received += bytes.count
    limits.received(bytes.count)
    return bytes.count
  }

  /// Passes the gathered bytes to the reader; if it has no room for them, its next read
  /// resumes the transfer.
  private func deliverToReader() -> Exchange.DeliveryResult {
    guard !pending.isEmpty else { return .taken }
    let reception = exchange.receive(pending)
    switch reception {
    case .taken: pending.removeAll(keepingCapacity: true)
    case .held: limits.hold(now: .now)
    case .ended: pending = []
    }
    return reception
  }

  // MARK: The thread

  /// Passes the bytes of this round to the reader.
  ///
  /// - Returns: the load of the round.
  func endRound(now: Instant) -> RoundLoad {
    defer { round = RoundLoad() }
    if round.pieces > 0 { limits.recordServerActivity(now: now) }
    // Not within the round: once paused, libcurl would keep the bytes that it unpacks.
    if !isPaused, limits.heldSince != nil || deliverToReader() == .held {
      isPaused = true
      handle.pause(CURLPAUSE_RECV)
    }
    return round
  }

  /// Continues after the reader has room again.
  func resume(now: Instant) {
    guard limits.heldSince != nil else { return }
    limits.resume(now: now)
    guard deliverToReader() == .taken else { return }
    // Unpausing makes libcurl pass on the bytes that it held back before it returns, so the
    // transfer may be held again by then.
    isPaused = false
    handle.pause(CURLPAUSE_CONT)
  }

  /// The next deadline; `nil` while the reader makes the transfer wait.
  var deadline: Instant? { limits.deadline }

  /// The error if a time limit is exceeded.
  func timeoutError(now: Instant) -> HTTPError? { limits.failure(now: now) }

  /// Ends the exchange with libcurl's result.
  func end(_ code: CURLcode) {
    if let error = failure(code) {
      exchange.finish(.failure(error), rest: pending)
    } else {
      exchange.finish(.success(()), rest: pending)
    }
  }

  private func failure(_ code: CURLcode) -> HTTPError? {
    guard code != CURLE_OK else {
      guard response == nil else { return nil }
      return .malformed(
        reason: head.status == 101
          ? "it switches to another protocol" : "it ends before its headers do")
    }
    if response == nil, head.status > 0, code == CURLE_WEIRD_SERVER_REPLY {
      // Newer versions of libcurl end the transfer at the second `Content-Length`.
      let isSecond =
        handle.text(code).lowercased().contains("content-length")
        && head.headers.fields.contains { $0.name.lowercased() == "content-length" }
      return isSecond ? differentLengths : .malformed(reason: "its headers cannot be read")
    }
    if let outOfReach = filter.outOfReach, response == nil, code == CURLE_COULDNT_CONNECT {
      return .outOfReach(host: address.host, outOfReach)
    }
    // libcurl's codes for header lines that exceed its own limits.
    if response == nil, code == CURLE_OUT_OF_MEMORY || code == curl_too_large {
      return tooLongHead
    }
    let error = HTTPError(
      code, host: address.authority, text: handle.text(code),
      systemCode: handle.number(CURLINFO_OS_ERRNO))
    guard let response else { return error }
    if case .tls = error { return error }
    if case .malformed = error, code != CURLE_PARTIAL_FILE { return error }
    let expected = response.expectedLength.flatMap { $0 > received ? $0 : nil }
    return .truncated(expected: expected, received: received)
  }
}

/// The load of libcurl's callbacks in one round of the thread.
struct RoundLoad {
  private(set) var bytes = 0
  private(set) var pieces = 0

  mutating func add(_ count: Int) {
    bytes += count
    pieces += 1
  }

  mutating func add(_ other: RoundLoad) {
    bytes += other.bytes
    pieces += other.pieces
  }

  /// Whether waking up was hardly worth it: few bytes, or tiny pieces.
  var isThin: Bool { bytes < 4_096 || bytes / 32 < pieces }
}
