extension LayoutItem {
  /// Lines up subitems along `axis` in their order: together they fill this item along the axis,
  /// and each fills it across.
  ///
  /// - Parameters:
  ///   - items: subitems of this item.
  ///   - spacing: columns or rows between neighbours.
  ///   - isEven: whether all have the same size along the axis.
  /// - Returns: the constraints, active.
  /// - Complexity: O(items).
  @discardableResult
  public func stack(
    _ items: [LayoutItem], along axis: LayoutAxis, spacing: Double = 0, isEven: Bool = false,
    file: StaticString = #fileID, line: UInt = #line
  ) -> [LayoutConstraint] {
    let (start, end, size) = axis.attributes
    let across =
      axis == .vertical ? LayoutAxis.horizontal.attributes : LayoutAxis.vertical.attributes
    var links: [LayoutConstraint] = []
    func link(
      _ item: LayoutItem, _ attribute: LayoutAttribute, _ other: LayoutItem,
      _ otherAttribute: LayoutAttribute, _ offset: Double = 0
    ) {
      links.append(
        item.made(
          attribute, .equal, other, otherAttribute, 1, offset, .required, true, file, line))
    }
    var before: LayoutItem?
    for item in items {
      link(item, across.start, self, across.start)
      link(item, across.end, self, across.end)
      if let before {
        link(item, start, before, end, spacing)
        if isEven { link(item, size, before, size) }
      } else {
        link(item, start, self, start)
      }
      before = item
    }
    if let before { link(before, end, self, end) }
    return links
  }
}

extension LayoutAxis {
  fileprivate var attributes: (start: LayoutAttribute, end: LayoutAttribute, size: LayoutAttribute)
  {
    self == .horizontal ? (.leading, .trailing, .width) : (.top, .bottom, .height)
  }
}
