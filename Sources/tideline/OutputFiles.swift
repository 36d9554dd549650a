import System
import TimelineUI

/// The files that the command line names for output: `--log-file` and `--trace`. They are opened
/// before anything is shown or printed, and must not be files that are read.
@MainActor struct OutputFiles {
  let trace: TraceWriter?
  private let display: DisplayRequest

  /// Opens the files, creates missing ones and empties an existing trace.
  ///
  /// - Parameters:
  ///   - inputs: the files that are read.
  ///   - start: the time from which a trace counts.
  /// - Throws: `Failure`; existing files are then unchanged.
  init(
    _ display: DisplayRequest, inputs: [FileIdentity], start: ContinuousClock.Instant
  ) throws(Failure) {
    let settings = display.configuration.flatMap { FileIdentity(path: $0.path) }
    let inputs = inputs + [settings].compactMap { $0 }
    let log = try Self.open(display.logFile, O_WRONLY | O_APPEND, of: "--log-file", sparing: inputs)
    let others = log.flatMap { FileIdentity(descriptor: $0) }
    let trace = try Self.open(
      display.trace, O_WRONLY, of: "--trace", sparing: inputs + [others].compactMap { $0 })
    self.display = display
    LogFile.install(descriptor: log)
    do throws(SystemFailure) {
      self.trace = try trace.map { descriptor throws(SystemFailure) in
        try TraceWriter(emptying: descriptor, start: start)
      }
    } catch {
      throw Self.failure("--trace", display.trace, error)
    }
  }

  /// - Throws: `Failure` if the file cannot be written, or is one of `inputs`.
  private static func open(
    _ path: String?, _ flags: Int32, of option: String, sparing inputs: [FileIdentity]
  ) throws(Failure) -> Int32? {
    guard let path else { return nil }
    let descriptor: Int32
    do throws(SystemFailure) {
      descriptor = try PrivateFiles.open(path, flags)
    } catch {
      throw failure(option, path, error)
    }
    guard let file = FileIdentity(descriptor: descriptor), file.isRegular, inputs.contains(file)
    else { return descriptor }
    close(descriptor)
    throw Failure(
      message: "\(option): \(path) is used already, and would be overwritten",
      status: Program.Status.usage)
  }

  private static func failure(
    _ option: String, _ path: String?, _ failure: SystemFailure
  ) -> Failure {
    Failure(
      message: "\(option): \(path ?? ""): cannot be written: \(failure.message)",
      status: Program.Status.ioError)
  }

  /// Call this at the end to report failures of writing.
  ///
  /// - Throws: `Failure`.
  func check() throws(Failure) {
    if let failure = trace?.failure { throw Self.failure("--trace", display.trace, failure) }
    if let failure = LogFile.failure { throw Self.failure("--log-file", display.logFile, failure) }
  }
}
