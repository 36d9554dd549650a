import HTTP
import Pixels

/// One picture under way: the requests for it, and its present step from the first byte to the
/// outcome. `ImageQueue` decides when a step begins.
///
/// 1. A job has one step at a time; beginning the next one ends the one before.
/// 2. `stop()` cancels the step. A report that is already on its way names the attempt that it
///    belongs to, and the queue ignores attempts that are over.
/// 3. Decoding fits the largest box among the requests at its beginning.
@MainActor final class ImageJob {
  /// The bytes of a picture.
  struct Body {
    var bytes: [UInt8]
    /// Why the rest is missing; `nil` if the body is whole.
    var damage: ImageError?
  }

  private enum Step {
    case waiting
    case transferring(Task<Void, Never>)
    case fetched(Body)
    case decoding(DecodingStop)
    case ended(Result<LoadedImage, ImageError>)
  }

  private var requests: [ImageQueue.RequestID: ImageRequest] = [:]
  private var step = Step.waiting

  // MARK: Requests

  func add(_ request: ImageRequest) { requests[request.id] = request }

  func remove(_ request: ImageRequest) { requests[request.id] = nil }

  /// Reports an event to some of the requests, in this order. A handler may cancel later ones.
  func report(_ event: ImageEvent, to ids: [ImageQueue.RequestID]) {
    for id in ids { requests[id]?.report(event) }
  }

  // MARK: Steps

  /// Runs `work`, which brings the picture's bytes, off the main actor.
  func transfer(
    priority: TaskPriority? = nil, _ work: @escaping @Sendable () async -> Void
  ) {
    step = .transferring(
      Task.detached(executorPreference: ImageFetcher.threads, priority: priority) { await work() })
  }

  /// Keeps the bytes until they are decoded.
  func keep(_ body: Body) { step = .fetched(body) }

  /// Decodes the bytes; does nothing if there are none.
  ///
  /// - Parameters:
  ///   - size: the picture's own size, if its header was read.
  ///   - ended: called on the main actor, unless the job was stopped.
  func decode(
    by service: ImageDecodeService, size: PixelSize?,
    ended: @escaping @MainActor (Result<LoadedImage, ImageError>) -> Void
  ) {
    guard case .fetched(let body) = step else { return }
    let stop = DecodingStop()
    step = .decoding(stop)
    service.decode(body, size: size, fitting: requests.values.map(\.box), stop: stop) { result in
      if !stop.isStopped { ended(result) }
    }
  }

  /// Keeps the outcome until the queue lets the job end.
  func end(_ outcome: Result<LoadedImage, ImageError>) { step = .ended(outcome) }

  var outcome: Result<LoadedImage, ImageError>? {
    if case .ended(let outcome) = step { outcome } else { nil }
  }

  /// Cancels the step and drops its result.
  func stop() {
    switch step {
    case .transferring(let task): task.cancel()
    case .decoding(let stop): stop.stop()
    case .waiting, .fetched, .ended: break
    }
    step = .waiting
  }
}
