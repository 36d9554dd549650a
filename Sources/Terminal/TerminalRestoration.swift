import CTerminalRestoration
import Glibc

/// Brings the terminal back however the program ends: at `exit`, and on the signals of a crash by
/// bytes prepared beforehand, inside the handler.
enum TerminalRestoration {
  /// Signals that ``Screen`` handles in the main loop.
  static let handledSignals: [Int32] = [
    SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT,
  ]

  /// Prepares what is to be done; from now on it is done at `exit` and on crashes.
  static func arm(_ device: TerminalDevice, bytes: [UInt8]) {
    terminal_restoration_install()
    protectThread()
    var settings = device.settings
    terminal_restoration_arm(device.output, &settings, bytes, bytes.count)
  }

  /// Lets the calling thread restore the terminal also after its stack has overflowed.
  static func protectThread() { terminal_restoration_protect_thread() }

  /// Nothing is restored any more.
  static func disarm() { _ = terminal_restoration_disarm() }

  /// Sends the numbers of ``handledSignals`` that come to `descriptor`, a byte each.
  static func forwardSignals(to descriptor: Int32) {
    terminal_signals_forward(descriptor, handledSignals, Int32(handledSignals.count))
  }

  /// Gives ``handledSignals`` their default meaning again.
  static func releaseSignals() {
    terminal_signals_release(handledSignals, Int32(handledSignals.count))
  }
}
