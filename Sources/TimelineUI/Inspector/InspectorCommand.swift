/// What a reader can ask of the open inspector.
public enum InspectorCommand: Hashable, Sendable {
  case nextView, previousView
  case nextConstraint, previousConstraint
  /// Switches the marked constraint off, or on again.
  case toggleConstraint
  /// Makes the list, and so the cell, wider by so many columns.
  case widen(Int)
  /// Holds back pictures from now on, or lets all of them in.
  case pauseArrivals
  /// Lets in the oldest arrival that is held back.
  case admitArrival
  case nextSection, previousSection
  /// Lines of the panel.
  case scroll(Int)

  /// The keys that matter while the inspector is open, as the hint line names them.
  static let hint =
    "F12 closes  v V view  c C constraint  x switch  < > width  p pause  i let in  Tab J K panel"
}
