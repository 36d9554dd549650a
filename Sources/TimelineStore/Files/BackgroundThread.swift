import Dispatch
import Glibc

/// Long work that must not get into the way of keys.
///
/// A thread of its own and not a queue: on Linux a thread that has once given way cannot be made urgent
/// again, and the threads of a queue serve others afterwards.
enum BackgroundThread {
  /// How far it gives way: 0...19, as `nice` counts.
  static let niceness: Int32 = 10

  /// Does `body` on a thread that gives way to all others, and waits for it. Where the system has no
  /// thread to give, the calling one does it.
  static func run(_ body: @escaping @Sendable () -> Void) {
    let work = BackgroundWork(body)
    // The thread has a reference of its own, from here to its end.
    let isStarted = start(Unmanaged.passRetained(work).toOpaque())
    if !isStarted {
      Unmanaged.passUnretained(work).release()
      body()
    } else {
      work.done.wait()
    }
  }

  private static func start(_ work: UnsafeMutableRawPointer) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    return pthread_create(&thread, &attributes, { BackgroundWork.perform($0) }, work) == 0
  }
}

private final class BackgroundWork: Sendable {
  let body: @Sendable () -> Void
  let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func perform(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Of the calling thread alone, other than POSIX says; failing, it is merely not as polite.
    _ = setpriority(
      __priority_which_t(PRIO_PROCESS.rawValue), 0, BackgroundThread.niceness)
    let work = Unmanaged<BackgroundWork>.fromOpaque(argument).takeRetainedValue()
    work.body()
    work.done.signal()
    return nil
  }
}
