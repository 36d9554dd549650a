import CTerminalRestoration
import System

/// Brings the terminal back however the program ends: at `exit`, and on signals by bytes prepared
/// beforehand, inside the handler.
enum TerminalRestoration {
  /// Keeps what others write to standard error until the terminal is given back, for it would stand in the
  /// midst of the screen and be gone with it.
  static func holdErrors() { terminal_errors_hold() }

  /// Writes what was kept.
  static func releaseErrors() { terminal_errors_release() }

  /// Writes what was kept, and keeps nothing any more.
  static func closeErrors() { terminal_errors_close() }

  /// Prepares what is to be done; from now on it is done at `exit`, on crashes, and on the signals that
  /// a ``SignalPipe`` has taken over.
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
}
