extension HeightTree {
  /// Rows taken out of a tree with all that is known of them, to be put into it again elsewhere.
  public struct DetachedRows: Sendable {
    let root: Int32
    public let count: Int
  }

  /// Inserts `count` unmeasured rows of one kind before `row`.
  /// - Precondition: `row` is in `0...self.count`.
  /// - Complexity: O(log n), whatever `count`
  public mutating func insert(count: Int, kind: Int = 0, at row: Int) {
    precondition(row >= 0 && row <= self.count, "row outside the tree")
    guard count > 0 else { return }
    if row < self.count, fitsInPlace(locate(row).leaf, count) {
      edit(root, at: row) { $0.insert(kind: kind, count: count, at: $1) }
      return
    }
    let (head, tail) = split(root, at: row)
    root = join(join(head, makeGap(kind: kind, count: count)), tail)
  }

  /// Removes rows.
  /// - Precondition: the rows are in `0..<count`.
  /// - Complexity: O(log n + nodes removed)
  public mutating func remove(_ rows: Range<Int>) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "rows outside the tree")
    guard !rows.isEmpty else { return }
    let location = locate(rows.lowerBound)
    let leaf = nodes[Int(location.leaf)]
    if leaf.form == .packed, location.index + rows.count <= Int(leaf.count),
      Int(leaf.count) - rows.count >= Self.leafCapacity / 4
    {
      edit(root, at: rows.lowerBound) { $0.remove($1..<$1 + rows.count) }
      return
    }
    releaseTree(detach(rows).root)
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

  /// True where a few rows more are written into a packed leaf faster than spliced in beside it.
  private func fitsInPlace(_ leaf: Int32, _ added: Int) -> Bool {
    let node = nodes[Int(leaf)]
    return node.form == .packed && added <= Self.smallGap
      && Int(node.count) + added <= Self.leafCapacity
  }

  /// Changes the content of the packed leaf that holds `row`, and the sums above it. `change` is
  /// given the row's index in the leaf.
  private mutating func edit(
    _ node: Int32, at row: Int, _ change: (inout LeafContent, Int) -> Void
  ) {
    guard nodes[Int(node)].form == .inner else {
      var content = content(node)
      change(&content, row)
      setContent(content, of: node)
      return
    }
    nodes[Int(node)].age(to: epoch, width: Int32(width))
    let (child, rest) = child(of: node, at: row)
    let before = summary(child)
    edit(child, at: rest, change)
    nodes[Int(node)].replace(before, by: nodes[Int(child)])
  }

  /// The child of an inner node that holds a row, and the row's index in it.
  func child(of node: Int32, at row: Int) -> (child: Int32, row: Int) {
    let fanout = fanouts[Int(nodes[Int(node)].payload)]
    var rest = row
    var index = 0
    while rest >= Int(nodes[Int(fanout[index])].count) {
      rest -= Int(nodes[Int(fanout[index])].count)
      index += 1
    }
    return (fanout[index], rest)
  }
}
