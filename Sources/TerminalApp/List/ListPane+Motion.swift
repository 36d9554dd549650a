import Dispatch
import TerminalViews

/// Moves that are shown in a few frames.
///
/// 1. Only a page and half a page are: further jumps show where they end at once.
/// 2. Whatever else happens finishes the move first, so that keys never queue, and where it ends is
///    where it would have ended at once.
/// 3. A key held down is not animated: a move that was cut short is followed by one in a single
///    frame.
/// 4. A timer exists only while something moves.
extension ListPane {
  /// A move under way.
  struct Motion {
    var animation: ScrollAnimation
    let timer: any DispatchSourceTimer
  }

  /// Frames that took the terminal longer than this are too slow to be shown in a row.
  static let slowFrame = Duration.milliseconds(12)
  /// So many of those, and nothing moves any more.
  static let slowFrames = 2

  /// Moves by lines: at once, or in a few frames where it is only one page.
  func scroll(byLines lines: Int, isAnimated: Bool) {
    let wasCutShort = ContinuousClock.now - lastCut < ScrollAnimation.duration
    guard isAnimated, application?.showsMotion == true, !wasCutShort,
      slowFrameCount < Self.slowFrames, abs(lines) > 1
    else {
      listView.scroll(byLines: lines)
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    let interval = DispatchTimeInterval.milliseconds(20)
    timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(2))
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.stepMotion() }
    }
    motion = Motion(animation: ScrollAnimation(lines: lines, at: Self.now), timer: timer)
    timer.activate()
    stepMotion()
  }

  private static let clock = ContinuousClock.now
  private static var now: Duration { clock.duration(to: .now) }

  private func stepMotion() {
    guard var moving = motion else { return }
    let step =
      slowFrameCount < Self.slowFrames
      ? moving.animation.step(at: Self.now) : moving.animation.finish()
    motion?.animation = moving.animation
    if step != 0 {
      let moved = self.moving { listView.scroll(byLines: step) }
      // At an end there is nothing left to show.
      if moved != step { _ = moving.animation.finish() }
      application?.setNeedsFrame()
    }
    if moving.animation.isDone { endMotion() }
  }

  private func endMotion() {
    motion?.timer.cancel()
    motion = nil
  }

  /// Brings the move under way to its end.
  func finishMotion() {
    guard var moving = motion else { return }
    endMotion()
    lastCut = .now
    let rest = moving.animation.finish()
    if rest != 0 { tellingSelection { _ = listView.scroll(byLines: rest) } }
  }

  /// A frame was sent, and the terminal took so long to take it.
  func notePresented(in time: Duration) {
    guard motion != nil, time > Self.slowFrame else { return }
    slowFrameCount += 1
  }
}
