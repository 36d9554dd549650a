import FoundationEssentials
import HTTP
import HTTPCache
import Pixels
import System

/// One fetch, off the main actor: streams the bytes, reads the header from the first of them, and
/// gives up as soon as it is clear that no picture will come of it.
struct ImageFetch: Sendable {
  /// Why it has brought nothing.
  struct Failure: Error {
    let error: ImageError
    /// Seconds for which the server asks to be left alone, where it does.
    var retryDelay: Double?
    /// What came of a picture before its body broke off.
    var partial: [UInt8]?
  }

  enum Report: Sendable {
    case received(total: Int, expected: Int?)
    case size(PixelSize)
    /// It is on the disk, and good.
    case diskHit
    /// It is on the disk, and its server says that it still holds.
    case revalidated
  }

  /// What was found on the disk.
  enum Found: Sendable {
    case nothing
    /// A whole picture's bytes; `isFresh` false: its server is to be asked afterwards.
    case bytes([UInt8], isFresh: Bool)
    /// Its server said not long ago that there is none.
    case failure(ImageError)
  }

  /// Threads for the bytes of pictures: their headers, and pictures within an address.
  static let threads = WorkerThreads(limit: 2)

  /// Bytes between two reports; each one wakes the main actor.
  private static let reportInterval = 65_536

  let link: HTTPLink
  let transport: any HTTPTransport
  let decoder: any ImageDecoder
  let configuration: ImageLoaderConfiguration
  /// Nil where nothing is kept on disk.
  var cache: HTTPCache?

  private var request: HTTPRequest {
    HTTPRequest(
      url: link.url, reach: link.reach,
      headers: ["Accept": "image/webp,image/png,image/jpeg,image/gif;q=0.9,*/*;q=0.1"],
      limits: configuration.fetchLimits)
  }

  /// Looks for it on the disk.
  func find(report: @Sendable (Report) async -> Void) async -> Found {
    guard let cache else { return .nothing }
    switch await cache.answer(to: request) {
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

  /// Asks its server whether what is on the disk still holds; what has changed takes its place.
  func refresh() async {
    // What goes wrong is no matter: what is on the disk was shown, and is asked about again.
    do { _ = try await send(isRefresh: true) { _ in } } catch {}
  }

  private func checkHeader(
    of bytes: [UInt8], mediaType: String? = nil, report: @Sendable (Report) async -> Void
  ) async throws(ImageError) {
    var header = HeaderWatch(decoder: decoder, mediaType: mediaType, configuration)
    if let size = try header.check(bytes, isAll: true) { await report(.size(size)) }
  }

  /// The whole bytes of what begins like a picture within the limits.
  func run(
    report: @Sendable (Report) async -> Void
  ) async throws(Failure) -> [UInt8] {
    if DataURL.isDataURL(link.url) {
      do throws(ImageError) {
        return try await inline(report: report)
      } catch {
        throw Failure(error: error)
      }
    }
    do {
      return try await send(report: report)
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
    report: @Sendable (Report) async -> Void
  ) async throws(ImageError) -> [UInt8] {
    let data = try DataURL(link.url, maximumBytes: configuration.fetchLimits.maximumBytes)
    await report(.received(total: data.bytes.count, expected: data.bytes.count))
    try await checkHeader(of: data.bytes, mediaType: data.mediaType, report: report)
    return data.bytes
  }

  /// Sends the request, by what is on the disk where there is something that its server knows.
  ///
  /// - Parameter isRefresh: whether what may be shown without asking is asked about as well.
  private func send(
    isRefresh: Bool = false, report: @Sendable (Report) async -> Void
  ) async throws -> [UInt8] {
    guard let cache else { return try await stream(transport.send(request), report: report).bytes }
    var stale: StoredResponse?
    switch await cache.answer(to: request) {
    case .stale(let response): stale = response
    case .body(_, let response, false) where isRefresh: stale = response
    case .body(let bytes, _, _):
      // Another program has fetched it in between.
      await report(.diskHit)
      try await checkHeader(of: bytes, report: report)
      return bytes
    case .none, .failure: break
    }
    let start = cache.now
    do {
      var (response, body) = try await transport.send(
        stale.map { request.adding($0.validators) } ?? request)
      if response.status == 304, let known = stale {
        if let bytes = await cache.freshen(known, by: response, requestTime: start) {
          await report(.revalidated)
          try await checkHeader(of: bytes, report: report)
          return bytes
        }
        stale = nil
        (response, body) = try await transport.send(request)
      }
      // That it is gone may be kept, too.
      if response.status == 404 || response.status == 410 {
        cache.keep(response, to: request, body: [], requestTime: start)
      }
      let (bytes, whole) = try await stream((response, body), report: report)
      cache.keep(whole, to: request, body: bytes, requestTime: start)
      return bytes
    } catch {
      guard let stale, let bytes = await body(of: stale, insteadOf: error) else { throw error }
      await report(.diskHit)
      try await checkHeader(of: bytes, report: report)
      return bytes
    }
  }

  /// What is no longer fresh, where it may be shown all the same because of `error`.
  private func body(of stale: StoredResponse, insteadOf error: any Error) async -> [UInt8]? {
    guard let cache else { return nil }
    let isDisconnected: Bool
    switch error {
    case HTTPError.unreachable, HTTPError.timeout: isDisconnected = true
    case let failure as Failure where failure.error.isTransient: isDisconnected = false
    default: return nil
    }
    guard stale.mayReplaceError(at: cache.now, isDisconnected: isDisconnected) else { return nil }
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
    var header = HeaderWatch(
      decoder: decoder, mediaType: response.mediaType, configuration)
    var bytes: [UInt8] = []
    var reported = 0
    if let expected {
      await report(.received(total: 0, expected: expected))
      // An array that grows as bytes come takes up to three times their room.
      bytes.reserveCapacity(min(expected, configuration.fetchLimits.maximumBytes))
    }
    do {
      for try await chunk in body {
        bytes.append(contentsOf: chunk)
        let maximum = configuration.fetchLimits.maximumBytes
        guard bytes.count <= maximum else { throw HTTPError.tooLarge(limit: maximum) }
        if let size = try header.check(bytes, isAll: false) { await report(.size(size)) }
        if bytes.count - reported >= Self.reportInterval {
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

extension HTTPRequest {
  fileprivate func adding(_ fields: HTTPHeaders?) -> HTTPRequest {
    var request = self
    for field in fields?.fields ?? [] { request.headers.append(field.name, field.value) }
    return request
  }
}
