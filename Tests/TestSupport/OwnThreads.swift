import Dispatch
import Testing

/// Runs tests on threads of their own, so that a test which waits for a program is not kept waiting by
/// tests that compute: those share the few threads of the concurrency pool.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await withTaskExecutorPreference(QueueTaskExecutor.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// See ``OwnThreads``.
  public static var ownThreads: Self { OwnThreads() }
}

/// A concurrent dispatch queue as a task executor.
private final class QueueTaskExecutor: TaskExecutor {
  static let shared = QueueTaskExecutor()
  private let queue = DispatchQueue(label: "tideline.tests", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
