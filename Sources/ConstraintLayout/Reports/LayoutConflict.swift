/// Required constraints that cannot hold together, and the one given up so that the rest can.
@MainActor public struct LayoutConflict {
  /// All constraints that clash: first the implied ones that sizes are not negative, then the
  /// others, oldest first. If any one of the others were removed, the rest could hold.
  public let clashing: [LayoutConstraint]
  /// The constraint given up: the most recently added or edited one; a size imposed on the root is
  /// given up only if there is no other. It stays active, and is tried again when one of the others
  /// changes.
  public let broken: LayoutConstraint

  /// Called with each new conflict, for logs and the inspector. If this is `nil`, the default, the
  /// report is written to standard error.
  public static var onConflict: ((LayoutConflict) -> Void)?

  func deliver() {
    guard let handler = Self.onConflict else { return LayoutLog.write(report) }
    handler(self)
  }

  /// The report in UIKit's form, with each constraint's label and source line.
  public var report: String {
    let list = clashing.map { "    \"<\($0.description)>\"" }.joined(separator: ",\n")
    return """
      Unable to simultaneously satisfy constraints.
      At least one of these is not wanted; each is shown with its label and where it was made:
      (
      \(list)
      )
      Will attempt to recover by breaking constraint
      <\(broken.description)>
      """
  }
}
