import ConstraintSolver

/// What trees of one class share: the memo, and the engine that new trees copy.
extension LayoutEngine {
  /// The class, where it remembers layouts.
  private var memoClass: LayoutClass? {
    guard let layoutClass, layoutClass.memoLimit > 0 else { return nil }
    return layoutClass
  }

  // MARK: Signatures

  /// Every box of the tree, in the order that numbers them.
  static func boxesInOrder(of root: LayoutItem) -> [LayoutBox] {
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
    var boxes = UInt64(constraint.first.box.ordinal)
    var kind = constraint.first.attribute.number
    var multiplier: UInt64 = 0
    if let second = constraint.second {
      boxes |= UInt64(second.box.ordinal + 1) << 32
      kind = kind << 4 | second.attribute.number
      multiplier = constraint.multiplier.bitPattern
    }
    kind = kind << 2 | UInt64(constraint.relation.rawValue + 1)
    kind = kind << 2 | constraint.origin.number
    kind = kind << 1 | (isMirrored(constraint) ? 1 : 0)
    kind = kind << 10 | UInt64(constraint.priority.rawValue & 1023)
    return LayoutKey.mixed(LayoutKey.mixed(boxes ^ LayoutKey.mixed(kind)) ^ multiplier)
  }

  /// Counts a constraint's present form in the keys, in place of its former one.
  func noteInKeys(_ constraint: LayoutConstraint, constant: Double) {
    guard memoClass != nil else { return }
    if !constraint.isSigned {
      constraint.signature = signature(of: constraint)
      constraint.isSigned = true
    }
    if let share = constraint.keyShare { removeShare(share, constraint) }
    let share = LayoutKey(signature: constraint.signature, constant: constant)
    constraint.keyShare = share
    key.insert(share)
    if !constraint.isContentHeight { keyWithoutHeights.insert(share) }
  }

  func forgetInKeys(_ constraint: LayoutConstraint) {
    guard let share = constraint.keyShare else { return }
    constraint.keyShare = nil
    constraint.isSigned = false
    removeShare(share, constraint)
  }

  private func removeShare(_ share: LayoutKey, _ constraint: LayoutConstraint) {
    key.remove(share)
    if !constraint.isContentHeight { keyWithoutHeights.remove(share) }
  }

  // MARK: Memo

  /// Takes the frames from the memo where they are there, after asking contents for their heights.
  ///
  /// Where constraints have changed, the heights are those at the widths of a layout that differed
  /// from this one in no more than heights; else at the present widths.
  func recall() -> Bool {
    guard let layoutClass = memoClass, broken.isEmpty else { return false }
    if needsSolve {
      if let guess = layoutClass.guessed(keyWithoutHeights) {
        take(guess)
        _ = refreshHeights()
        if recall(from: layoutClass) { return true }
      }
    } else {
      guard refreshHeights() else { return false }
      if recall(from: layoutClass) { return true }
    }
    layoutClass.memoMisses += 1
    return false
  }

  private func recall(from layoutClass: LayoutClass) -> Bool {
    guard let rects = layoutClass.remembered(key), areWidthsKept(rects) else { return false }
    take(rects)
    layoutClass.memoHits += 1
    statistics.memoHits += 1
    needsSolve = false
    isSolverBehind = true
    return true
  }

  private func take(_ rects: [FractionalRect]) {
    framesAreBehind = true
    let boxes = orderedBoxes
    for index in rects.indices { boxes[index].solved = rects[index] }
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
    guard let layoutClass = memoClass, broken.isEmpty, !isSolverBehind else { return }
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
          constant: solverConstant(of: constraint), age: constraint.age,
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

  /// Takes over the class's solved engine, whose solver this one's is a copy of. Constraints that this
  /// tree has and that one had not are added, the others removed.
  func adopt(_ template: LayoutTemplate) throws(SolverError) {
    boxes.reserveCapacity(orderedBoxes.count)
    for index in orderedBoxes.indices {
      let known = template.boxes[index]
      guard known.isEngaged else { continue }
      let box = orderedBoxes[index]
      box.left = known.left
      box.top = known.top
      box.width = known.width
      box.height = known.height
      box.solved = known.solved
      box.engine = self
      box.engineSerial = serial
      boxes.append(box)
    }
    owners = [LayoutConstraint?](repeating: nil, count: template.handleCount)
    let entries = template.entries
    var taken = [Bool](repeating: false, count: entries.count)
    var missing: [LayoutConstraint] = []
    var next = 0
    for constraint in [imposedWidth, fittingHeight] + root.heldConstraints() {
      let signature = signature(of: constraint)
      guard let index = template.entry(signature, from: next, taken: taken) else {
        missing.append(constraint)
        continue
      }
      taken[index] = true
      next = index + 1
      try adopt(constraint, entries[index])
    }
    for index in entries.indices where !taken[index] {
      let entry = entries[index]
      if let content = entry.content,
        let constraint = contentConstraint(content.box, content.index, -entry.constant),
        constraint.priority == entry.priority
      {
        orderedBoxes[content.box].contentConstraints[content.index] = constraint
        try adopt(constraint, entry)
      } else {
        try solver.remove(entry.handle)
      }
    }
    for constraint in missing { addReporting(constraint) }
    statistics.copies += 1
    needsSolve = true
    needsPass = true
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
    _ constraint: LayoutConstraint, _ entry: LayoutTemplate.Entry
  ) throws(SolverError) {
    let constant = solverConstant(of: constraint)
    var age = entry.age
    if constant != entry.constant { age = try solver.setConstant(constant, of: entry.handle) }
    constraint.signature = entry.signature
    constraint.isSigned = true
    own(constraint, entry.handle, age: age, constant: constant)
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

extension LayoutAttribute {
  /// Its number for hashes, below 16.
  fileprivate var number: UInt64 {
    switch self {
    case .leading: 0
    case .trailing: 1
    case .left: 2
    case .right: 3
    case .top: 4
    case .bottom: 5
    case .width: 6
    case .height: 7
    case .centerX: 8
    case .centerY: 9
    case .firstBaseline: 10
    }
  }
}

extension LayoutConstraint.Origin {
  /// Its number for hashes, below 4.
  fileprivate var number: UInt64 {
    switch self {
    case .code: 0
    case .content: 1
    case .imposed: 2
    case .guide: 3
    }
  }
}
