import System

/// Why a program produced no usable output, in one line.
package struct ProgramFailure: Error, Hashable, Sendable {
  /// `"rdrview ended with status 1: no article was found"`.
  package let reason: String

  package init(reason: String) { self.reason = reason }
}

/// Runs programs for their output, without a shell and detached from the terminal.
@MainActor final class ProgramRunner {
  private let surroundings: ProgramSurroundings
  /// The running programs, by numbers.
  private var running: [Int: ProgramStarter.Capture] = [:]
  private var lastNumber = 0
  /// Counts the calls of ``stopAll()``.
  private var stopCount = 0

  init(in surroundings: ProgramSurroundings) { self.surroundings = surroundings }

  /// The time limit of a program.
  @MainActor private final class Deadline {
    var hasPassed = false
    /// Whether the program has ended, so that the limit no longer applies.
    var isCancelled = false
  }

  /// The output of a program. It is killed when the task is cancelled.
  ///
  /// - Parameters:
  ///   - limit: the bytes that it may print; with more it is killed.
  ///   - patience: the time that it may take; then it is killed.
  func output(
    of words: [String], limit: Int, within patience: Duration
  ) async -> Result<[UInt8], ProgramFailure> {
    let name = ProgramWords.name(of: words)
    let stops = stopCount
    let program: ProgramStarter.Capture
    switch await surroundings.starter.startCapturing(words, [], limit, true) {
    case .failure(let failure):
      return .failure(ProgramFailure(reason: "\(name) cannot be started: \(failure.message)"))
    case .success(let started): program = started
    }
    let deadline = Deadline()
    surroundings.after(patience) {
      guard !deadline.isCancelled else { return }
      deadline.hasPassed = true
      program.kill()
    }
    // It was being started then.
    if stops != stopCount { program.kill() }
    lastNumber += 1
    let number = lastNumber
    running[number] = program
    let (ending, output) = await withTaskCancellationHandler {
      await program.report()
    } onCancel: {
      program.kill()
    }
    deadline.isCancelled = true
    running[number] = nil
    if Task.isCancelled { return .failure(ProgramFailure(reason: "\(name) was stopped")) }
    if deadline.hasPassed {
      let seconds = patience.components.seconds
      return .failure(ProgramFailure(reason: "\(name) has not ended after \(seconds) seconds"))
    }
    if output.isCut {
      return .failure(ProgramFailure(reason: "\(name) printed more than \(limit.formattedBytes)"))
    }
    guard let problem = ending.problem else { return .success(output.bytes) }
    let errors = output.errorLine
    return .failure(
      ProgramFailure(reason: "\(name) \(problem)" + (errors.isEmpty ? "" : ": \(errors)")))
  }

  /// Kills all programs, also those that are being started, because their output will not be read.
  func stopAll() {
    stopCount += 1
    for program in running.values { program.kill() }
  }
}

extension CapturedProcess.Output {
  /// The first non-blank line of standard output, and the number of non-blank lines.
  var firstLine: (text: String, count: Int) {
    let lines = Self.lines(of: bytes)
    return (lines.first.map { $0.cut } ?? "", lines.count)
  }

  /// The first non-blank line of standard error; empty if there is none.
  var errorLine: String { Self.lines(of: errors).first.map { $0.cut } ?? "" }

  private static func lines(of bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { !$0.allSatisfy(\.isWhitespace) }
  }
}

extension Substring {
  /// The first characters: a status line holds no more.
  fileprivate var cut: String { String(prefix(200)) }
}
