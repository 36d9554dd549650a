/// How long the last frames took. Recording one costs a store.
struct FrameTimes {
  /// Frames remembered.
  static let capacity = 60

  private var ring = [UInt32](repeating: 0, count: capacity)
  /// Frames recorded so far.
  private(set) var count = 0

  /// A frame took so many microseconds.
  mutating func record(_ microseconds: Int) {
    ring[count % Self.capacity] = UInt32(clamping: microseconds)
    count += 1
  }

  /// Microseconds of the last frames, the oldest first.
  var recent: [Int] {
    let kept = min(count, Self.capacity)
    return (count - kept..<count).map { Int(ring[$0 % Self.capacity]) }
  }

  /// One block a frame, as high as the frame was long against the longest.
  static func sparkline(_ times: [Int]) -> String {
    let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    let longest = max(1, times.max() ?? 1)
    return String(times.map { blocks[min(7, $0 * 8 / (longest + 1))] })
  }
}
