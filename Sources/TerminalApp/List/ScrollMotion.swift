import Dispatch

/// Moves of a list that are shown in a few frames.
///
/// 1. Only moves by a page or half a page are animated; longer jumps take one frame.
/// 2. Any other event finishes the move first, so that keys never queue; the move ends at the same
///    place as without animation.
/// 3. A held key is not animated: after a move that was cut short, the next one takes a single
///    frame. Nor is any move on a slow terminal.
/// 4. A timer exists only during a move.
@MainActor final class ScrollMotion {
  /// A frame that takes the terminal longer is too slow for an animation.
  private static let slowFrameThreshold = Duration.milliseconds(12)
  /// The number of slow frames after which moves are no longer animated.
  private static let maximumSlowFrames = 2
  private static let start = ContinuousClock.now
  private static var now: Duration { start.duration(to: .now) }

  private let scroll: (Int) -> Int
  /// The move under way.
  private var move: (animation: ScrollAnimation, timer: any DispatchSourceTimer)?
  /// When a move was last cut short.
  private var lastInterruption = ContinuousClock.now - .seconds(1)
  private var slowFrameCount = 0

  /// - Parameter scroll: scrolls by a number of lines, and returns those that there were.
  init(scroll: @escaping (Int) -> Int) { self.scroll = scroll }

  var isUnderWay: Bool { move != nil }

  private var isTerminalSlow: Bool { slowFrameCount >= Self.maximumSlowFrames }

  /// Begins a move with its first step.
  ///
  /// - Returns: false if the move is not to be animated.
  func begin(lines: Int) -> Bool {
    let wasInterrupted = ContinuousClock.now - lastInterruption < ScrollAnimation.duration
    guard !wasInterrupted, !isTerminalSlow, abs(lines) > 1 else { return false }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    let interval = DispatchTimeInterval.milliseconds(20)
    timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(2))
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.step() }
    }
    move = (ScrollAnimation(lines: lines, at: Self.now), timer)
    timer.activate()
    step()
    return true
  }

  private func step() {
    guard var animation = move?.animation else { return }
    let step = isTerminalSlow ? animation.finish() : animation.step(at: Self.now)
    move?.animation = animation
    // At an end of the list there is nothing left to show.
    if step != 0, scroll(step) != step { _ = animation.finish() }
    if animation.isDone { end() }
  }

  private func end() {
    move?.timer.cancel()
    move = nil
  }

  /// Cuts the current move short.
  ///
  /// - Returns: the lines that remain.
  func interrupt() -> Int {
    guard var animation = move?.animation else { return 0 }
    end()
    lastInterruption = .now
    return animation.finish()
  }

  /// Records how long the terminal took to accept a frame.
  func notePresented(in time: Duration) {
    if isUnderWay, time > Self.slowFrameThreshold { slowFrameCount += 1 }
  }
}
