import CThreads

/// Threads of the program's own: what waits in one would take a thread of the concurrency pool from
/// everybody, and what gives way to others in one of a queue's would have others give way
/// afterwards.
package enum OwnThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread; false where the system gives none.
  ///
  /// - Parameter niceness: how far it gives way to all others, from 0 to 19 as `nice` counts.
  package static func start(niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void) -> Bool {
    // The thread's own reference, from here to its end.
    let context = Unmanaged.passRetained(Body(body))
    let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
      guard let context else { return }
      Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    }
    guard own_thread_start(run, context.toOpaque(), niceness) == 0 else {
      context.release()
      return false
    }
    return true
  }
}
