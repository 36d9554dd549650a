import CDecoderChannel
import CPictureDecoding
import Pixels
import Synchronization
import System

/// A process of a `DecoderProgram`, and the channel to it (`CDecoderChannel.h`). It decodes one
/// picture at a time.
final class DecoderProcess: Sendable {
  /// Why the process could not be started.
  struct NotStarted: Error {
    let reason: String
  }

  enum Result {
    case done(picture_outcome, [UInt8])
    /// The process had ended, in any way, before the request was sent, or exited with status 0
    /// without an answer.
    case wasGone
    /// The process was killed by `SIGKILL`, and its end was noticed after the request was sent.
    case wasKilled
    /// The process died, took too long or sent an invalid answer; the reason, in a few words.
    case failed(String)
  }

  /// The maximum time for the process to open its libraries and send its greeting.
  private static let startMilliseconds: Int32 = 5_000
  /// The maximum time for a picture, on a busy machine; the decoder's limit of CPU time is lower.
  private static let pictureMilliseconds: Int32 = 60_000
  /// The only environment variable that the process gets: it says in which folders libraries are.
  private static let libraryPath = "LD_LIBRARY_PATH"

  /// The system's error if the system calls of the process are not filtered; `nil` if they are.
  let missingFilter: String?
  private let process: HelperProcess
  /// The descriptor of the program's end; -1 once it is closed.
  private let channel: Mutex<Int32>

  /// Starts a process, and waits until it is ready.
  init(path: String) throws(NotStarted) {
    var (own, its): (Int32, Int32) = (-1, -1)
    let problem = decoder_channel_open(&own, &its)
    guard problem == 0 else { throw NotStarted(reason: SystemFailure.message(of: problem)) }
    defer { close(its) }
    let environment = ProcessEnvironment.variables.filter { $0.key == Self.libraryPath }
    do throws(SystemFailure) {
      process = try HelperProcess(path: path, environment: environment, input: its)
    } catch {
      close(own)
      throw NotStarted(reason: error.message)
    }
    channel = Mutex(own)
    var unfiltered: Int32 = 0
    let greetingProblem = decoder_channel_greeted(own, Self.startMilliseconds, &unfiltered)
    missingFilter = unfiltered == 0 ? nil : SystemFailure.message(of: unfiltered)
    guard greetingProblem == 0 else {
      end()
      throw NotStarted(reason: Self.reason(ofGreetingProblem: greetingProblem))
    }
  }

  private static func reason(ofGreetingProblem problem: Int32) -> String {
    switch problem {
    case EPROTO: "it is not a decoder of this version"
    case ETIMEDOUT: "it was not ready within \(startMilliseconds / 1_000) s"
    case EPIPE: "it ended at once"
    default: SystemFailure.message(of: problem)
    }
  }

  deinit { hangUp() }

  /// The process ID; `nil` after its end.
  var number: Int32? { process.number }

  /// Closes the channel, which ends an idle process at once.
  func hangUp() {
    channel.withLock { channel in
      if channel >= 0 { close(channel) }
      channel = -1
    }
  }

  /// Ends the process even while it decodes.
  func end() {
    process.kill()
    hangUp()
  }

  /// Kills the process from another thread; a `run` in progress then fails.
  func kill() { process.kill() }

  /// Has the process carry out `order`. Blocks, for a minute at most.
  func run(_ order: DecodingOrder, on bytes: [UInt8]) -> Result {
    var (descriptor, memory): (Int32, UnsafeMutableRawPointer?) = (-1, nil)
    let problem = decoder_memory_make(
      order.pixelBytes, bytes, bytes.count, &descriptor, &memory)
    guard problem == 0, let memory else { return .failed(SystemFailure.message(of: problem)) }
    defer {
      munmap(memory, order.pixelBytes)
      close(descriptor)
    }
    let channel = channel.withLock { $0 }
    var request = order.request
    switch decoder_channel_send(channel, &request, bytes.count, descriptor) {
    case 0: break
    case EPIPE: return .wasGone
    case EPROTO: return .failed("it answered out of turn")
    case let problem: return .failed(SystemFailure.message(of: problem))
    }
    var outcome = picture_outcome()
    switch decoder_channel_outcome(channel, &outcome, Self.pictureMilliseconds) {
    case 0:
      // The process may still write to the memory, so the pixels are copied.
      let pixels = UnsafeRawBufferPointer(start: memory, count: order.pixelBytes)
      return .done(outcome, Array(pixels))
    case EPIPE: return death()
    case ETIMEDOUT: return .failed("it took too long")
    case EPROTO: return .failed("it sent an invalid answer")
    case let problem: return .failed(SystemFailure.message(of: problem))
    }
  }

  private func death() -> Result {
    process.kill()
    switch process.ending() {
    case .status(0): return .wasGone
    case .status(let status): return .failed("it ended with status \(status)")
    case .signal(SIGXCPU): return .failed("it took too long")
    case .signal(SIGKILL): return .wasKilled
    case .signal(let number): return .failed("it died of signal \(number)")
    case .unknown: return .failed("it ended")
    }
  }
}
