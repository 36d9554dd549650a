import Dispatch

/// Where pictures are decoded: serial queues at rest, at most as many as were used at once. Not one
/// concurrent queue: on Linux its threads are watched by a timer that never ends.
@MainActor final class DecodeThreads {
  private var resting: [DispatchQueue] = []

  /// Does `work` on another thread and hands its outcome to `completion`.
  func run<Success: Sendable>(
    _ work: @escaping @Sendable () throws(ImageError) -> Success,
    completion: @escaping @MainActor (Result<Success, ImageError>) -> Void
  ) {
    let queue = resting.popLast() ?? DispatchQueue(label: "tideline.decode", qos: .utility)
    queue.async {
      let result: Result<Success, ImageError>
      do throws(ImageError) {
        result = .success(try work())
      } catch {
        result = .failure(error)
      }
      Task { @MainActor in
        self.resting.append(queue)
        completion(result)
      }
    }
  }
}
