import Dispatch

/// Runs on the main queue the parts of a task that belong to no actor. A task suspended in a
/// continuation resumes there before it returns to its actor; with this executor as its preference
/// it needs no thread of the task pool, whose threads may all be busy.
final class MainQueueExecutor: TaskExecutor {
  static let shared = MainQueueExecutor()

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
