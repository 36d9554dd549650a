import TerminalApp
import TerminalViews

/// Reports after each frame the key constraints that were switched and the constants that changed.
@MainActor package final class ConstraintTrace: FrameObserver {
  private var watch = LayoutChangeDetector()
  private let list: ListView
  private let tell: (ConstraintChange) -> Void

  package init(of list: ListView, tell: @escaping (ConstraintChange) -> Void) {
    self.list = list
    self.tell = tell
  }

  package func frameBegins() {}

  package func frameEnded() {
    for change in watch.observe(list) { change.constraints.forEach(tell) }
  }
}
