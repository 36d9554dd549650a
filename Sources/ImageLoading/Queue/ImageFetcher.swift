import FoundationEssentials
import HTTP
import HTTPCache
import Pixels
import System

/// Fetches pictures, off the main actor: streams their bytes, reads the header from the first of
/// them, and fails as soon as it is clear that they are not a picture.
struct ImageFetcher: Sendable {
  /// Why a fetch has failed.
  struct Failure: Error {
    let error: ImageError
    /// The delay in seconds that the server asks for, if any.
    var retryDelay: Double?
    /// The bytes of a picture received before its body broke off.
    var partial: [UInt8]?
  }

  enum Report: Sendable {
    case received(total: Int, expected: Int?)
    case size(PixelSize)
    /// The picture was found on the disk.
    case diskHit
    /// The picture was found on the disk, and its server has confirmed it.
    case revalidated
  }

  /// The result of looking on the disk.
  enum Found: Sendable {
    case nothing
    /// The bytes of a whole picture; if `isFresh` is false, it has to be revalidated afterwards.
    case bytes([UInt8], isFresh: Bool)
    /// Its server responded recently that the picture does not exist.
    case failure(ImageError)
  }

  /// Threads for the bytes of pictures: reading headers, and decoding `data:` URLs.
  static let threads = WorkerThreads(limit: 2)

  /// Bytes between two reports of progress; each one wakes the main actor.
  private static let reportInterval = 65_536
  private static let shortestReportInterval = 2_048

  let transport: any HTTPTransport
  let decoder: any ImageDecoder
  let configuration: ImageLoaderConfiguration
  /// The disk cache of responses; `nil` if the loader uses none.
  let disk: HTTPCache?

  init(
    transport: any HTTPTransport, decoder: any ImageDecoder,
    configuration: ImageLoaderConfiguration, disk: HTTPCache?
  ) {
    (self.transport, self.decoder, self.configuration) = (transport, decoder, configuration)
    self.disk = configuration.usesCache ? disk : nil
  }

  /// The disk cache, which is searched first, if the picture may be in it.
  func cache(for link: HTTPLink) -> HTTPCache? { HTTPCache.canStore(link.url) ? disk : nil }

  private func request(for link: HTTPLink) -> HTTPRequest {
    HTTPRequest(
      url: link.url, reach: link.reach,
      headers: ["Accept": "image/webp,image/png,image/jpeg,image/gif;q=0.9,*/*;q=0.1"],
      limits: configuration.fetchLimits)
  }

  /// Looks for the picture on the disk.
  func find(_ link: HTTPLink, report: @Sendable (Report) async -> Void) async -> Found {
    guard let cache = cache(for: link) else { return .nothing }
    switch await cache.answer(to: request(for: link)) {
    case .none, .stale: return .nothing
    case .failure(let status): return .failure(.http(.status(status)))
    case .body(let bytes, _, let isFresh):
      await report(.diskHit)
      do throws(ImageError) {
        try await checkHeader(of: bytes, report: report)
        return .bytes(bytes, isFresh: isFresh)
      } catch {
        cache.drop(link.url)
        return .nothing
      }
    }
  }

  /// Revalidates the picture on the disk; a changed one replaces it.
  func refresh(_ link: HTTPLink) async {
    // Errors do not matter: the picture on the disk was shown, and is revalidated again later.
    do { _ = try await send(link, isRefresh: true) { _ in } } catch {}
  }

  private func checkHeader(
    of bytes: [UInt8], mediaType: String? = nil, report: @Sendable (Report) async -> Void
  ) async throws(ImageError) {
    var header = HeaderSniffer(decoder: decoder, mediaType: mediaType, configuration)
    if let size = try header.check(bytes, isAll: true) { await report(.size(size)) }
  }

  /// All bytes of the picture; their header is that of a picture within the limits.
  func run(
    _ link: HTTPLink, report: @Sendable (Report) async -> Void
  ) async throws(Failure) -> [UInt8] {
    do {
      if DataURL.isDataURL(link.url) { return try await inline(link, report: report) }
      return try await send(link, report: report)
    } catch let failure as Failure {
      throw failure
    } catch let error as HTTPError {
      throw Failure(error: .http(error))
    } catch let error as ImageError {
      throw Failure(error: error)
    } catch {
      throw Failure(error: .http(.malformed(reason: "\(error)")))
    }
  }

