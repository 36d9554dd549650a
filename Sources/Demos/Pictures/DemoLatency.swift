import Dispatch
import HTTP
import System

/// The latency of ``DemoTransport`` for each picture.
///
/// It depends on the path and a seed alone, so a demo runs the same way twice.
struct DemoLatency: Sendable {
  private let seed: UInt64
  private let milliseconds: ClosedRange<UInt64>
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - milliseconds: the shortest and the longest wait. `100...2000` by default.
  ///   - sleep: waits; throws if the request was cancelled.
  init(
    seed: UInt64, milliseconds: ClosedRange<UInt64> = 100...2000,
    sleep: @escaping @Sendable (Duration) async throws -> Void = DemoLatency.sleep
  ) {
    self.seed = seed
    self.milliseconds = milliseconds
    self.sleep = sleep
  }

  /// The total wait for the picture at `path`.
  ///
  /// - Complexity: O(n) in the bytes of `path`.
  func delay(for path: String) -> Duration {
    // FNV-1a (Fowler, Noll, Vo) of the path seeds a generator whose first number is well mixed even
    // for similar paths, unlike the hash itself.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var random = SeededRandom(seed: hash ^ seed)
    return .milliseconds(Int64(UInt64.random(in: milliseconds, using: &random)))
  }

  /// `Task.sleep` would start a libdispatch thread that then wakes once a second forever.
  private static func sleep(_ time: Duration) async throws {
    let (ticks, alarm) = AsyncStream.makeStream(of: Never.self)
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(time.wholeNanoseconds)) {
      alarm.finish()
    }
    for await _ in ticks {}
    try Task.checkCancellation()
  }

  func wait(_ time: Duration) async throws(HTTPError) {
    do { try await sleep(time) } catch { throw .cancelled }
  }
}
