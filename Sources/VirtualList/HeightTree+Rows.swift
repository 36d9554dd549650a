extension HeightTree {
  /// Where a row is: its leaf, its index in it, and the first row of the leaf.
  struct Location {
    var leaf: Int32
    var index: Int
  }

  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  func locate(_ row: Int) -> Location {
    precondition(row >= 0 && row < count, "row outside the tree")
    var node = root
    var rest = row
    while nodes[Int(node)].form == .inner {
      (node, rest) = child(of: node, at: rest)
    }
    return Location(leaf: node, index: rest)
  }

  /// What is known of a row's height.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  public func height(ofRow row: Int) -> RowHeight {
    let location = locate(row)
    let node = nodes[Int(location.leaf)]
    guard node.form == .packed else { return .unmeasured(kind: gapKind(location.leaf)) }
    let entry = HeightEntry(bits: slabs[node.payload, location.index])
    if let kind = entry.kind { return .unmeasured(kind: kind) }
    var height = Int(entry.low)
    if entry.isOverflow, let heights = overflow[location.leaf] {
      let before = slabs.withEntries(node.payload, count: location.index) {
        $0.reduce(0) { $0 + (HeightEntry(bits: $1).isOverflow ? 1 : 0) }
      }
      height = Int(heights[before])
    }
    guard entry.isMeasured else { return .stale(height: height, width: Int(node.staleWidth)) }
    return node.epoch == epoch ? .measured(height) : .stale(height: height, width: Int(node.width))
  }

  /// The measured height of a row at the present width in lines, else nil.
  /// - Complexity: O(log n)
  public func measuredHeight(ofRow row: Int) -> Int? {
    if case .measured(let height) = height(ofRow: row) { return height }
    return nil
  }

  /// The height of a row in lines, guessed where it is not measured; a guess is at least 1 unless
  /// the row was remembered as empty.
  /// - Complexity: O(log n)
  public func estimatedHeight(ofRow row: Int) -> Int {
    switch height(ofRow: row) {
    case .measured(let height): return height
    case .unmeasured(let kind): return max(1, Self.lines(estimates.means[kind]))
    case .stale(let height, let width):
      guard height > 0 else { return 0 }
      return max(1, Self.lines(staleHeight(area: Int64(height) * Int64(width))))
    }
  }

  /// A row is `height` lines high at the present width. `kind` is whose mean learns from it where
  /// the tree no longer knows.
  /// - Precondition: `row` is in `0..<count`. A negative height counts as 0.
  /// - Complexity: O(log n)
  public mutating func setHeight(_ height: Int, ofRow row: Int, kind: Int = 0) {
    let height = min(max(0, height), Int(Int32.max))
    let old = self.height(ofRow: row)
    switch old {
    case .measured(let before):
      guard before != height else { return }
      estimates.learn(change: height - before, kind: kind)
    case .unmeasured(let kind):
      estimates.learn(height: height, kind: kind)
    case .stale:
      estimates.learn(stale: estimatedHeight(ofRow: row), height: height)
      estimates.learn(height: height, kind: kind)
    }
    if nodes[Int(locate(row).leaf)].form == .gap { pack(around: row) }
    store(height, isMeasured: true, row: row, in: root)
  }

  /// A row's content has changed: its height is only an estimate from now on.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  public mutating func invalidate(row: Int) {
    guard case .measured(let height) = height(ofRow: row) else { return }
    store(height, isMeasured: false, row: row, in: root)
  }

  /// Makes part of a gap a packed leaf: some rows around `row`, since its neighbours come next, and
  /// whatever would remain as a small gap.
  private mutating func pack(around row: Int) {
    let location = locate(row)
    let kind = gapKind(location.leaf)
    let start = row - location.index
    let end = start + Int(nodes[Int(location.leaf)].count)
    var (low, high) = (max(start, row - 15), min(end, row + 17))
    if low - start <= Self.smallGap { low = start }
    if end - high <= Self.smallGap { high = end }
    let (head, rest) = split(root, at: low)
    let (middle, tail) = split(rest, at: high - low)
    releaseTree(middle)
    let leaf = makePacked(
      LeafContent(kind: kind, count: high - low, staleWidth: Int32(width)))
    root = join(join(head, leaf), tail)
  }

  /// Writes a height where the row already has an entry, and the sums above it.
  private mutating func store(_ height: Int, isMeasured: Bool, row: Int, in node: Int32) {
    if nodes[Int(node)].form == .inner {
      nodes[Int(node)].age(to: epoch, width: Int32(width))
      let (child, rest) = child(of: node, at: row)
      let before = summary(child)
      store(height, isMeasured: isMeasured, row: rest, in: child)
      nodes[Int(node)].replace(before, by: nodes[Int(child)])
      return
    }
    let old = HeightEntry(bits: slabs[nodes[Int(node)].payload, row])
    let new = HeightEntry(height: height, isMeasured: isMeasured)
    guard isMeasured, nodes[Int(node)].epoch == epoch, !old.isOverflow, !new.isOverflow else {
      storeSlowly(height, isMeasured: isMeasured, row: row, in: node)
      return
    }
    slabs[nodes[Int(node)].payload, row] = new.bits
    nodes[Int(node)].measuredSum += Int64(height)
    if old.isMeasured {
      nodes[Int(node)].measuredSum -= Int64(old.low)
    } else {
      nodes[Int(node)].measuredCount += 1
      if let kind = old.kind {
        nodes[Int(node)].kinds[kind] -= 1
      } else {
        nodes[Int(node)].staleArea -= Int64(old.low) * Int64(nodes[Int(node)].staleWidth)
      }
    }
  }

  private mutating func storeSlowly(_ height: Int, isMeasured: Bool, row: Int, in leaf: Int32) {
    var content = content(leaf)
    var height = height
    if !isMeasured {
      if content.hasStale {
        let area = Int64(height) * Int64(width)
        let scaled = Int(area / Int64(content.staleWidth))
        height = height > 0 ? max(1, scaled) : 0
      } else {
        content.staleWidth = Int32(width)
      }
    }
    content.set(height, isMeasured: isMeasured, at: row)
    setContent(content, of: leaf)
  }
}
