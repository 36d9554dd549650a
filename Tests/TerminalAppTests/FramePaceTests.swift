import Testing

@testable import TerminalApp

@Suite struct FramePaceTests {
  private let start = ContinuousClock.now
  private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  @Test func whatArrivesAloneIsShownAtOnce() {
    var pace = FramePace()
    #expect(pace.nextFrame(at: at(0)) == .now)
    pace.noteFrame(at: at(0))
    #expect(pace.nextFrame(at: at(40)) == .now)
  }

  @Test func whatArrivesSoonAfterAFrameIsGathered() {
    var pace = FramePace()
    pace.noteFrame(at: at(0))
    #expect(pace.nextFrame(at: at(10)) == .after(.milliseconds(30)))
    #expect(pace.nextFrame(at: at(20)) == .isAwaited)
    #expect(!pace.isDue(at: at(39)))
    #expect(pace.isDue(at: at(40)))
    pace.noteFrame(at: at(40))
    #expect(!pace.isDue(at: at(41)))
  }

  /// The time that was told for the first does not shorten that of the second.
  @Test func aFrameInBetweenShowsWhatHadArrived() {
    var pace = FramePace()
    pace.noteFrame(at: at(0))
    #expect(pace.nextFrame(at: at(5)) == .after(.milliseconds(35)))
    pace.noteFrame(at: at(30))
    #expect(!pace.isDue(at: at(40)))
    #expect(pace.nextFrame(at: at(35)) == .after(.milliseconds(35)))
    #expect(!pace.isDue(at: at(40)))
    #expect(pace.isDue(at: at(70)))
  }

  @Test func noTurnOfTheQueueIsLost() {
    var pace = FramePace()
    pace.noteFrame(at: at(0))
    #expect(pace.nextFrame(at: at(5)) == .after(.milliseconds(35)))
    // The timer is late.
    #expect(pace.nextFrame(at: at(60)) == .now)
  }
}
