import ConstraintLayout

/// A view of the inspected cell, one of the view's edges, and one of its constraints.
@MainActor struct InspectorSelection {
  private static let edges: [LayoutAttribute] = [.bottom, .right, .top, .left]

  /// The index of the view in the order of the cell's tree; 0 is the cell itself.
  private(set) var view = 0
  private var edgeIndex = 0
  private(set) weak var constraint: LayoutConstraint?

  var edge: LayoutAttribute { Self.edges[edgeIndex] }

  /// Selects the view `step` places after the selected one, cyclically, and deselects the
  /// constraint.
  mutating func stepView(_ step: Int, in layout: LayoutSnapshot) {
    clamp(to: layout)
    view = (view + step + layout.views.count) % layout.views.count
    constraint = nil
  }

  /// Selects the edge `step` places after the selected one, or before it if `step` is negative,
  /// cyclically.
  mutating func stepEdge(_ step: Int) {
    let count = Self.edges.count
    edgeIndex = (edgeIndex + step % count + count) % count
  }

  /// Selects the constraint `step` places after the selected one, cyclically; if none is selected,
  /// the first one, or the last one if `step` is negative.
  ///
  /// - Returns: false if there are no constraints.
  mutating func stepConstraint(_ step: Int, in layout: LayoutSnapshot) -> Bool {
    let shown = constraints(in: layout).map(\.constraint)
    guard !shown.isEmpty else { return false }
    let index = shown.firstIndex { $0 === constraint }
    let next = index.map { ($0 + step + shown.count) % shown.count }
    constraint = shown[next ?? (step > 0 ? 0 : shown.count - 1)]
    return true
  }

  /// Selects the last view if the selected index is beyond the views of `layout`.
  mutating func clamp(to layout: LayoutSnapshot) { view = min(view, layout.views.count - 1) }

  /// The constraints of the selected view; of the whole cell if that is selected.
  func constraints(in layout: LayoutSnapshot) -> [LayoutInspection.Row] {
    guard view > 0, layout.views.indices.contains(view) else { return layout.constraints }
    return layout.constraints.filter { $0.concerns(layout.views[view].view) }
  }
}
