import Pixels
import System

/// The pictures of a loader that are being decoded, off the main actor, and for which box each is.
@MainActor final class ImageDecodes {
  /// What has come of a picture until it is decoded.
  struct Body {
    var bytes: [UInt8]
    /// Why that is not all.
    var damage: ImageError?
  }

  private let decoder: any ImageDecoder
  private let configuration: ImageLoaderConfiguration
  /// As many as pictures are decoded at once. What was stopped may keep one for a while.
  private let threads: WorkerThreads
  private var stops: [UInt64: DecodingStop] = [:]
  /// Of requests that have named one.
  private var boxes: [UInt64: PixelSize] = [:]
  private var nextImageID: UInt64 = 1

  init(decoder: any ImageDecoder, configuration: ImageLoaderConfiguration) {
    (self.decoder, self.configuration) = (decoder, configuration)
    threads = WorkerThreads(limit: configuration.maximumConcurrentDecodes)
  }

  /// Notes what a request wants its picture for; nil where it does not say, or is over.
  func setBox(_ box: PixelSize?, of request: UInt64) { boxes[request] = box }

  /// Whether an image has all that is wanted for such a box.
  func suffices(_ image: LoadedImage, for box: PixelSize?) -> Bool {
    image.suffices(for: bounded(box))
  }

  private func bounded(_ box: PixelSize?) -> PixelSize {
    let (box, largest) = (box ?? configuration.decodeTarget, configuration.largestDecodeTarget)
    return PixelSize(
      width: min(box.width, largest.width), height: min(box.height, largest.height))
  }

  /// What suffices for all of these requests.
  private func box(for requests: [UInt64]) -> PixelSize {
    requests.reduce(PixelSize(width: 0, height: 0)) { sum, request in
      let box = bounded(boxes[request])
      return PixelSize(width: max(sum.width, box.width), height: max(sum.height, box.height))
    }
  }

  /// A picture's header is known: the rest is on its way.
  func prepare() { decoder.prepare() }

  /// Decodes a job's picture, unless it is stopped before.
  func decode(
    _ id: UInt64, _ job: ImageQueue.Job, _ body: Body,
    ended: @escaping @MainActor (Result<LoadedImage, ImageError>) -> Void
  ) {
    let (decoder, box, limits) = (decoder, box(for: job.requests), configuration.imageLimits)
    let (bytes, damage, known) = (body.bytes, body.damage, job.size)
    let imageID = nextImageID
    nextImageID += 1
    let stop = DecodingStop()
    stops[id] = stop
    let decoded = { @Sendable () throws(ImageError) -> LoadedImage in
      let image: DecodedImage
      do throws(ImageError) {
        if stop.isStopped { throw .decoderFailed(reason: "it was stopped") }
        image = try decoder.decodeAvailable(bytes, fitting: box, limits: limits, stop: stop)
      } catch {
        throw damage ?? error
      }
      let end = ImageError.http(.truncated(expected: nil, received: bytes.count))
      return LoadedImage(
        id: imageID, size: known ?? decoder.size(of: bytes) ?? image.pixels.size,
        pixels: image.pixels, damage: damage ?? (image.isComplete ? nil : end), box: box)
    }
    threads.run { [weak self] in
      let result: Result<LoadedImage, ImageError>
      do throws(ImageError) { result = .success(try decoded()) } catch { result = .failure(error) }
      Task { @MainActor in
        // Of one that was stopped nobody hears.
        if self?.stops.removeValue(forKey: id) != nil { ended(result) }
      }
    }
  }

  /// Nobody wants a job's picture any more.
  func stop(_ id: UInt64) { stops.removeValue(forKey: id)?.stop() }

  func stopAll() { for stop in stops.values { stop.stop() } }
}

extension ImageDecoder {
  /// By its header; nil where it has none.
  fileprivate func size(of bytes: [UInt8]) -> PixelSize? {
    guard case .header(let header) = header(of: bytes) else { return nil }
    return header.size
  }
}
