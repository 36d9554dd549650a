/// How long the last frames took.
struct FrameTimes {
  /// Frames remembered.
  static let capacity = 60

  /// Microseconds of the last frames, the oldest first.
  private(set) var recent: [Int] = []

  /// A frame took so many microseconds.
  mutating func record(_ microseconds: Int) {
    if recent.count == Self.capacity { recent.removeFirst() }
    recent.append(max(0, microseconds))
  }

  /// One block a frame, as high as the frame was long against the longest.
  static func sparkline(_ times: [Int]) -> String {
    let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    let longest = max(1, times.max() ?? 1)
    return String(times.map { blocks[min(7, $0 * 8 / (longest + 1))] })
  }
}
