import Dispatch

/// Where pictures are decoded: serial queues, of which those at rest are used again. Not one
/// concurrent queue: on Linux its threads are watched by a timer that never ends.
@MainActor final class DecodeThreads {
  private let limit: Int
  private var resting: [DispatchQueue] = []
  private var busy = 0
  private var waiting: [@MainActor () -> Void] = []

  /// - Parameter limit: queues used at once, at least 1. What was stopped may go on for a while.
  init(limit: Int) { self.limit = max(1, limit) }

  /// Does `work` on another thread, when there is one, and hands its outcome to `completion`.
  func run<Success: Sendable>(
    _ work: @escaping @Sendable () throws(ImageError) -> Success,
    completion: @escaping @MainActor (Result<Success, ImageError>) -> Void
  ) {
    guard busy < limit else {
      waiting.append { self.run(work, completion: completion) }
      return
    }
    busy += 1
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
        self.busy -= 1
        if !self.waiting.isEmpty { self.waiting.removeFirst()() }
        completion(result)
      }
    }
  }
}
