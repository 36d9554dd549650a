import Testing

@testable import TerminalApp

@MainActor @Suite struct ScrollMotionTests {
  /// The lines scrolled so far.
  @MainActor private final class Lines {
    var moved = 0
  }

  @Test(arguments: [46, -46])
  func aMoveThatIsInterruptedEndsAtTheSamePlace(_ lines: Int) {
    let place = Lines()
    let motion = ScrollMotion { step in
      place.moved += step
      return step
    }
    #expect(motion.begin(lines: lines) && motion.isUnderWay)
    #expect(place.moved != 0 && abs(place.moved) < abs(lines))
    #expect(motion.interrupt() == lines - place.moved)
    #expect(!motion.isUnderWay && motion.interrupt() == 0)
  }

  @Test func aSingleLineIsNotAnimated() {
    let motion = ScrollMotion { $0 }
    #expect(!motion.begin(lines: 1) && !motion.begin(lines: -1) && !motion.isUnderWay)
  }

  @Test func aMoveEndsWithTheList() {
    let motion = ScrollMotion { _ in 0 }
    #expect(motion.begin(lines: 46) && !motion.isUnderWay && motion.interrupt() == 0)
  }

  @Test func slowTerminalsHaveNoAnimations() {
    let motion = ScrollMotion { $0 }
    for _ in 0..<5 { motion.notePresented(in: .milliseconds(50)) }
    #expect(motion.begin(lines: 46), "frames outside of a move do not count")
    for time in [5, 50, 50] { motion.notePresented(in: .milliseconds(time)) }
    #expect(!motion.begin(lines: 46))
  }
}
