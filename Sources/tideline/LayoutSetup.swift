import ConstraintLayout
import Logging
import Terminal
import TextLayout

/// What layout must know of the terminal before the first cell is laid out.
@MainActor enum LayoutSetup {
  static func adopt(_ capabilities: TerminalCapabilities, logger: Logger) {
    LayoutMetrics.cellAspect = capabilities.cellAspect
    TextMetrics.current.drawsWholeClusters = capabilities.drawsWholeClusters
    TextMetrics.current.reordersRightToLeft = leavesRightToLeftToPrograms(capabilities.version)
    report(to: logger)
  }

  /// Conflicts and refusals go to the log, in the form that users of UIKit know.
  static func report(to logger: Logger) {
    LayoutConflict.onConflict = { conflict in logger.warning("\(conflict.report)") }
    LayoutConstraint.onError = { constraint, error in
      logger.error("\(constraint): \(error)")
    }
  }

  /// Terminals known to draw cells in the order they are sent. The others reorder right-to-left text by
  /// themselves, or do not tell who they are.
  private static func leavesRightToLeftToPrograms(_ version: String) -> Bool {
    ["XTerm", "foot", "Alacritty", "WezTerm", "st", "tmux"].contains { version.hasPrefix($0) }
  }
}
