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
    #expect(pace.wait(at: at(0)) == .zero)
    pace.noteFrame(at: at(0), taking: slow)
    #expect(pace.wait(at: at(40)) == .zero)
  }

  @Test func arrivalsSoonAfterAFrameAreBatched() {
    var pace = FramePace()
    pace.noteFrame(at: at(0), taking: slow)
    #expect(pace.wait(at: at(10)) == .milliseconds(30))
    #expect(pace.wait(at: at(20)) == nil)
    #expect(!pace.isDue(at: at(39)))
    #expect(pace.isDue(at: at(40)))
    pace.noteFrame(at: at(40), taking: slow)
    #expect(!pace.isDue(at: at(41)))
  }

  /// The timer of the first arrival does not shorten the wait of the second.
  @Test func aFrameInBetweenShowsAllArrivals() {
    var pace = FramePace()
    pace.noteFrame(at: at(0), taking: slow)
    #expect(pace.wait(at: at(5)) == .milliseconds(35))
    pace.noteFrame(at: at(30), taking: slow)
    #expect(!pace.isDue(at: at(40)))
    #expect(pace.wait(at: at(35)) == .milliseconds(35))
    #expect(!pace.isDue(at: at(40)))
    #expect(pace.isDue(at: at(70)))
  }

  @Test func aLateTimerLosesNoFrame() {
    var pace = FramePace()
    pace.noteFrame(at: at(0), taking: slow)
    #expect(pace.wait(at: at(5)) == .milliseconds(35))
    // The timer is late.
    #expect(pace.wait(at: at(60)) == .zero)
  }

  /// Arrivals wait four times as long as the last frame took, between 8 and 40 ms.
  @Test func theWaitFollowsTheFrameTime() {
    for (microseconds, wait) in [(0, 8_000), (700, 8_000), (2_500, 10_000), (90_000, 40_000)] {
      var pace = FramePace()
      pace.noteFrame(at: at(0), taking: .microseconds(microseconds))
      #expect(pace.wait(at: at(0)) == .microseconds(wait), "\(microseconds)")
      #expect(pace.isDue(at: start + .microseconds(wait)))
    }
  }

  /// An arrival that completes a frame waits only as long as that frame took.
  @Test func pixelsFollowTheFrameThatShowedTheirPlace() {
    for (milliseconds, wait) in [(0, 0), (2, 2), (12, 12), (90, 40)] {
      var pace = FramePace()
      pace.noteFrame(at: at(0), taking: .milliseconds(milliseconds))
      #expect(pace.wait(at: at(wait), completing: true) == .zero, "\(milliseconds)")
      guard wait > 0 else { continue }
      #expect(pace.wait(at: at(1), completing: true) == .milliseconds(wait - 1))
      #expect(pace.wait(at: at(1), completing: true) == nil)
      #expect(pace.wait(at: at(1)) == nil)
      #expect(pace.isDue(at: at(wait)))
    }
  }

  /// The frame with the pixels comes before the batch is due, and shows the batch as well.
  @Test func batchedArrivalsJoinPixels() {
    var pace = FramePace()
    pace.noteFrame(at: at(0), taking: slow)
    #expect(pace.wait(at: at(2)) == .milliseconds(38))
    #expect(pace.wait(at: at(3), completing: true) == .milliseconds(9))
    #expect(pace.isDue(at: at(12)))
    pace.noteFrame(at: at(13), taking: slow)
    #expect(!pace.isDue(at: at(40)), "the timer of what was gathered")
  }
}
