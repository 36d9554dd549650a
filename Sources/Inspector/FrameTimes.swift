/// The durations of the last frames.
struct FrameTimes {
  /// The number of frames kept.
  static let capacity = 60

  /// Durations in microseconds, the oldest first.
  private(set) var recent: [Int] = []
  private var start = 0

  mutating func begin(at now: Int) { start = now }

  /// Records the frame that began last.
  mutating func end(at now: Int) {
    if recent.count == Self.capacity { recent.removeFirst() }
    recent.append(max(0, now - start))
  }

  /// One block per frame, its height relative to the longest frame.
  static func sparkline(_ times: [Int]) -> String {
    let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    let longest = max(1, times.max() ?? 1)
    return String(times.map { blocks[min(7, $0 * 8 / (longest + 1))] })
  }
}
