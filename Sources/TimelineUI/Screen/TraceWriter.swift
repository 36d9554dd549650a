import Feeds
import System
import TimelineStore

/// Writes the program's events as JSON Lines, for measurements from outside.
@MainActor public final class TraceWriter {
  /// The file cannot be opened or written.
  public struct Failure: Error {
    /// The path as given.
    public let path: String
    /// The `errno` of the call that failed.
    public let code: Int32

    /// One line: the file and the problem.
    public var message: String { "\(path): cannot be written: \(SystemFailure.message(of: code))" }
  }

  private let path: String
  private let descriptor: Int32
  private let start: ContinuousClock.Instant
  private var buffer: [UInt8] = []
  /// The first failure to write; later events are dropped, and the program reports it when it ends.
  public private(set) var failure: Failure?

  /// Creates the file at `path`, accessible to the user only, or empties it.
  ///
  /// - Throws: `Failure` if that fails.
  public convenience init(path: String, start: ContinuousClock.Instant) throws(Failure) {
    do throws(SystemFailure) {
      let descriptor = try PrivateFiles.open(path, O_WRONLY)
      try self.init(path: path, emptying: descriptor, start: start)
    } catch {
      throw Failure(path: path, code: error.code)
    }
  }

  /// Empties an open file and takes ownership of it.
  ///
  /// - Parameter path: the path in failures.
  package init(
    path: String, emptying descriptor: Int32, start: ContinuousClock.Instant
  ) throws(SystemFailure) {
    self.path = path
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

  /// Writes one event. `fields` is the inside of a JSON object, without its braces.
  public func write(event: String, _ fields: String) {
    guard failure == nil else { return }
    buffer.append(contentsOf: "{\"t\":\(now),\"event\":\"\(event)\",\(fields)}\n".utf8)
    flush()
  }

  private func flush() {
    do throws(SystemFailure) {
      try Output.write(buffer, to: descriptor)
    } catch {
      failure = Failure(path: path, code: error.code)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// `string` as a JSON string with its quotation marks.
  public static func quoted(_ string: String) -> String { JSONStringEscaping.quoted(string) }
}
