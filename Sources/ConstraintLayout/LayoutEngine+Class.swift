import ConstraintSolver

/// What trees of one class share: the memo, and the engine that new trees copy.
extension LayoutEngine {
  // MARK: Signatures

  /// Every box of the tree, in the order that numbers them.
  func boxesInOrder() -> [LayoutBox] {
    var found: [LayoutBox] = []
    func visit(_ item: LayoutItem) {
      found.append(item.box)
      for guide in item.guides { found.append(guide.box) }
      for child in item.subitems { visit(child) }
    }
    visit(root)
    return found
  }

  /// Hash of all of a constraint but its constant; the same for its like in another tree of the class.
  func signature(of constraint: LayoutConstraint) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(constraint.first.box.ordinal)
    hasher.combine(constraint.first.attribute)
    hasher.combine(constraint.relation)
    if let second = constraint.second {
      hasher.combine(second.box.ordinal)
      hasher.combine(second.attribute)
      hasher.combine(constraint.multiplier)
    }
    hasher.combine(constraint.priority)
    hasher.combine(constraint.origin)
    hasher.combine(isMirrored(constraint))
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// Counts a constraint's present form in the keys, in place of its former one.
  func noteInKeys(_ constraint: LayoutConstraint, constant: Double) {
    guard layoutClass != nil else { return }
    if constraint.keyShare == nil { constraint.signature = signature(of: constraint) }
    forgetInKeys(constraint)
    let share = LayoutKey(signature: constraint.signature, constant: constant)
    constraint.keyShare = share
    key.insert(share)
    if !constraint.isContentHeight { keyWithoutHeights.insert(share) }
  }

  func forgetInKeys(_ constraint: LayoutConstraint) {
    guard let share = constraint.keyShare else { return }
    constraint.keyShare = nil
    key.remove(share)
    if !constraint.isContentHeight { keyWithoutHeights.remove(share) }
  }

  // MARK: Memo

  /// Takes the frames from the memo where they are there, after asking contents for their heights at
  /// the widths of a layout that differed from this one in no more than heights.
  func recall() -> Bool {
    guard let layoutClass, broken.isEmpty, needsSolve else { return false }
    if let guess = layoutClass.guessed(keyWithoutHeights) {
      for (index, rect) in guess.enumerated() { orderedBoxes[index].solved = rect }
      _ = refreshHeights()
      if let rects = layoutClass.remembered(key), areWidthsKept(rects) {
        for (index, rect) in rects.enumerated() { orderedBoxes[index].solved = rect }
        layoutClass.memoHits += 1
        statistics.memoHits += 1
        needsSolve = false
        isSolverBehind = true
        return true
      }
    }
    layoutClass.memoMisses += 1
    return false
  }

  /// Whether heights were asked for at the widths that these frames have.
  private func areWidthsKept(_ rects: [FractionalRect]) -> Bool {
    for (index, rect) in rects.enumerated() {
      if let width = orderedBoxes[index].widthOfHeight, LayoutEngine.columns(rect) != width {
        return false
      }
    }
    return true
  }

  func remember() {
    guard let layoutClass, broken.isEmpty, !isSolverBehind else { return }
    layoutClass.remember(
      orderedBoxes.map(\.solved), key, withoutHeights: keyWithoutHeights)
  }

  // MARK: Copies

  /// Keeps this engine, just solved, for other trees of the class.
  func offerTemplate() {
    guard let layoutClass, layoutClass.template == nil, broken.isEmpty, !isSolverBehind
    else { return }
    var entries: [LayoutTemplate.Entry] = []
    // In the order in which a copy will look for them.
    let held = [imposedWidth, fittingHeight] + root.heldConstraints()
    let others = everyConstraint.filter { $0.origin == .content || $0 === imposedHeight }
    for constraint in held + others {
      guard let handle = constraint.handle else { return }
      let box = constraint.first.box
      let content = box.contentConstraints.firstIndex { $0 === constraint }
      entries.append(
        LayoutTemplate.Entry(
          signature: signature(of: constraint), handle: handle,
          constant: prepareTerms(of: constraint),
          content: content.map { (box.ordinal, $0) }, priority: constraint.priority))
    }
    layoutClass.template = LayoutTemplate(
      solver: solver.copy(),
      boxes: orderedBoxes.map {
        LayoutTemplate.Box(
          isEngaged: $0.engine === self, left: $0.left, top: $0.top, width: $0.width,
          height: $0.height, solved: $0.solved)
      },
      entries: entries)
  }

