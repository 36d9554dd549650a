extension HeightTree {
  /// A packed leaf's content as of the present epoch; the leaf stays as it is.
  func content(_ leaf: Int32) -> LeafContent {
    let node = nodes[Int(leaf)]
    var content = LeafContent(staleWidth: node.staleWidth)
    content.entries = slabs.entries(node.payload, count: Int(node.count))
    content.lengths = node.lengths
    if !overflow.isEmpty, let heights = overflow[leaf] { content.overflow = heights }
    if node.epoch != epoch { content.age(measuredWidth: node.width) }
    return content
  }

  /// A new packed leaf of 1...1,024 rows.
  mutating func makePacked(_ content: LeafContent) -> Int32 {
    var node = HeightNode()
    node.form = .packed
    let units = EntrySlabs.units(content.entries.count)
    node.payload = slabs.allocate(units: units)
    node.used = UInt8(units)
    if let free = freeBlocks.popLast() {
      node.blocks = free
    } else {
      node.blocks = Int32(blockSums.count)
      blockSums.append(BlockSums())
    }
    let index = allocate(node)
    write(content, to: index)
    return index
  }

  /// Replaces a packed leaf's content, taking another chunk where the size asks for one.
  mutating func setContent(_ content: LeafContent, of leaf: Int32) {
    let units = EntrySlabs.units(content.entries.count)
    if units != Int(nodes[Int(leaf)].used) {
      slabs.release(nodes[Int(leaf)].payload, units: Int(nodes[Int(leaf)].used))
      nodes[Int(leaf)].payload = slabs.allocate(units: units)
      nodes[Int(leaf)].used = UInt8(units)
    }
    write(content, to: leaf)
  }

  private mutating func write(_ content: LeafContent, to leaf: Int32) {
    slabs.store(content.entries, in: nodes[Int(leaf)].payload)
    blockSums[Int(nodes[Int(leaf)].blocks)] = BlockSums(content.entries)
    if !content.overflow.isEmpty {
      overflow[leaf] = content.overflow
    } else if !overflow.isEmpty {
      overflow[leaf] = nil
    }
    nodes[Int(leaf)].epoch = epoch
    nodes[Int(leaf)].width = Int32(width)
    content.summarize(into: &nodes[Int(leaf)])
  }

  /// The kind of a gap's rows.
  func gapKind(_ leaf: Int32) -> Int {
    nodes[Int(leaf)].kindMask.trailingZeroBitCount
  }

  /// Any leaf's rows as packed content.
  func packedContent(_ leaf: Int32) -> LeafContent {
    let node = nodes[Int(leaf)]
    guard node.form == .gap else { return content(leaf) }
    let kind = gapKind(leaf)
    return LeafContent(
      kind: kind, count: Int(node.count), length: node.lengths[kind], staleWidth: Int32(width))
  }

  /// Melts two neighbouring leaves where rule 4 allows it: one leaf and −1, or both as they are.
  mutating func joinLeaves(_ left: Int32, _ right: Int32) -> (Int32, Int32) {
    let (a, b) = (nodes[Int(left)], nodes[Int(right)])
    if a.form == .gap, b.form == .gap {
      let kind = gapKind(left)
      guard kind == gapKind(right), !staysApart(a, b) else { return (left, right) }
      nodes[Int(left)].count += b.count
      nodes[Int(left)].add(rows: b.count, length: b.lengths[kind], ofKind: kind)
      release(right)
      return (left, -1)
    }
    guard melts(a, b) else { return (left, right) }
    var melted = packedContent(left)
    melted.append(packedContent(right))
    if a.form == .packed {
      setContent(melted, of: left)
      release(right)
      return (left, -1)
    }
    setContent(melted, of: right)
    release(left)
    return (right, -1)
  }

  /// Whether two gaps of one kind are kept apart: long ones with different text.
  func staysApart(_ a: HeightNode, _ b: HeightNode) -> Bool {
    min(a.count, b.count) > Self.smallGap && !a.hasTextLike(b)
  }

  /// Whether two leaves, not both of them gaps, belong in one packed leaf.
  private func melts(_ a: HeightNode, _ b: HeightNode) -> Bool {
    let isLargeGap =
      (a.form == .gap && a.count > Self.smallGap) || (b.form == .gap && b.count > Self.smallGap)
    let room = a.hasTextLike(b) ? Self.leafCapacity : Self.leafCapacity / 2
    return !isLargeGap && Int(a.count) + Int(b.count) <= room
  }
}
