/// How long the demo server waits before it answers.
///
/// The wait depends on the path and a seed alone, so a demo runs the same way twice.
public struct DemoServerLatency: Sendable {
  private let seed: UInt64
  private let milliseconds: ClosedRange<UInt64>
  /// Nil where the server keeps the time by itself.
  let sleep: (@Sendable (Duration) async throws -> Void)?

  /// - Parameters:
  ///   - milliseconds: the shortest and the longest wait. `100...2000` by default.
  ///   - sleep: waits in the server's place, which drops the request where it throws. By default the
  ///     server waits for as long as it is told to, which costs neither a thread nor a timer.
  public init(
    seed: UInt64, milliseconds: ClosedRange<UInt64> = 100...2000,
    sleep: (@Sendable (Duration) async throws -> Void)? = nil
  ) {
    self.seed = seed
    self.milliseconds = milliseconds
    self.sleep = sleep
  }

  /// The wait before `path` is answered.
  ///
  /// - Complexity: O(n) in the bytes of `path`.
  public func delay(for path: String) -> Duration {
    // FNV-1a (Fowler, Noll, Vo) of the path; its value then seeds a generator, whose first number
    // is well mixed where those of similar paths would not be.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var random = SeededRandom(seed: hash ^ seed)
    return .milliseconds(Int64(UInt64.random(in: milliseconds, using: &random)))
  }
}
