import Dispatch
import TerminalViews

/// Moves that are animated over a few frames.
///
/// 1. Only moves by a page or half a page are animated; longer jumps take one frame.
/// 2. Any other event finishes the move first, so that keys never queue; the move ends at the same
///    place as without animation.
/// 3. A held key is not animated: after a move that was cut short, the next one takes a single
///    frame.
/// 4. A timer exists only during a move.
extension ListPane {
  /// A move under way.
  struct Motion {
    var animation: ScrollAnimation
    let timer: any DispatchSourceTimer
  }

  /// A frame that takes the terminal longer is too slow for an animation.
  static let slowFrameThreshold = Duration.milliseconds(12)
  /// The number of slow frames after which moves are no longer animated.
  static let maximumSlowFrames = 2

  /// Scrolls by lines, in a few frames if `isAnimated` and the terminal is fast enough.
  func scroll(byLines lines: Int, isAnimated: Bool) {
    let wasInterrupted = ContinuousClock.now - lastInterruption < ScrollAnimation.duration
    guard isAnimated, application?.showsMotion == true, !wasInterrupted,
      slowFrameCount < Self.maximumSlowFrames, abs(lines) > 1
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
      slowFrameCount < Self.maximumSlowFrames
      ? moving.animation.step(at: Self.now) : moving.animation.finish()
    motion?.animation = moving.animation
    if step != 0 {
      let moved = self.moving { listView.scroll(byLines: step) }
      // At an end of the list there is nothing left to show.
      if moved != step { _ = moving.animation.finish() }
      application?.setNeedsFrame()
    }
    if moving.animation.isDone { endMotion() }
  }

  private func endMotion() {
    motion?.timer.cancel()
    motion = nil
  }

  /// Finishes the current move at once.
  func finishMotion() {
    guard var moving = motion else { return }
    endMotion()
    lastInterruption = .now
    let rest = moving.animation.finish()
    if rest != 0 { reportingSelection { _ = listView.scroll(byLines: rest) } }
  }

  /// Records how long the terminal took to accept a frame.
  func notePresented(in time: Duration) {
    guard motion != nil, time > Self.slowFrameThreshold else { return }
    slowFrameCount += 1
  }
}
