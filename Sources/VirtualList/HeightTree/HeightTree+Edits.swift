extension HeightTree {
  /// Rows taken out of a tree with all that is known of them, to be put into it again elsewhere.
  public struct DetachedRows: Sendable {
    let root: Int32
    public let count: Int
  }

  /// Inserts `count` unmeasured rows of one kind before `row`. `textLength` is the cells that their
  /// text takes, nil where that is not known.
  /// - Precondition: `row` is in `0...self.count`.
  /// - Complexity: O(log n), whatever `count`
  public mutating func insert(count: Int, kind: Int = 0, textLength: Int? = nil, at row: Int) {
    precondition(row >= 0 && row <= self.count, "row outside the tree")
    guard count > 0 else { return }
    let length = length(ofCells: textLength, kind: kind, rows: count)
    guard self.count > 0, grow(count, kind, length, at: row) else {
      let (head, tail) = split(root, at: row)
      root = join(join(head, makeGap(kind: kind, count: count, length: length)), tail)
      return
    }
  }

  /// Inserts rows into the leaf that holds `row`, or the one that ends there, if they fit into it.
  private mutating func grow(_ count: Int, _ kind: Int, _ length: Int32, at row: Int) -> Bool {
    let inside = min(row, self.count - 1)
    let location = locate(inside)
    let index = location.index + row - inside
    let before = summary(location.leaf)
    switch before.form {
    case .gap where gapKind(location.leaf) == kind:
      var added = HeightNode()
      added.count = Int32(count)
      added.add(rows: Int32(count), length: length, ofKind: kind)
      guard !staysApart(before, added) else { return false }
      nodes[Int(location.leaf)].count += Int32(count)
      nodes[Int(location.leaf)].add(rows: Int32(count), length: length, ofKind: kind)
    case .packed where count <= Self.smallGap && Int(before.count) + count <= Self.leafCapacity:
      let isCurrent = nodes[Int(location.leaf)].epoch == epoch
      let units = EntrySlabs.units(Int(before.count) + count)
      if isCurrent, units == Int(before.used) {
        insertEntries(count, kind, length, at: index, of: location.leaf)
      } else {
        var content = content(location.leaf)
        content.insert(kind: kind, count: count, length: length, at: index)
        setContent(content, of: location.leaf)
      }
    default: return false
    }
    propagate(before, nodes[Int(location.leaf)], row: inside)
    return true
  }

  /// Inserts unmeasured rows into a packed leaf whose chunk has room for them.
  private mutating func insertEntries(
    _ count: Int, _ kind: Int, _ length: Int32, at index: Int, of leaf: Int32
  ) {
    let node = nodes[Int(leaf)]
    slabs.insert(
      HeightEntry(kind: kind).bits, count: count, at: index, of: Int(node.count), in: node.payload)
    nodes[Int(leaf)].count += Int32(count)
    nodes[Int(leaf)].add(rows: Int32(count), length: length, ofKind: kind)
    blockSums[Int(node.blocks)] = slabs.withEntries(
      node.payload, count: Int(node.count) + count
    ) { BlockSums($0) }
  }

  /// Removes rows.
  /// - Precondition: the rows are in `0..<count`.
  /// - Complexity: O(log n + nodes removed)
  public mutating func remove(_ rows: Range<Int>) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "rows outside the tree")
    guard !rows.isEmpty else { return }
    let location = locate(rows.lowerBound)
    guard location.index + rows.count <= Int(nodes[Int(location.leaf)].count),
      shrink(location, by: rows)
    else {
      releaseTree(detach(rows).root)
      return
    }
  }

  /// Takes rows out of one leaf, if enough of it is left.
  private mutating func shrink(_ location: Location, by rows: Range<Int>) -> Bool {
    let before = summary(location.leaf)
    let left = Int(before.count) - rows.count
    if before.form == .gap, left > Self.smallGap {
      let kind = gapKind(location.leaf)
      let gone = Int32(rows.count)
      nodes[Int(location.leaf)].count -= gone
      nodes[Int(location.leaf)].add(
        rows: -gone, length: -before.share(ofKind: kind, rows: gone), ofKind: kind)
    } else if before.form == .packed, left >= Self.leafCapacity / 4 {
      var content = content(location.leaf)
      content.remove(location.index..<location.index + rows.count)
      setContent(content, of: location.leaf)
    } else {
      return false
    }
    propagate(before, nodes[Int(location.leaf)], row: rows.lowerBound)
    return true
  }

  /// Takes rows out; they must be attached again, or their nodes are never used again.
  /// - Precondition: the rows are in `0..<count`.
  /// - Complexity: O(log n)
  public mutating func detach(_ rows: Range<Int>) -> DetachedRows {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "rows outside the tree")
    guard !rows.isEmpty else { return DetachedRows(root: -1, count: 0) }
    let (head, rest) = split(root, at: rows.lowerBound)
    let (middle, tail) = split(rest, at: rows.count)
    root = join(head, tail)
    return DetachedRows(root: middle, count: rows.count)
  }

  /// Puts rows that `detach` gave back in before `row`.
  /// - Precondition: `row` is in `0...count`.
  /// - Complexity: O(log n)
  public mutating func attach(_ rows: DetachedRows, at row: Int) {
    precondition(row >= 0 && row <= count, "row outside the tree")
    let (head, tail) = split(root, at: row)
    root = join(join(head, rows.root), tail)
  }

  /// Moves one row so that it has the index `destination` afterwards.
  /// - Precondition: both are in `0..<count`.
  /// - Complexity: O(log n)
  public mutating func move(from source: Int, to destination: Int) {
    attach(detach(source..<source + 1), at: destination)
  }
}
