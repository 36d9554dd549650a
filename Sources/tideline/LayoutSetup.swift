import ConstraintLayout
import Logging

/// Where layout tells of what it could not do.
@MainActor enum LayoutSetup {
  /// Conflicts and refusals go to the log, in the form that users of UIKit know.
  static func report(to logger: Logger) {
    LayoutConflict.onConflict = { conflict in logger.warning("\(conflict.report)") }
    LayoutConstraint.onError = { constraint, error in
      logger.error("\(constraint): \(error)")
    }
  }
}
