import ConstraintSolver

/// Items whose frames the constraints do not determine, with a second solution that is as good as
/// the first.
@MainActor public struct LayoutAmbiguity {
  /// An item or guide whose frame is ambiguous.
  @MainActor public struct Item {
    /// The item whose frame is ambiguous, or the owner of the guide.
    public let item: LayoutItem
    /// The guide's name; `nil` if the frame is the item's own.
    public let guideName: String?
    /// The axes along which its position or size is ambiguous.
    public let axes: Set<LayoutAxis>
    /// The frame as solved, before rounding, from the root's corner.
    public let frame: FractionalRect
    /// The frame in the second solution. If several frames are ambiguous, some of them may be the
    /// same in both solutions.
    public let alternative: FractionalRect
  }

  /// The items and guides whose frames are ambiguous.
  public let items: [Item]

  /// `nil` if every frame is determined.
  init?(_ system: LayoutSystem) {
    guard let found = system.ambiguity() else { return nil }
    let open = Set(found.variables)
    var second: [Variable: Double] = [:]
    for (variable, value) in zip(system.boxes.flatMap { $0.variables }, found.values) {
      second[variable] = value
    }
    func isOpen(_ variable: Variable?) -> Bool { variable.map(open.contains) ?? false }
    func value(_ variable: Variable?) -> Double { variable.flatMap { second[$0] } ?? 0 }
    items = system.boxes.compactMap { box in
      guard let item = box.item else { return nil }
      let unknowns = box.unknowns
      var axes: Set<LayoutAxis> = []
      if isOpen(unknowns.left) || isOpen(unknowns.width) { axes.insert(.horizontal) }
      if isOpen(unknowns.top) || isOpen(unknowns.height) { axes.insert(.vertical) }
      if axes.isEmpty { return nil }
      return Item(
        item: item, guideName: box.guideName, axes: axes, frame: box.solved,
        alternative: FractionalRect(
          x: value(unknowns.left), y: value(unknowns.top), width: value(unknowns.width),
          height: value(unknowns.height)))
    }
  }

  /// "comment is ambiguous down: (0, 4, 20, 2) or (0, 5, 20, 2)", one line per item.
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
