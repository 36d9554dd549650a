import Logging
import System
import TextLayout
import TimelineStore
import TimelineUI

/// Where log lines go: a file the user names, or nowhere. Never the terminal.
struct LogFile: LogHandler {
  private let descriptor: Int32
  var metadata = Logger.Metadata()
  var logLevel = Logger.Level.debug

  /// Opens the file at `path` for appending.
  ///
  /// - Throws: `Failure`.
  private init(path: String) throws(Failure) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = SystemFailure.message(of: errno)
      throw Failure(
        message: "\(path): cannot be written: \(reason)", status: Program.Status.cannotCreate)
    }
  }

  /// Sends all log lines of the process to the file at `path`; to nowhere where it is nil.
  static func install(path: String?) throws(Failure) {
    guard let path else {
      LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
      return
    }
    let file = try LogFile(path: path)
    LoggingSystem.bootstrap { _ in file }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var now = time_t()
    time(&now)
    var parts = tm()
    gmtime_r(&now, &parts)
    var buffer = [CChar](repeating: 0, count: 32)
    let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    let stamp = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    // Whoever reads the file in a terminal reads what strangers wrote.
    let text = Sanitizer.text("\(stamp) \(event.level) \(event.message)\n")
    _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }
}
