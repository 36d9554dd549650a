import System

/// Where conflicts and refusals are told that no handler takes: standard error, which `Terminal`
/// keeps back while a screen is open.
enum LayoutLog {
  static func write(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { _ = System.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
