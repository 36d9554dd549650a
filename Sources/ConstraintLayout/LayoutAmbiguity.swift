import ConstraintSolver

/// Items whose frames the constraints leave open, with a second solution as good as the first.
@MainActor public struct LayoutAmbiguity {
  /// One item whose frame is open.
  @MainActor public struct Item {
    /// Whose frame is open, or the owner of the guide whose frame is.
    public let item: LayoutItem
    /// The guide of the item whose frame is open, where it is not the item's own.
    public let guideName: String?
    /// Axes along which its position or size is open.
    public let axes: Set<LayoutAxis>
    /// As laid out, before rounding, from the root's corner.
    public let frame: FractionalRect
    /// As in the second solution. Of several open items some may stand still in it.
    public let alternative: FractionalRect
  }

  /// Those whose frames are open, in the order of the tree.
  public let items: [Item]

  /// "comment is ambiguous down: (0, 4, 20, 2) or (0, 5, 20, 2)", a line an item.
  public var report: String {
    items.map { entry in
      let name = entry.guideName.map { "\(entry.item.name).\($0)" } ?? entry.item.name
      let axes = [LayoutAxis.horizontal, .vertical].filter(entry.axes.contains)
        .map { $0 == .horizontal ? "across" : "down" }.joined(separator: " and ")
      return "\(name) is ambiguous \(axes): \(Self.text(entry.frame)) or "
        + Self.text(entry.alternative)
    }
    .joined(separator: "\n")
  }

  private static func text(_ rect: FractionalRect) -> String {
    let numbers = [rect.x, rect.y, rect.width, rect.height].map {
      LayoutConstraint.short($0)
    }
    return "(\(numbers.joined(separator: ", ")))"
  }
}

extension LayoutItem {
  /// Items of the tree this one belongs to whose frames the constraints leave open, as of the last
  /// layout; nil where every frame is determined. For tests and the inspector: it is slow.
  ///
  /// - Complexity: of solving twice for each unknown that is open.
  public func layoutAmbiguity() -> LayoutAmbiguity? { root.existingEngine?.ambiguity() }

  /// Whether the constraints leave this item's frame open.
  public var hasAmbiguousLayout: Bool {
    layoutAmbiguity()?.items.contains { $0.item === self } ?? false
  }
}

extension LayoutEngine {
  func ambiguity() -> LayoutAmbiguity? {
    solve()
    let variables = boxes.flatMap { [$0.left, $0.top, $0.width, $0.height].compactMap { $0 } }
    let found: SolverAmbiguity?
    do { found = try solver.ambiguity(of: variables) } catch {
      imposedWidth.report(refusal(imposedWidth, error))
      return nil
    }
    guard let found else { return nil }
    let open = Set(found.variables)
    var second: [Variable: Double] = [:]
    for (variable, value) in zip(variables, found.values) { second[variable] = value }
    func isOpen(_ variable: Variable?) -> Bool { variable.map(open.contains) ?? false }
    func value(_ variable: Variable?) -> Double { variable.flatMap { second[$0] } ?? 0 }
    var items: [LayoutAmbiguity.Item] = []
    for box in boxes {
      guard let item = box.item else { continue }
      var axes: Set<LayoutAxis> = []
      if isOpen(box.left) || isOpen(box.width) { axes.insert(.horizontal) }
      if isOpen(box.top) || isOpen(box.height) { axes.insert(.vertical) }
      if axes.isEmpty { continue }
      items.append(
        LayoutAmbiguity.Item(
          item: item, guideName: box.guideName, axes: axes, frame: box.solved,
          alternative: FractionalRect(
            x: value(box.left), y: value(box.top), width: value(box.width),
            height: value(box.height))))
    }
    return LayoutAmbiguity(items: items)
  }
}
