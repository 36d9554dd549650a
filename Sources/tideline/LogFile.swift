import HTTP
import Logging
import Synchronization
import System
import TextLayout
import TimelineStore
import TimelineUI

/// Writes log lines to a file that the user names; without one they are dropped, not printed.
struct LogFile: LogHandler {
  private let descriptor: Int32
  var metadata = Logger.Metadata()
  var logLevel = Logger.Level.debug

  /// The `errno` of the first failure to write; 0 for none.
  private static let problem = Atomic<Int32>(0)

  /// Writes all log lines of the process to an open file; drops them if `descriptor` is `nil`.
  static func install(descriptor: Int32?) {
    guard let descriptor else {
      LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
      return
    }
    let file = LogFile(descriptor: descriptor)
    LoggingSystem.bootstrap { _ in file }
  }

  /// The first failure to write a line; `nil` if there was none.
  static var failure: SystemFailure? {
    let code = problem.load(ordering: .relaxed)
    return code == 0 ? nil : SystemFailure(code: code)
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let stamp = CivilTime(seconds: Double(time(nil))).rfc3339
    // Messages contain text from feeds, and the file may be read in a terminal.
    let text = Sanitizer.text("\(stamp) \(event.level) \(event.message)\n")
    do throws(SystemFailure) {
      try Output.write(text.utf8, to: descriptor)
    } catch {
      _ = Self.problem.compareExchange(expected: 0, desired: error.code, ordering: .relaxed)
    }
  }
}
