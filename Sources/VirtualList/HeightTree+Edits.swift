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
    let (head, tail) = split(root, at: row)
    root = join(join(head, makeGap(kind: kind, count: count)), tail)
  }

  /// Removes rows.
  /// - Precondition: the rows are in `0..<count`.
  /// - Complexity: O(log n + nodes removed)
  public mutating func remove(_ rows: Range<Int>) {
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
}
