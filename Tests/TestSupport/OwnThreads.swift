import Dispatch
import Synchronization
import Testing

/// Runs tests on separate threads, so that a test that waits for a program is not held up by tests
/// that compute: those share the few threads of the concurrency pool.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await withTaskExecutorPreference(ThreadsTaskExecutor.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// See ``OwnThreads``.
  public static var ownThreads: Self { OwnThreads() }
}

/// A task executor with its own threads: a concurrent queue would share those of the concurrency
/// pool, and get another thread only after a second without any.
private final class ThreadsTaskExecutor: TaskExecutor {
  static let shared = ThreadsTaskExecutor(threadCount: 48)

  private let jobs = Mutex<[UnownedJob]>([])
  private let available = DispatchSemaphore(value: 0)

  private init(threadCount: Int) {
    for _ in 0..<threadCount {
      // A serial queue has a thread of its own while it runs something.
      DispatchQueue(label: "tideline.tests.thread").async { [self] in
        while true {
          available.wait()
          jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
        }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    available.signal()
  }
}
