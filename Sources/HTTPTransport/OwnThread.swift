import Glibc

/// Threads of our own: what waits in one would take a thread of the concurrency pool from everybody.
enum OwnThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread; false where the system gives none.
  ///
  /// SIGPIPE is blocked there: a connection that broke is an error of the write that finds it, not a
  /// signal that ends the process.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    guard create(context) else {
      Unmanaged<Body>.fromOpaque(context).release()
      return false
    }
    return true
  }

  private static func create(_ context: UnsafeMutableRawPointer) -> Bool {
    var thread = pthread_t()
    let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
      if let context { OwnThread.run(context) }
      return nil
    }
    guard pthread_create(&thread, nil, main, context) == 0 else { return false }
    pthread_detach(thread)
    return true
  }

  private static func run(_ context: UnsafeMutableRawPointer) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
  }
}
