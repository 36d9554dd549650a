import CMainLoop

/// The loop of a program's main thread in which keys are taken as soon as they are typed.
public enum MainLoop {
  /// Has the main thread wait for the terminal and for the main queue at once, and answer itself,
  /// where libdispatch would hand each key from thread to thread; screens opened afterwards use it.
  ///
  /// For programs whose `main` is asynchronous: to be called in it before the first `await`. A
  /// screen works without it, and answers later by the time it takes to wake two threads.
  public static func install() { main_loop_install() }
}
