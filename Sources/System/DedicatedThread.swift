import CThreads

/// Threads that belong to no pool. Work that blocks would take a thread from the concurrency pool,
/// and lowering the priority of a queue's thread would affect later work on that thread.
package enum DedicatedThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread; false if the system cannot start one.
  ///
  /// - Parameter niceness: how far it yields to all others, from 0 to 19 as in `nice`.
  package static func start(niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void) -> Bool {
    // The thread's own reference, which it releases at its end.
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
