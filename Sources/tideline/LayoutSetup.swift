import ConstraintLayout
import Logging
import Terminal
import TextLayout

/// What layout must know of the terminal before the first cell is laid out.
@MainActor enum LayoutSetup {
  static func adopt(_ capabilities: TerminalCapabilities, logger: Logger) {
    LayoutMetrics.cellAspect = capabilities.cellAspect
    LayoutItem.onConflict = { conflict in logger.warning("\(conflict)") }
  }
}
