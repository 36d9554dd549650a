import CMainLoop

/// A loop for a program's main thread that handles typed keys without delay.
public enum MainLoop {
  /// Makes the main thread wait for the terminal and the main queue at once and handle both itself;
  /// libdispatch would pass each key from thread to thread. Screens opened afterwards use the loop.
  ///
  /// For programs whose `main` is asynchronous: call it there before the first `await`. A screen
  /// works without it, but responds later by the time it takes to wake two threads.
  public static func install() { main_loop_install() }

  /// The pending timer callback.
  @MainActor private static var waiting: (@MainActor () -> Void)?

  /// Calls `work` after `milliseconds`, in place of a pending callback. Unlike a Dispatch timer it
  /// wakes no other thread.
  ///
  /// - Returns: whether the loop is installed; if not, `work` is not called.
  @MainActor package static func after(
    milliseconds: Int32, _ work: @escaping @MainActor () -> Void
  ) -> Bool {
    let isInstalled = main_loop_after(
      milliseconds,
      { _ in
        MainActor.assumeIsolated {
          let work = MainLoop.waiting
          MainLoop.waiting = nil
          work?()
        }
      }, nil)
    if isInstalled != 0 { waiting = work }
    return isInstalled != 0
  }
}
