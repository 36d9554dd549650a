import HTTP
import Pixels

/// One fetch, off the main actor: streams the bytes, reads the header from the first of them, and
/// gives up as soon as it is clear that no picture will come of it.
struct ImageFetch: Sendable {
  enum Report: Sendable {
    case received(total: Int, expected: Int?)
    case size(PixelSize)
  }

  /// Bytes between two reports; each one wakes the main actor.
  private static let reportInterval = 65_536

  let link: HTTPLink
  let transport: any HTTPTransport
  let decoder: any ImageDecoder
  let configuration: ImageLoaderConfiguration

  /// The whole bytes of what begins like a picture within the limits.
  func run(
    report: @Sendable (Report) async -> Void
  ) async throws(ImageError) -> [UInt8] {
    if DataURL.isDataURL(link.url) {
      let data = try DataURL(link.url, maximumBytes: configuration.fetchLimits.maximumBytes)
      await report(.received(total: data.bytes.count, expected: data.bytes.count))
      var header = HeaderWatch(decoder: decoder, mediaType: data.mediaType, configuration)
      if let size = try header.check(data.bytes, isAll: true) { await report(.size(size)) }
      return data.bytes
    }
    let request = HTTPRequest(
      url: link.url, reach: link.reach,
      headers: ["Accept": "image/webp,image/png,image/jpeg,image/gif;q=0.9,*/*;q=0.1"],
      limits: configuration.fetchLimits)
    do {
      return try await stream(request, report: report)
    } catch let error as HTTPError {
      throw .http(error)
    } catch let error as ImageError {
      throw error
    } catch {
      throw .http(.malformed(reason: "\(error)"))
    }
  }

  private func stream(
    _ request: HTTPRequest, report: @Sendable (Report) async -> Void
  ) async throws -> [UInt8] {
    let (response, body) = try await transport.send(request)
    guard response.isSuccess else { throw HTTPError.status(response.status) }
    let expected = response.expectedLength
    var header = HeaderWatch(
      decoder: decoder, mediaType: response.mediaType, configuration)
    var bytes: [UInt8] = []
    var reported = 0
    if let expected { await report(.received(total: 0, expected: expected)) }
    for try await chunk in body {
      bytes.append(contentsOf: chunk)
      guard bytes.count <= request.limits.maximumBytes else {
        throw HTTPError.tooLarge(limit: request.limits.maximumBytes)
      }
      if let size = try header.check(bytes, isAll: false) { await report(.size(size)) }
      if bytes.count - reported >= Self.reportInterval {
        reported = bytes.count
        await report(.received(total: reported, expected: expected))
      }
    }
    if let expected, bytes.count < expected {
      throw HTTPError.truncated(expected: expected, received: bytes.count)
    }
    if let size = try header.check(bytes, isAll: true) { await report(.size(size)) }
    return bytes
  }
}

/// Reads the header as soon as the bytes reach it, once.
private struct HeaderWatch {
  let decoder: any ImageDecoder
  let mediaType: String?
  let limits: ImageLimits
  private var isKnown = false
  /// Bytes needed before the next try, doubled each time, so that a header that hides far in is
  /// still looked for in linear time.
  private var nextTry = 1

  init(
    decoder: any ImageDecoder, mediaType: String?, _ configuration: ImageLoaderConfiguration
  ) {
    self.decoder = decoder
    self.mediaType = mediaType
    self.limits = configuration.imageLimits
  }

  /// The size, the first time that it is known.
  mutating func check(_ bytes: [UInt8], isAll: Bool) throws(ImageError) -> PixelSize? {
    guard !isKnown, isAll || bytes.count >= nextTry else { return nil }
    switch decoder.header(of: bytes) {
    case .header(let header):
      isKnown = true
      guard limits.allow(header.size) else {
        throw .tooManyPixels(header.size, limits: limits)
      }
      return header.size
    case .needsMore:
      nextTry = bytes.count < 16_384 ? bytes.count + 1 : bytes.count * 2
      guard isAll else { return nil }
      throw bytes.isEmpty ? .empty : .notAPicture(mediaType: mediaType)
    case .unknownFormat:
      throw .notAPicture(mediaType: mediaType)
    case .corrupted(let format, let reason):
      throw .corrupted(format: format, reason: reason)
    }
  }
}
