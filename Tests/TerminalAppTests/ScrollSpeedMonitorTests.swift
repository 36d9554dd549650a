import Testing

@testable import TerminalApp

@Suite struct ScrollSpeedMonitorTests {
  private let start = ContinuousClock.now

  /// The end that is reported at each of these moments, in milliseconds.
  private func ends(_ frames: [(at: Int, rows: Range<Int>)]) -> [Int?] {
    var passing = ScrollSpeedMonitor()
    return frames.map { frame in
      let now = start + .milliseconds(frame.at)
      passing.note(frame.rows, at: now)
      return passing.end(at: now).map { Int(start.duration(to: $0) / .milliseconds(1)) }
    }
  }

  @Test func jumpsPassNoRows() {
    #expect(ends([(0, 0..<10), (1_000, 500..<510), (2_000, 0..<10)]) == [nil, nil, nil])
  }

  @Test func linesPassNoRows() {
    // A held key: a row in 33 ms, with ten rows visible.
    let frames = (0..<60).map { (at: $0 * 33, rows: $0..<$0 + 10) }
    #expect(ends(frames).allSatisfy { $0 == nil })
  }

  @Test func heldPageKeysPassRows() {
    // A page in 33 ms; one row stays visible from each page to the next.
    let frames = (0..<20).map { (at: 1_000 + $0 * 33, rows: $0 * 9..<$0 * 9 + 10) }
    let ends = ends([(0, 0..<10)] + frames)
    // The first moves may still be two single pages.
    #expect(ends.prefix(3).allSatisfy { $0 == nil })
    #expect(ends.dropFirst(3).allSatisfy { $0 != nil })
    let lastPage = 1_000 + 18 * 33
    #expect(ends.last == lastPage + 150)
  }

  @Test func aFastWheelPassesRows() {
    let frames = (0..<8).map { (at: $0 * 20, rows: $0 * 6..<$0 * 6 + 20) }
    let ends = ends(frames)
    #expect(ends[2] == nil && ends[7] != nil)
  }

  /// The rows of a window ago count, also for a question that comes after the last frame.
  @Test func rowsOfAWindowAgoCount() {
    var passing = ScrollSpeedMonitor()
    for (at, rows) in [(0, 0..<10), (100, 20..<30), (170, 24..<34), (240, 28..<38)] {
      passing.note(rows, at: start + .milliseconds(at))
    }
    #expect(passing.end(at: start + .milliseconds(240)) != nil)
    #expect(passing.end(at: start + .milliseconds(255)) == nil)
  }

  @Test func passingEnds() {
    var passing = ScrollSpeedMonitor()
    for step in 0..<10 {
      passing.note(step * 50..<step * 50 + 10, at: start + .milliseconds(step * 20))
    }
    let last = start + .milliseconds(180)
    #expect(passing.end(at: last) == start + .milliseconds(160 + 150))
    // Frames that show the same rows are no moves.
    passing.note(450..<460, at: start + .milliseconds(300))
    #expect(passing.end(at: start + .milliseconds(300)) != nil)
    #expect(passing.end(at: start + .milliseconds(311)) == nil)
  }
}
