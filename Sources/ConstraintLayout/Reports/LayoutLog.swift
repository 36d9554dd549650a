import System

/// Writes conflicts and refusals that have no handler to standard error, which `Terminal` holds
/// back while a screen is open.
enum LayoutLog {
  static func write(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { _ = System.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
