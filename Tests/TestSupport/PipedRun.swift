import Dispatch
import Glibc

/// A program run to its end without a terminal.
public enum PipedRun {
  public struct Result: Sendable {
    public let status: ExitStatus
    public let output: [UInt8]
    public let errors: [UInt8]

    /// Standard output and standard error as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  /// Sends `input` to the program's standard input and collects its output.
  ///
  /// A program that still runs after `patience` is killed, which the error reports.
  public static func run(
    path: String, arguments: [String] = [], input: [UInt8] = [], environment: [String: String],
    workingFolder: String? = nil, within patience: Duration = TerminalSession.patience
  ) async throws -> Result {
    // On a queue, because it blocks: a server that the program uses may be in this process.
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "tideline.tests.run").async {
        continuation.resume(
          with: Swift.Result {
            try runBlocking(
              path: path, arguments: arguments, input: input, environment: environment,
              workingFolder: workingFolder, within: patience)
          })
      }
    }
  }

  private static func runBlocking(
    path: String, arguments: [String], input: [UInt8], environment: [String: String],
    workingFolder: String?, within patience: Duration
  ) throws -> Result {
    let (inputPipe, outputPipe, errorPipe) = (try Pipe(), try Pipe(), try Pipe())
    let child = try ChildProcess(
      path: path, arguments: arguments, environment: environment, workingFolder: workingFolder,
      descriptors: [
        .duplicate(inputPipe.reading), .duplicate(outputPipe.writing),
        .duplicate(errorPipe.writing),
      ], newSession: true)
    inputPipe.closeReading()
    outputPipe.closeWriting()
    errorPipe.closeWriting()

    var (output, errors, pending): ([UInt8], [UInt8], ArraySlice<UInt8>) = ([], [], input[...])
    let deadline = ContinuousClock.now + patience
    while true {
      // Checked once: a child that ends in between would leave nothing to wait for.
      let hasEnded = child.exitStatus != nil
      if hasEnded, outputPipe.reading < 0, errorPipe.reading < 0 { break }
      guard deadline > .now else {
        child.send(signal: SIGKILL, group: true)
        throw HarnessError.timedOut(
          waitingFor: "the end of \(path) \(arguments)",
          screen: String(decoding: output + errors, as: UTF8.self))
      }
      if pending.isEmpty { inputPipe.closeWriting() }
      // poll ignores negative descriptors: those that are closed.
      var waiting = [
        pollfd(fd: inputPipe.writing, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: outputPipe.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errorPipe.reading, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: hasEnded ? -1 : child.endDescriptor, events: Int16(POLLIN), revents: 0),
      ]
      let remaining = (deadline - .now).components
      _ = poll(&waiting, nfds_t(waiting.count), Int32(clamping: remaining.seconds * 1000 + 10))
      if waiting[0].revents != 0, !inputPipe.write(&pending) { inputPipe.closeWriting() }
      if waiting[1].revents != 0 { outputPipe.read(into: &output) }
      if waiting[2].revents != 0 { errorPipe.read(into: &errors) }
    }
    return Result(status: child.exitStatus ?? .exited(-1), output: output, errors: errors)
  }
}

/// A pipe whose ends are closed one by one; a closed end is -1.
private final class Pipe {
  private(set) var reading: Int32
  private(set) var writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw HarnessError.system(call: "pipe", argument: "", code: errno)
    }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    closeReading()
    closeWriting()
  }

  func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Writes as much as possible and removes it from `bytes`; returns false if the reader is gone.
  func write(_ bytes: inout ArraySlice<UInt8>) -> Bool {
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    let count = bytes.withUnsafeBytes { buffer in
      Glibc.write(writing, buffer.baseAddress, buffer.count)
    }
    if count > 0 { bytes = bytes.dropFirst(count) }
    return count >= 0 || errno == EAGAIN || errno == EINTR
  }

  /// Appends what has arrived; closes the end at the end of the output.
  func read(into bytes: inout [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(reading, &buffer, buffer.count)
    if count > 0 {
      bytes += buffer[..<count]
    } else if count == 0 || errno != EINTR {
      closeReading()
    }
  }
}
