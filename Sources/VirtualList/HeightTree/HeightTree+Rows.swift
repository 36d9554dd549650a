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
    var rest = Int32(row)
    while nodes[Int(node)].form == .inner {
      let payload = Int(nodes[Int(node)].payload)
      let slot = fanouts[payload].slot(ofRow: rest)
      node = fanouts[payload].children[slot]
      if slot > 0 { rest -= fanouts[payload].rows[slot - 1] }
    }
    return Location(leaf: node, index: Int(rest))
  }

  /// What is known of a row's height.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  public func height(ofRow row: Int) -> RowHeight { height(at: locate(row)) }

  private func height(at location: Location) -> RowHeight {
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
    let location = locate(row)
    switch height(at: location) {
    case .measured(let height): return height
    case .unmeasured(let kind):
      let leaf = nodes[Int(location.leaf)]
      return max(1, Self.lines(guess(leaf, kind) / Int64(max(1, leaf.kinds[kind]))))
    case .stale(let height, let width):
      guard height > 0 else { return 0 }
      return max(1, Self.lines(staleHeight(area: Int64(height) * Int64(width))))
    }
  }

  /// A row is `height` lines high at the present width. `kind` is whose estimates learn from it
  /// where the tree no longer knows.
  ///
  /// - Parameter textLength: the cells of some rows' text where they are known; asked for the row
  ///   itself and for the parts of a run of unmeasured rows that is cut.
  /// - Precondition: `row` is in `0..<count`. A negative height counts as 0.
  /// - Complexity: O(log n)
  public mutating func setHeight(
    _ height: Int, ofRow row: Int, kind: Int = 0, textLength: (Range<Int>) -> Int? = { _ in nil }
  ) {
    let height = min(max(0, height), Int(Int32.max))
    var location = locate(row)
    if nodes[Int(location.leaf)].form == .gap {
      pack(around: row, from: row - location.index, textLength)
      location = locate(row)
    }
    let chunk = nodes[Int(location.leaf)].payload
    let old = HeightEntry(bits: slabs[chunk, location.index])
    let new = HeightEntry(height: height, isMeasured: true)
    guard nodes[Int(location.leaf)].epoch == epoch, !old.isOverflow, !new.isOverflow else {
      measureSlowly(height, row: row, kind: kind, at: location)
      return
    }
    if old.isMeasured {
      guard old != new else { return }
      estimates.learn(change: height - Int(old.low), kind: kind)
      slabs[chunk, location.index] = new.bits
      Self.add(
        lines: Int32(height) - Int32(old.low), row: row, root: root, &nodes, &fanouts, &blockSums)
      return
    }
    let own = old.kind == nil ? nil : textLength(row..<row + 1)
    learn(height, kind: kind, text: own, at: location)
    slabs[chunk, location.index] = new.bits
    let leaf = nodes[Int(location.leaf)]
    var after = leaf
    after.measuredSum += Int64(height)
    after.measuredCount += 1
    if let kind = old.kind {
      // The last row of a kind takes all that is left.
      var length = leaf.share(ofKind: kind, rows: 1)
      if let own, leaf.kinds[kind] > 1 {
        // What the others keep is never less than any run has.
        let least = Int(estimates.lowestLength(ofKind: kind)) * (Int(leaf.kinds[kind]) - 1)
        length = Int32(
          min(HeightEstimates.units(ofCells: own), max(0, Int(leaf.lengths[kind]) - least)))
      }
      after.add(rows: -1, length: -length, ofKind: kind)
    } else {
      after.staleArea -= Int64(old.low) * Int64(leaf.staleWidth)
    }
    nodes[Int(location.leaf)] = after
    addToBlocks(Int32(height), of: location.leaf, at: location.index)
    propagate(leaf, after, row: row)
  }

  /// The estimates learn from a row that was not measured.
  private mutating func learn(
    _ height: Int, kind: Int, text: Int? = nil, at location: Location
  ) {
    switch self.height(at: location) {
    case .measured(let before):
      estimates.learn(change: height - before, kind: kind)
    case .unmeasured(let kind):
      let leaf = nodes[Int(location.leaf)]
      let share = Double(leaf.lengths[kind]) / Double(max(1, leaf.kinds[kind]))
      let length = text.map { Double(max(0, $0)) / Double(HeightEstimates.lengthUnit) } ?? share
      estimates.learn(height: height, length: length, kind: kind)
    case .stale(let before, let width):
      let area = Int64(before) * Int64(width)
      let estimate = before > 0 ? max(1, Self.lines(staleHeight(area: area))) : 0
      estimates.learn(stale: estimate, height: height)
      // Its text is not known any more, and so tells nothing about text.
      estimates.learn(height: height, kind: kind)
    }
  }

  private mutating func addToBlocks(_ lines: Int32, of leaf: Int32, at index: Int) {
    let blocks = Int(nodes[Int(leaf)].blocks)
    blockSums[blocks].lines = Fanout.adding(
      lines, from: index >> BlockSums.blockBits, to: blockSums[blocks].lines)
  }

  /// A measured row has so many lines more.
  ///
  /// The arrays by themselves and not the tree, so that each is found to be unshared only once.
  private static func add(
    lines: Int32, row: Int, root: Int32, _ nodes: inout [HeightNode], _ fanouts: inout [Fanout],
    _ blockSums: inout [BlockSums]
  ) {
    var node = Int(root)
    var rest = Int32(row)
    nodes.withUnsafeMutableBufferPointer { nodes in
      fanouts.withUnsafeMutableBufferPointer { fanouts in
        while nodes[node].form == .inner {
          nodes[node].measuredSum += Int64(lines)
          let payload = Int(nodes[node].payload)
          let slot = fanouts[payload].slot(ofRow: rest)
          node = Int(fanouts[payload].children[slot])
          if slot > 0 { rest -= fanouts[payload].rows[slot - 1] }
          fanouts[payload].lines = Fanout.adding(lines, from: slot, to: fanouts[payload].lines)
        }
      }
      nodes[node].measuredSum += Int64(lines)
    }
    let blocks = Int(nodes[node].blocks)
    blockSums[blocks].lines = Fanout.adding(
      lines, from: Int(rest) >> BlockSums.blockBits, to: blockSums[blocks].lines)
  }

  private mutating func measureSlowly(
    _ height: Int, row: Int, kind: Int, at location: Location
  ) {
    if case .measured(let before) = self.height(at: location), before == height { return }
    learn(height, kind: kind, at: location)
    store(height, isMeasured: true, row: row, at: location)
  }

  /// A row's content has changed: its height is only an estimate from now on.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  public mutating func invalidate(row: Int) {
    let location = locate(row)
    guard case .measured(let height) = height(at: location) else { return }
    store(height, isMeasured: false, row: row, at: location)
  }

  /// Writes a height where the row already has an entry, and the sums above it, by way of the
  /// leaf's content.
  private mutating func store(_ height: Int, isMeasured: Bool, row: Int, at location: Location) {
    let before = summary(location.leaf)
    var content = content(location.leaf)
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
    content.set(height, isMeasured: isMeasured, at: location.index)
    setContent(content, of: location.leaf)
    propagate(before, nodes[Int(location.leaf)], row: row)
  }
}
