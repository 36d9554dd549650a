import ConstraintLayout
import Logging

/// Reports problems of layout.
@MainActor enum LayoutSetup {
  /// Logs conflicts and invalid constraints, in the format of UIKit's reports.
  static func report(to logger: Logger) {
    LayoutConflict.onConflict = { conflict in logger.warning("\(conflict.report)") }
    LayoutConstraint.onError = { constraint, error in
      logger.error("\(constraint): \(error)")
    }
  }
}
