import Dispatch

/// Runs on the main queue what a task does outside of actors. A task that waits in a continuation
/// resumes there first, before it goes back to its actor: with this executor as its preference it
/// takes no thread of the pool of tasks, which may all be busy.
final class MainQueueExecutor: TaskExecutor {
  static let shared = MainQueueExecutor()

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
