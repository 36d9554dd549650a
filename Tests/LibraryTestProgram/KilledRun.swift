import Library
import System

/// Reads and marks items of a library until it is killed at a random moment, and prints each change
/// after it was written.
enum KilledRun {
  /// xorshift64*, from the seed.
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state >> 12
      state ^= state << 25
      state ^= state >> 27
      return state &* 0x2545_F491_4F6C_DD1D
    }
  }

  static func run(path: String, seed: UInt64) throws {
    var random = Random(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    let microseconds = suseconds_t.random(in: 1..<40_000, using: &random)
    var timer = itimerval(
      it_interval: timeval(tv_sec: 0, tv_usec: 0),
      it_value: timeval(tv_sec: 0, tv_usec: microseconds))
    // SIGALRM ends a process that has no handler for it as suddenly as SIGKILL.
    guard setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil) == 0 else { return }
    let library = try FeedLibrary(path: path)
    for step in 0... {
      let feed = try library.follow("http://x/\(Int.random(in: 0..<5, using: &random))", at: 1).id
      let items = (0..<Int.random(in: 1..<40, using: &random)).map { number in
        NewItem(
          guid: "\(seed)-\(step)-\(number)", link: nil, title: "", published: Double(number),
          body: .line(Array(repeating: UInt8(ascii: "x"), count: number * 100)))
      }
      let changes = try library.recordFetch(
        FetchRecord(.document(title: "", items: items), nextTime: 0), of: feed, at: Double(step))
      try print("added", changes.added.map(\.item))
      let some = changes.added.map(\.item).filter { _ in Bool.random(using: &random) }
      let marking = try library.mark(ItemRanges(some), as: .read, at: 1)
      try print("read", marking.items.ranges.flatMap { range in range.map { ItemID($0) } })
    }
  }

  private static func print(_ word: String, _ items: [ItemID]) throws {
    let line = word + " " + items.map { "\($0.rawValue)" }.joined(separator: ",") + "\n"
    try Output.write(line.utf8, to: 1)
  }
}
