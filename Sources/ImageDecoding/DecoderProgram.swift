import CPictureDecoding
import Dispatch
import ImageLoading
import Pixels
import Synchronization
import System

/// Decodes pictures in separate processes, so that a malicious picture can neither crash the
/// program that shows it nor read its memory.
///
/// 1. Each process decodes one picture at a time. A process is started when a picture finds no idle
///    one; the first, as soon as a picture is expected. At most two idle processes are kept.
/// 2. A process that dies, answers nonsense or takes too long fails only its own picture: it is
///    killed, and the next picture gets another process.
/// 3. A picture that is no longer wanted is cancelled by killing its process.
/// 4. If the first process cannot be started, pictures are decoded in the program itself from then
///    on.
/// 5. If the system cannot filter the system calls of the processes, they decode without the
///    filter, within their limits, and that is reported.
/// 6. The processes end with the program, and with the last reference to this object.
public final class DecoderProgram: Sendable {
  /// The program's name.
  public static let name = "tideline-decoder"

  private struct State {
    var resting: [DecoderProcess] = []
    var isUnavailable = false
    var hasStarted = false
    /// Whether the first process was started or is being started.
    var isPrepared = false
  }

  /// The maximum number of idle processes; a further one ends after its picture.
  private static let maximumResting = 2

  private let path: String
  private let report: @Sendable (String) -> Void
  private let state = Mutex(State())
  /// Entered while the first process is being started.
  private let preparation = DispatchGroup()

  /// Uses the program at `path`; no process is started before a picture is expected.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - report: called with one line, once, if the program cannot be used or the system does not
  ///     filter its calls; on any thread.
  public init(path: String, report: @escaping @Sendable (String) -> Void = { _ in }) {
    self.path = path
    self.report = report
  }

  /// The program installed with the one that runs: in the same folder, or in `libexec` beside that
  /// folder. `PATH` and the current folder are not searched. If it is in neither, that is reported
  /// and the result is `nil`.
  public static func installed(
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) -> DecoderProgram? {
    if let own = SystemPaths.program {
      let folder = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex)
      let prefix = folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.startIndex)
      for path in ["\(folder)/\(name)", "\(prefix)/libexec/\(name)"]
      where path.hasPrefix("/") && access(path, X_OK) == 0 {
        return DecoderProgram(path: path, report: report)
      }
    }
    report("no \(name) beside the program: pictures are decoded in the program itself")
    return nil
  }

  deinit { for process in state.withLock({ $0.resting }) { process.hangUp() } }

  /// The process identifiers of the idle processes.
  package var restingProcesses: [Int32] {
    state.withLock { $0.resting.compactMap(\.number) }
  }

  /// Starts the first process on another thread, unless that was done: a picture is on its way.
  func prepare() {
    let isFirst = state.withLock { state in
      defer { state.isPrepared = true }
      return !state.isPrepared
    }
    guard isFirst else { return }
    preparation.enter()
    DispatchQueue(label: "tideline.decoder", qos: .utility).async { [self] in
      defer { preparation.leave() }
      do throws(ImageError) {
        if let process = try start() { rest(process) }
      } catch {
        // The next picture tries again, and its row shows the reason.
      }
    }
  }

  /// Carries out `order`. Blocks.
  ///
  /// - Returns: `nil` if the program cannot be used at all.
  func run(
    _ order: DecodingOrder, on bytes: [UInt8], stop: DecodingStop?
  ) throws(ImageError) -> DecodedImage? {
    // An idle process may have exited since, as it does after a certain CPU time.
    for _ in 0...Self.maximumResting + 1 {
      guard let (process, isNew) = try takeProcess() else { return nil }
      stop?.whenStopped { process.kill() }
      let result = process.run(order, on: bytes)
      stop?.whenStopped(nil)
      if case .done(let outcome, let pixels) = result, stop?.isStopped != true {
        rest(process)
        return try order.image(of: pixels, outcome)
      }
      process.end()
      if stop?.isStopped == true { throw .decoderFailed(reason: "it was stopped") }
      switch result {
      case .failed(let reason): throw .decoderFailed(reason: reason)
      // A process that is not new may have been killed while it was idle.
      case .wasKilled where isNew: throw .decoderFailed(reason: "it was killed")
      case .wasKilled, .wasGone, .done: break
      }
    }
    throw .decoderFailed(reason: "it ends as soon as it is started")
  }

  /// An idle process, or a new one; `nil` if the program cannot be used.
  private func takeProcess() throws(ImageError) -> (process: DecoderProcess, isNew: Bool)? {
    // If one is being started, another would be ready no sooner.
    preparation.wait()
    let resting = state.withLock { state in
      state.isPrepared = true
      return state.resting.popLast()
    }
    if let resting { return (resting, false) }
    return try start().map { ($0, true) }
  }

  /// A new process; `nil` if the program cannot be used.
  private func start() throws(ImageError) -> DecoderProcess? {
    guard !state.withLock({ $0.isUnavailable }) else { return nil }
    do throws(DecoderProcess.NotStarted) {
      let process = try DecoderProcess(path: path)
      let isFirst = state.withLock { state in
        defer { state.hasStarted = true }
        return !state.hasStarted
      }
      if isFirst, let reason = process.missingFilter {
        report("\(path): \(reason): pictures are decoded without a filter of system calls")
      }
      return process
    } catch {
      let (hasStarted, isFirst) = state.withLock { state in
        defer { state.isUnavailable = !state.hasStarted }
        return (state.hasStarted, !state.isUnavailable)
      }
      // A program that has worked is not given up because the system lacks something now.
      if hasStarted { throw .decoderFailed(reason: error.reason) }
      if isFirst {
        report("\(path): \(error.reason): pictures are decoded in the program itself")
      }
      return nil
    }
  }

  private func rest(_ process: DecoderProcess) {
    let isKept = state.withLock { state in
      guard state.resting.count < Self.maximumResting else { return false }
      state.resting.append(process)
      return true
    }
    if !isKept { process.hangUp() }
  }
}
