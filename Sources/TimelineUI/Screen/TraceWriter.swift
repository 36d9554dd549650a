import Feeds
import System
import TimelineStore

/// Writes the program's events as JSON Lines, for measurements from outside.
@MainActor package final class TraceWriter {
  private let descriptor: Int32
  private let start: ContinuousClock.Instant
  /// The first failure to write; later events are dropped. The program reports it when it ends.
  package private(set) var failure: SystemFailure?

  /// Empties an open file and takes ownership of it.
  package init(emptying descriptor: Int32, start: ContinuousClock.Instant) throws(SystemFailure) {
    self.descriptor = descriptor
    self.start = start
    // A pipe or a terminal cannot be emptied.
    guard FileIdentity(descriptor: descriptor)?.isRegular == true else { return }
    guard ftruncate(descriptor, 0) == 0 else { throw SystemFailure(code: errno) }
  }

  deinit { close(descriptor) }

  /// The milliseconds since the program's start.
  private var now: String {
    let elapsed = start.duration(to: .now).components
    let microseconds = elapsed.seconds * 1_000_000 + elapsed.attoseconds / 1_000_000_000_000
    return "\(microseconds / 1_000).\(String(1_000 + microseconds % 1_000).dropFirst())"
  }

  /// Writes one event.
  ///
  /// - Parameter fields: further members of the event's JSON object, without braces; not empty.
  package func write(event: String, _ fields: String) {
    guard failure == nil else { return }
    let line = "{\"t\":\(now),\"event\":\"\(event)\",\(fields)}\n"
    do throws(SystemFailure) {
      try Output.write(line.utf8, to: descriptor)
    } catch {
      failure = error
    }
  }

  /// `string` as a JSON string with its quotation marks.
  package static func quoted(_ string: String) -> String { JSONStringEscaping.quoted(string) }
}
