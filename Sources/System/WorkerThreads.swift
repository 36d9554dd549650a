import Dispatch
import Glibc
import Synchronization

/// A bounded number of threads for work that takes long or waits for a disk: reading, parsing,
/// searching, decoding and drawing. The threads of Swift's tasks (`CJobPool`) stay free for short
/// work.
///
/// 1. Work begins in order of arrival, at most `limit` pieces at a time.
/// 2. A thread starts when work arrives that no idle thread can take. It then sleeps between
///    pieces, without a timer.
/// 3. A task with these threads as its `executorPreference` runs on them, and so do its child
///    tasks, the actors that it calls and functions without an actor. Its parts on the main actor
///    stay there. As an executor the object has to outlive its tasks.
/// 4. The process ends without waiting for work: it is abandoned at exit.
/// 5. If the system cannot start even one thread, work runs on a serial queue of libdispatch.
package final class WorkerThreads: TaskExecutor {
  private typealias Work = @Sendable () -> Void

  /// The state that the threads share. They retain it, but not the executor.
  private final class Shared: Sendable {
    struct State {
      /// The oldest first.
      var waiting: [Work] = []
      var threads = 0
      /// Threads without work, including those that were woken and have not taken theirs yet.
      var idle = 0
    }

    let state = Mutex(State())
    /// Counts the waiting pieces; `deinit` adds one for each thread.
    let available = DispatchSemaphore(value: 0)

    func serve() {
      while true {
        available.wait()
        let work = state.withLock { state -> Work? in
          guard !state.waiting.isEmpty else { return nil }
          state.idle -= 1
          return state.waiting.removeFirst()
        }
        // A thread that is woken without work has to end.
        guard let work else { return }
        work()
        state.withLock { $0.idle += 1 }
      }
    }
  }

  private let limit: Int
  private let niceness: Int32
  private let shared = Shared()
  private let substitute: DispatchQueue

  /// - Parameters:
  ///   - limit: the maximum number of threads, at least 1.
  ///   - niceness: from 0 to 19, as in `nice`: the higher, the more they yield to other threads.
  package init(limit: Int, niceness: Int32 = 0) {
    self.limit = max(1, limit)
    self.niceness = niceness
    substitute = DispatchQueue(label: "tideline.worker")
  }

  deinit {
    let threads = shared.state.withLock { $0.threads }
    for _ in 0..<threads { shared.available.signal() }
  }

  /// The usual limit for work that keeps a core busy or waits for a disk: the number of cores, at
  /// least 4.
  package static let defaultLimit = max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// The niceness of threads that keep all cores busy for seconds while keys are pressed.
  package static let backgroundNiceness: Int32 = 10

  /// Lets a thread that waits for this core run first. Work that keeps all cores busy calls it
  /// between its pieces: a thread of lower niceness that wakes may otherwise wait for the kernel's
  /// next tick, 4 ms.
  ///
  /// - Complexity: one system call, below a microsecond if no thread waits.
  package static func yield() { sched_yield() }

  /// Runs `work` on one of the threads.
  package func run(_ work: @escaping @Sendable () -> Void) {
    let isAccepted = shared.state.withLock { state in
      if state.idle <= state.waiting.count, state.threads < limit,
        DedicatedThread.start(niceness: niceness, { [shared] in shared.serve() })
      {
        state.threads += 1
        state.idle += 1
      }
      guard state.threads > 0 else { return false }
      state.waiting.append(work)
      return true
    }
    guard isAccepted else { return substitute.async(execute: work) }
    shared.available.signal()
  }

  /// Runs `work` on one of the threads and returns its result.
  nonisolated(nonsending) package func value<Value: Sendable>(
    of work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      run { continuation.resume(returning: work()) }
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let (job, executor) = (UnownedJob(job), asUnownedTaskExecutor())
    run { job.runSynchronously(on: executor) }
  }
}
