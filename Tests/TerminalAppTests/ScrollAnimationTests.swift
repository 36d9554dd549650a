import Testing

@testable import TerminalApp

/// The timing of a page:
///
///     ms     0    20   40   60   80   100
///     share  0.2  0.4  0.6  0.8  1
@Suite struct ScrollAnimationTests {
  @Test(arguments: [1, 2, 3, 17, 24, 46, -1, -24, -46])
  func theStepsAddUpAtAnyFrameRate(_ lines: Int) {
    for interval in [1, 7, 20, 33, 250] {
      var animation = ScrollAnimation(lines: lines, at: .seconds(5))
      var moved = 0
      var frames = 0
      var time = 0
      while !animation.isDone {
        let step = animation.step(at: .seconds(5) + .milliseconds(time))
        #expect(step == 0 || (step < 0) == (lines < 0))
        moved += step
        frames += step == 0 ? 0 : 1
        time += interval
      }
      #expect(moved == lines)
      // The last frame is the first one at or after 80 ms.
      #expect(time - interval < 80 + interval)
      if interval == 20 { #expect(frames <= 5) }
    }
  }

  @Test func firstStepIsDueAtOnceAndFinishTakesTheRest() {
    var animation = ScrollAnimation(lines: 46, at: .zero)
    let first = animation.step(at: .zero)
    #expect(first > 46 / 5)
    #expect(animation.step(at: .zero) == 0)
    #expect(animation.finish() == 46 - first)
    #expect(animation.isDone)
    #expect(animation.finish() == 0)
  }
}
