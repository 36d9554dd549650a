import CMainLoop

/// The loop of a program's main thread in which keys are taken as soon as they are typed.
public enum MainLoop {
  /// Has the main thread wait for the terminal and for the main queue at once, and answer itself,
  /// where libdispatch would hand each key from thread to thread; screens opened afterwards use it.
  ///
  /// For programs whose `main` is asynchronous: to be called in it before the first `await`. A
  /// screen works without it, and answers later by the time it takes to wake two threads.
  public static func install() { main_loop_install() }

  /// What waits for its time.
  @MainActor private static var waiting: (@MainActor () -> Void)?

  /// Does `work` when so many milliseconds have passed, in place of what waits still. Unlike one of
  /// Dispatch's, this timer wakes no other thread.
  ///
  /// - Returns: whether there is such a loop; else nothing is done.
  @MainActor package static func after(
    milliseconds: Int32, _ work: @escaping @MainActor () -> Void
  ) -> Bool {
    let isThere = main_loop_after(
      milliseconds,
      { _ in
        MainActor.assumeIsolated {
          let work = MainLoop.waiting
          MainLoop.waiting = nil
          work?()
        }
      }, nil)
    if isThere != 0 { waiting = work }
    return isThere != 0
  }
}
