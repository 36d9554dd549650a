import Demos
import Inspector
import Pictures
import TimelineUI

extension Demo {
  /// The panel that shows what the demo is about; `nil` for the demos of layouts, which the layout
  /// inspector explains.
  ///
  /// - Parameter clock: the time in which pictures arrive; `nil` for the system's.
  @MainActor func monitor(
    of screen: ListScreen, pictures: PictureStore, clock: DemoClock?
  ) -> MonitorPanel? {
    switch self {
    case .autolayout, .slack, .moments, .tweets, .placeholders: nil
    case .list: MonitorPanel(ListMonitor(of: screen.pane))
    case .queue:
      MonitorPanel(
        QueueMonitor(of: screen.pane, pictures: pictures, time: MonitoredTime(following: clock)))
    }
  }
}

extension MonitoredTime {
  /// The time of `clock`; without one it runs, and neither stops nor has steps.
  @MainActor fileprivate init(following clock: DemoClock?) {
    let start = ContinuousClock.now
    self.init(
      now: { clock?.now ?? start.duration(to: .now) }, isPaused: { clock?.isPaused ?? false },
      toggle: { clock?.toggle() }, step: { clock?.step() })
  }
}
