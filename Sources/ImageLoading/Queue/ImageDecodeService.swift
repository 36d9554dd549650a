import Pixels
import System

/// Decodes the pictures of one loader on threads of its own, at most `maximumConcurrentDecodes` at
/// once.
@MainActor final class ImageDecodeService {
  private let decoder: any ImageDecoder
  private let configuration: ImageLoaderConfiguration
  private let threads: WorkerThreads
  private var nextImageID: UInt64 = 1

  init(decoder: any ImageDecoder, configuration: ImageLoaderConfiguration) {
    (self.decoder, self.configuration) = (decoder, configuration)
    threads = WorkerThreads(limit: configuration.maximumConcurrentDecodes)
  }

  /// Whether an image has enough pixels for a box; `nil` means the configured `decodeTarget`.
  func suffices(_ image: LoadedImage, for box: PixelSize?) -> Bool {
    image.suffices(for: bounded(box))
  }

  private func bounded(_ box: PixelSize?) -> PixelSize {
    let (box, largest) = (box ?? configuration.decodeTarget, configuration.largestDecodeTarget)
    return PixelSize(
      width: min(box.width, largest.width), height: min(box.height, largest.height))
  }

  /// Lets the decoder get ready; called when a picture's header has been read.
  func prepare() { decoder.prepare() }

  /// Decodes a body, unless it is stopped before its turn comes.
  ///
  /// - Parameters:
  ///   - size: the picture's own size, if its header was read.
  ///   - boxes: the boxes that the picture must have enough pixels for; `nil` means `decodeTarget`.
  ///   - ended: called on the main actor, also if decoding was stopped.
  func decode(
    _ body: ImageJob.Body, size: PixelSize?, fitting boxes: [PixelSize?], stop: DecodingStop,
    ended: @escaping @MainActor (Result<LoadedImage, ImageError>) -> Void
  ) {
    let (decoder, limits) = (decoder, configuration.imageLimits)
    let (bytes, damage) = (body.bytes, body.damage)
    let box = boxes.map(bounded).reduce(PixelSize(width: 0, height: 0)) { union, box in
      PixelSize(width: max(union.width, box.width), height: max(union.height, box.height))
    }
    let imageID = nextImageID
    nextImageID += 1
    let decoded = { @Sendable () throws(ImageError) -> LoadedImage in
      let image: DecodedImage
      do throws(ImageError) {
        if stop.isStopped { throw .decoderFailed(reason: "it was stopped") }
        image = try decoder.decodeAvailable(bytes, fitting: box, limits: limits, stop: stop)
      } catch {
        throw damage ?? error
      }
      let truncation = ImageError.http(.truncated(expected: nil, received: bytes.count))
      return LoadedImage(
        id: imageID, size: size ?? decoder.size(of: bytes) ?? image.pixels.size,
        pixels: image.pixels, damage: damage ?? (image.isComplete ? nil : truncation), box: box)
    }
    threads.run {
      let result: Result<LoadedImage, ImageError>
      do throws(ImageError) { result = .success(try decoded()) } catch { result = .failure(error) }
      Task { @MainActor in ended(result) }
    }
  }
}

extension ImageDecoder {
  /// The size that the header states; `nil` if there is no header.
  fileprivate func size(of bytes: [UInt8]) -> PixelSize? {
    guard case .header(let header) = header(of: bytes) else { return nil }
    return header.size
  }
}