  /// Becomes a copy of the class's solved engine, where there is one for a tree of this shape.
  /// Constraints that this tree has and that one had not are added, the others removed.
  func adoptTemplate() throws(SolverError) -> Bool {
    guard let layoutClass, layoutClass.template?.boxes.count == orderedBoxes.count,
      let handles = layoutClass.template?.entries.map(\.handle)
    else { return false }
    guard let copy = layoutClass.template?.solver.copy() else { return false }
    solver = copy
    for (index, box) in orderedBoxes.enumerated() {
      guard let known = layoutClass.template?.boxes[index], known.isEngaged else { continue }
      box.left = known.left
      box.top = known.top
      box.width = known.width
      box.height = known.height
      box.solved = known.solved
      box.engine = self
      box.engineSerial = serial
      boxes.append(box)
    }
    var taken = [Bool](repeating: false, count: handles.count)
    var missing: [LayoutConstraint] = []
    var next = 0
    for constraint in [imposedWidth, fittingHeight] + root.heldConstraints() {
      let signature = signature(of: constraint)
      guard let index = layoutClass.template?.entry(signature, from: next, taken: taken) else {
        missing.append(constraint)
        continue
      }
      taken[index] = true
      next = index + 1
      try adopt(constraint, handles[index])
    }
    for index in handles.indices where !taken[index] {
      if let content = layoutClass.template?.entries[index].content,
        let priority = layoutClass.template?.entries[index].priority,
        let constant = layoutClass.template?.entries[index].constant,
        let constraint = contentConstraint(content.box, content.index, -constant),
        constraint.priority == priority
      {
        orderedBoxes[content.box].contentConstraints[content.index] = constraint
        try adopt(constraint, handles[index])
      } else {
        try solver.remove(handles[index])
      }
    }
    for constraint in missing { addReporting(constraint) }
    statistics.copies += 1
    needsSolve = true
    needsPass = true
    return true
  }

  private func contentConstraint(
    _ ordinal: Int, _ index: Int, _ size: Double
  ) -> LayoutConstraint? {
    let box = orderedBoxes[ordinal]
    guard box.guideName == nil, let item = box.item else { return nil }
    return LayoutConstraint.content(
      of: item, index < 2 ? .horizontal : .vertical, isHugging: index % 2 == 1, size)
  }

  /// Takes over a constraint that the copied solver has already.
  private func adopt(
    _ constraint: LayoutConstraint, _ handle: ConstraintHandle
  ) throws(SolverError) {
    let constant = prepareTerms(of: constraint)
    try solver.setConstant(constant, of: handle)
    try own(constraint, handle, constant: constant)
  }
}

extension LayoutConstraint {
  /// One of the two constraints of an item's content size along an axis.
  static func content(
    of item: LayoutItem, _ axis: LayoutAxis, isHugging: Bool, _ size: Double
  ) -> LayoutConstraint {
    LayoutConstraint(
      item.anchorPoint(axis == .horizontal ? .width : .height),
      isHugging ? .lessThanOrEqual : .greaterThanOrEqual, nil, 1, size, nil,
      priority: isHugging
        ? item.contentHuggingPriority(for: axis)
        : item.contentCompressionResistancePriority(for: axis),
      origin: .content,
      label: isHugging ? "content hugging" : "content compression resistance")
  }

  /// Whether it comes of a content's height.
  var isContentHeight: Bool { origin == .content && first.attribute == .height }
}
