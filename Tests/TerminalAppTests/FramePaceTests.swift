import Testing

@testable import TerminalApp

@Suite struct FramePaceTests {
  private let start = ContinuousClock.now
  /// So long that later arrivals are batched for 40 ms.
  private let slow = Duration.milliseconds(12)
  private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  @Test func aSingleArrivalIsShownAtOnce() {
    var pace = FramePace()
    #expect(pace.nextFrame(at: at(0)) == .now)
    pace.noteFrame(at: at(0), taking: slow)
    #expect(pace.nextFrame(at: at(40)) == .now)
  }

  @Test func arrivalsSoonAfterAFrameAreBatched() {
    var pace = FramePace()
    pace.noteFrame(at: at(0), taking: slow)
    #expect(pace.nextFrame(at: at(10)) == .after(.milliseconds(30)))
    #expect(pace.nextFrame(at: at(20)) == .isAwaited)
    #expect(!pace.isDue(at: at(39)))
    #expect(pace.isDue(at: at(40)))
    pace.noteFrame(at: at(40), taking: slow)
    #expect(!pace.isDue(at: at(41)))
  }

  /// The timer of the first arrival does not shorten the wait of the second.
  @Test func aFrameInBetweenShowsAllArrivals() {
    var pace = FramePace()
    pace.noteFrame(at: at(0), taking: slow)
    #expect(pace.nextFrame(at: at(5)) == .after(.milliseconds(35)))
    pace.noteFrame(at: at(30), taking: slow)
    #expect(!pace.isDue(at: at(40)))
    #expect(pace.nextFrame(at: at(35)) == .after(.milliseconds(35)))
    #expect(!pace.isDue(at: at(40)))
    #expect(pace.isDue(at: at(70)))
  }

  @Test func aLateTimerLosesNoFrame() {
    var pace = FramePace()
    pace.noteFrame(at: at(0), taking: slow)
    #expect(pace.nextFrame(at: at(5)) == .after(.milliseconds(35)))
    // The timer is late.
    #expect(pace.nextFrame(at: at(60)) == .now)
  }

  /// Arrivals wait four times as long as the last frame took, between 8 and 40 ms.
  @Test func theWaitFollowsTheFrameTime() {
    for (microseconds, wait) in [(0, 8_000), (700, 8_000), (2_500, 10_000), (90_000, 40_000)] {
      var pace = FramePace()
      pace.noteFrame(at: at(0), taking: .microseconds(microseconds))
      #expect(pace.nextFrame(at: at(0)) == .after(.microseconds(wait)), "\(microseconds)")
      #expect(pace.isDue(at: start + .microseconds(wait)))
    }
  }

  /// An arrival that completes a frame waits only as long as that frame took.
  @Test func pixelsFollowTheFrameThatShowedTheirPlace() {
    for (milliseconds, wait) in [(0, 0), (2, 2), (12, 12), (90, 40)] {
      var pace = FramePace()
      pace.noteFrame(at: at(0), taking: .milliseconds(milliseconds))
      #expect(pace.nextFrame(completingAt: at(wait)) == .now, "\(milliseconds)")
      guard wait > 0 else { continue }
      #expect(pace.nextFrame(completingAt: at(1)) == .after(.milliseconds(wait - 1)))
      #expect(pace.nextFrame(completingAt: at(1)) == .isAwaited)
      #expect(pace.nextFrame(at: at(1)) == .isAwaited)
      #expect(pace.isDue(at: at(wait)))
    }
  }

  /// The frame with the pixels comes before the batch is due, and shows the batch as well.
  @Test func batchedArrivalsJoinPixels() {
    var pace = FramePace()
    pace.noteFrame(at: at(0), taking: slow)
    #expect(pace.nextFrame(at: at(2)) == .after(.milliseconds(38)))
    #expect(pace.nextFrame(completingAt: at(3)) == .after(.milliseconds(9)))
    #expect(pace.isDue(at: at(12)))
    pace.noteFrame(at: at(13), taking: slow)
    #expect(!pace.isDue(at: at(40)), "the timer of what was gathered")
  }
}
