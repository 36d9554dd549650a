import CChildProcess
import Glibc

/// A program started from this one, without a shell and without the terminal, whose output is read.
///
/// 1. At most `limit` bytes of its standard output are kept, and ``maximumErrors`` of its standard
///    error. Further bytes are dropped; further output can also end the program.
/// 2. Reading ends with the program, even if programs that it has started keep its output open.
package final class CapturedProcess: Sendable {
  /// The bytes that a program has written.
  package struct Output: Hashable, Sendable {
    package var bytes: [UInt8] = []
    package var errors: [UInt8] = []
    /// Whether there was more output than is kept.
    package var isCut = false

    package init(bytes: [UInt8] = [], errors: [UInt8] = [], isCut: Bool = false) {
      (self.bytes, self.errors, self.isCut) = (bytes, errors, isCut)
    }
  }

  /// The maximum bytes of standard error that are kept. `4 KiB`
  package static let maximumErrors = 4 << 10

  private let child: ChildProcess
  private let output: Int32
  private let errors: Int32
  /// A pipe: closing `writing` reports the program's end to the thread that reads.
  private let end: (reading: Int32, writing: Int32)
  private let limit: Int
  private let endsBeyondLimit: Bool

  /// Starts `words[0]`, found by `PATH`, with the other words as its arguments. Blocks until the
  /// system has loaded the program, so do not call it on the main actor.
  ///
  /// - Parameters:
  ///   - input: the content of its standard input.
  ///   - limit: the bytes of its output that are kept.
  ///   - endsBeyondLimit: whether the program is killed when it writes more.
  /// - Throws: `SystemFailure` if there is no such program, or it cannot be started.
  package init(
    _ words: [String], environment: [String: String], input: [UInt8] = [], limit: Int,
    endsBeyondLimit: Bool
  ) throws(SystemFailure) {
    (self.limit, self.endsBeyondLimit) = (limit, endsBeyondLimit)
    var pipes: [Pipe] = []
    do throws(SystemFailure) {
      for _ in 0..<3 { pipes.append(try Pipe()) }
      let (output, errors) = (pipes[0].writing, pipes[1].writing)
      child = try ChildProcess(
        words, environment: environment, input: input, output: output, errors: errors)
    } catch {
      for pipe in pipes { pipe.close() }
      throw error
    }
    // The program has its own copies. While these were open, its output would never end.
    for pipe in pipes.prefix(2) { Glibc.close(pipe.writing) }
    (output, errors, end) = (
      pipes[0].reading, pipes[1].reading, (pipes[2].reading, pipes[2].writing)
    )
  }

  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws(SystemFailure) {
      var ends: [Int32] = [-1, -1]
      guard child_process_pipe(&ends) == 0 else { throw SystemFailure(code: errno) }
      (reading, writing) = (ends[0], ends[1])
    }

    func close() {
      Glibc.close(reading)
      Glibc.close(writing)
    }
  }

  /// Waits until the program has ended, and returns how it ended and its output. Call it exactly
  /// once: otherwise descriptors stay open.
  package func report() async -> (ending: ChildProcess.Ending, output: Output) {
    async let read = readOnThread()
    let ending = await child.ending()
    close(end.writing)
    let written = await read
    for descriptor in [output, errors, end.reading] { close(descriptor) }
    return (ending, written)
  }

  /// Kills the program and those that it has started, unless it has ended.
  package func kill() { child.kill() }

  // MARK: Reading

  private func readOnThread() async -> Output {
    await withCheckedContinuation { continuation in
      let isStarted = DedicatedThread.start { [self] in continuation.resume(returning: read()) }
      if isStarted { return }
      // With nothing reading its output, the program could block on a full pipe.
      kill()
      continuation.resume(returning: Output())
    }
  }

  private func read() -> Output {
    var result = Output()
    var requests = [output, errors, end.reading].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    var piece = [UInt8](repeating: 0, count: 32 << 10)
    var hasEnded = false
    while requests[0].fd >= 0 || requests[1].fd >= 0 {
      // After the end of the program only bytes that are already in the pipes are read.
      let count = poll(&requests, nfds_t(requests.count), hasEnded ? 0 : -1)
      guard count != 0 else { break }
      guard count > 0 else {
        if errno == EINTR { continue }
        break
      }
      if requests[2].fd >= 0, requests[2].revents != 0 {
        hasEnded = true
        requests[2].fd = -1
      }
      for index in 0...1 where requests[index].fd >= 0 && requests[index].revents != 0 {
        let count = Glibc.read(requests[index].fd, &piece, piece.count)
        if count > 0 {
          keep(piece[..<count], asErrors: index == 1, in: &result)
        } else if count == 0 || errno != EINTR {
          requests[index].fd = -1
        }
      }
    }
    return result
  }

  private func keep(_ bytes: ArraySlice<UInt8>, asErrors isErrors: Bool, in result: inout Output) {
    guard !isErrors else {
      result.errors += bytes.prefix(max(0, Self.maximumErrors - result.errors.count))
      return
    }
    let room = max(0, limit - result.bytes.count)
    result.bytes += bytes.prefix(room)
    guard bytes.count > room else { return }
    result.isCut = true
    if endsBeyondLimit { kill() }
  }
}
