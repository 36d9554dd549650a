import Dispatch
import TerminalApp
import TerminalViews

/// Scrolls a list like a fling on a touch screen: fast at first, then ever more slowly.
///
/// A timer exists only during a fling. If the user scrolls by other means, the fling ends.
@MainActor final class Fling {
  /// Lines by which the first step scrolls.
  private static let firstStep = 40.0
  /// The share of its speed that the list keeps from one step to the next.
  private static let retention = 0.94
  private static let interval = DispatchTimeInterval.milliseconds(33)

  private let pane: ListPane
  private var timer: (any DispatchSourceTimer)?
  /// Lines per step, down if positive.
  private var speed = 0.0
  /// The pane's move count after the last step.
  private var moves = 0

  init(of pane: ListPane) { self.pane = pane }

  isolated deinit { timer?.cancel() }

  /// Starts a fling, or speeds up the present one; without animations the list scrolls at once by
  /// all the lines of a fling.
  func begin(down: Bool) {
    let step = down ? Self.firstStep : -Self.firstStep
    guard pane.application?.reducesMotion == false else {
      speed = 0
      move(by: Int(step / (1 - Self.retention)))
      return
    }
    speed = (speed > 0) == down ? speed + step : step
    self.step()
    guard timer == nil, speed != 0 else { return }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(
      deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(2))
    timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.tick() } }
    self.timer = timer
    timer.activate()
  }

  func end() {
    timer?.cancel()
    timer = nil
    speed = 0
  }

  private func tick() {
    guard pane.moveCount == moves else { return end() }
    step()
  }

  private func step() {
    let lines = Int(speed.rounded())
    speed *= Self.retention
    if lines == 0 || move(by: lines) != lines { end() }
  }

  @discardableResult private func move(by lines: Int) -> Int {
    pane.noteMove()
    let moved = pane.listView.scroll(byLines: lines)
    moves = pane.moveCount
    pane.application?.setNeedsFrame()
    return moved
  }
}
