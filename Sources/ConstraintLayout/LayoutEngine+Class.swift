import ConstraintSolver

/// What trees of one class share: the engine that new trees copy.
extension LayoutEngine {
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
    return Self.mixed(Self.mixed(boxes ^ Self.mixed(kind)) ^ multiplier)
  }

  /// The finaliser of splitmix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
  /// Generators", 2014).
  private static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  // MARK: Copies

  /// Keeps this engine, just solved, for other trees of the class.
  func offerTemplate() {
    guard let layoutClass, layoutClass.template == nil, broken.isEmpty else { return }
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
    own(constraint, entry.handle, age: age)
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