  private func inline(
    _ link: HTTPLink, report: @Sendable (Report) async -> Void
  ) async throws(ImageError) -> [UInt8] {
    let data = try DataURL(link.url, maximumBytes: configuration.fetchLimits.maximumBytes)
    await report(.received(total: data.bytes.count, expected: data.bytes.count))
    try await checkHeader(of: data.bytes, mediaType: data.mediaType, report: report)
    return data.bytes
  }

  /// Sends the request, as a revalidation if there is a stored response to confirm.
  ///
  /// - Parameter isRefresh: whether to revalidate even a stale picture that may be shown meanwhile.
  private func send(
    _ link: HTTPLink, isRefresh: Bool = false, report: @Sendable (Report) async -> Void
  ) async throws -> [UInt8] {
    let request = request(for: link)
    guard let cache = cache(for: link) else {
      return try await stream(transport.send(request), report: report).bytes
    }
    var stale: StoredResponse?
    switch await cache.answer(to: request) {
    case .stale(let response): stale = response
    case .body(_, let response, false) where isRefresh: stale = response
    case .body(let bytes, _, _):
      // Another program has fetched it in the meantime.
      await report(.diskHit)
      try await checkHeader(of: bytes, report: report)
      return bytes
    case .none, .failure: break
    }
    let start = cache.now
    do {
      var conditional = request
      conditional.validators = stale?.validators
      var (response, body) = try await transport.send(conditional)
      if response.status == 304, let known = stale {
        if let bytes = await cache.freshen(known, by: response, requestTime: start) {
          await report(.revalidated)
          try await checkHeader(of: bytes, report: report)
          return bytes
        }
        stale = nil
        (response, body) = try await transport.send(request)
      }
      // The absence of a picture may be stored, too.
      if response.status == 404 || response.status == 410 {
        cache.keep(response, to: request, body: [], requestTime: start)
      }
      let (bytes, whole) = try await stream((response, body), report: report)
      cache.keep(whole, to: request, body: bytes, requestTime: start)
      return bytes
    } catch {
      guard let stale, let bytes = await body(of: stale, in: cache, insteadOf: error) else {
        throw error
      }
      await report(.diskHit)
      try await checkHeader(of: bytes, report: report)
      return bytes
    }
  }

  /// The stale body, if it may be shown instead of `error`.
  private func body(
    of stale: StoredResponse, in cache: HTTPCache, insteadOf error: any Error
  ) async -> [UInt8]? {
    let isDisconnected: Bool
    switch error {
    case HTTPError.unreachable, HTTPError.timeout: isDisconnected = true
    case let failure as Failure where failure.error.isTransient: isDisconnected = false
    default: return nil
    }
    guard stale.canReplaceError(at: cache.now, isDisconnected: isDisconnected) else { return nil }
    return await cache.body(of: stale)
  }

  private func stream(
    _ answer: (HTTPResponse, HTTPBody), report: @Sendable (Report) async -> Void
  ) async throws -> (bytes: [UInt8], response: HTTPResponse) {
    let (response, body) = answer
    guard response.isSuccess else {
      throw Failure(
        error: .http(.status(response.status)),
        retryDelay: response.retryDelay(now: Date().timeIntervalSince1970))
    }
    let expected = response.expectedLength
    var header = HeaderSniffer(
      decoder: decoder, mediaType: response.mediaType, configuration)
    var bytes: [UInt8] = []
    var reported = 0
    // A small picture, too, reports its progress in a few steps.
    let interval = min(
      Self.reportInterval, max(Self.shortestReportInterval, (expected ?? .max) / 6))
    if let expected {
      await report(.received(total: 0, expected: expected))
      // An array that grows with the bytes takes up to three times their size.
      bytes.reserveCapacity(min(expected, configuration.fetchLimits.maximumBytes))
    }
    do {
      for try await chunk in body {
        bytes.append(contentsOf: chunk)
        let maximum = configuration.fetchLimits.maximumBytes
        guard bytes.count <= maximum else { throw HTTPError.tooLarge(limit: maximum) }
        if let size = try header.check(bytes, isAll: false) { await report(.size(size)) }
        if bytes.count - reported >= interval {
          reported = bytes.count
          await report(.received(total: reported, expected: expected))
        }
      }
      if let expected, bytes.count < expected {
        throw HTTPError.truncated(expected: expected, received: bytes.count)
      }
    } catch let error as HTTPError where error.isTransient && header.isKnown {
      throw Failure(error: .http(error), partial: bytes)
    }
    if let size = try header.check(bytes, isAll: true) { await report(.size(size)) }
    return (bytes, response)
  }
}
