/// The heights of all rows of a list: measured, stale or estimated.
///
/// A B+ tree whose nodes are in a `HeightArena`. Its rules:
///
/// 1. A leaf is a **gap**, a run of unmeasured rows of one kind of any length, or **packed**, up to
///    1,024 rows at two bytes each. Ten million unmeasured rows of one kind are one node.
/// 2. A node sums up its rows: their count, the measured heights, the unmeasured rows and their
///    text by kind, and the stale heights as areas (height · width). Heights are *computed* from
///    these sums and `estimates`, so a better estimate or another width costs nothing.
/// 3. The text of unmeasured rows is known as the total of a run, of which each row has an equal
///    share. If a run is cut, `setHeight` asks for the text of the parts; if that is unknown, they
///    share the total in proportion to their rows. It also asks for the text of the measured row
///    itself, which leaves the total. A row is estimated as a + b · text, which adds up over any
///    rows; a includes the lines that rounding text up to whole lines adds.
/// 4. A change of width starts a new epoch: measured heights become stale. A stale height is zero
///    only if the row's height was.
/// 5. A structural change splits the tree at a row and joins trees, or, if it stays inside a leaf
///    or its parent, happens in place. Leaves that meet merge if possible: gaps of one kind, packed
///    leaves that fit into one, and a packed leaf with a gap of at most 224 rows, which is smaller
///    packed than as two more nodes. If the text per row differs by more than an eighth, longer
///    gaps stay apart and a packed leaf grows to half its capacity only, so that the tree keeps
///    track of where rows are long.
/// 6. Inner nodes have 2 to 16 children, at least 8 unless they are the root; all leaves are at the
///    same depth. An inner node holds running sums of its children, a packed leaf of its blocks:
///    while all rows of a subtree are measured, a seek compares these and visits one node a level.
/// 7. Sums are Int64; estimates and offsets are fixed-point lines (`HeightEstimates.fractionBits`).
///
/// At most `Int32.max` rows. A tree has one owner; it can be borrowed but not copied.
public struct HeightTree: ~Copyable, Sendable {
  /// Fixed-point lines.
  public typealias FixedLines = Int64

  /// Estimates the unmeasured rows; learns from `setHeight`.
  package private(set) var estimates: HeightEstimates
  private var arena: HeightArena
  /// −1 if there are no rows.
  private var root: Int32 = -1

  /// Creates a tree of `count` unmeasured rows of one kind.
  /// - Precondition: `kind` is in `0..<16`.
  /// - Complexity: O(1)
  public init(count: Int = 0, kind: Int = 0, width: Int) {
    self.init(runs: [RowRun(kind: kind, count: count)], width: width)
  }

  /// Creates a tree of runs of unmeasured rows, whose text may be known.
  /// - Complexity: O(runs · log runs)
  init(runs: [RowRun], width: Int, estimates: HeightEstimates = HeightEstimates()) {
    arena = HeightArena(width: max(1, width))
    self.estimates = estimates
    self.estimates.rescale(to: arena.width)
    self.estimates.forgetRuns()
    for run in runs where run.count > 0 {
      let length = length(ofCells: run.textLength, kind: run.kind, rows: run.count)
      root = arena.join(root, arena.makeGap(kind: run.kind, count: run.count, length: length))
    }
  }

  /// The text of new rows in length units; if unknown, the usual text of their kind. All rows
  /// together have at most `Int32.max` units.
  private mutating func length(ofCells cells: Int?, kind: Int, rows: Int) -> Int32 {
    let units =
      cells.map { HeightEstimates.units(ofCells: $0) }
      ?? Int(estimates.typicalLength(ofKind: kind) * Double(rows))
    var room = Int(Int32.max)
    if root >= 0 { room -= Int(arena[root].lengths.wrappedSum()) }
    let length = Int32(min(max(0, units), max(0, room)))
    estimates.admit(length: length, rows: rows, kind: kind)
    return length
  }

  // MARK: All rows

  /// The number of rows. - Complexity: O(1)
  public var count: Int { root < 0 ? 0 : Int(arena[root].count) }

  /// The number of rows measured at the present width. - Complexity: O(1)
  public var measuredCount: Int { root < 0 ? 0 : Int(arena.summary(root).measuredCount) }

  /// The height of all rows, measured and estimated, in fixed-point lines.
  /// - Complexity: O(kinds)
  public var totalFixed: FixedLines {
    root < 0 ? 0 : estimates.height(of: arena.summary(root), width: width)
  }

  /// The height of all rows, measured and estimated, in lines. - Complexity: O(kinds)
  public var totalHeight: Int { Self.lines(totalFixed) }

  /// Bytes of the nodes and entries held, without spare capacity of arrays.
  public var byteCount: Int { arena.byteCount }

  /// The number of nodes in use or free, for tests.
  var nodeCount: Int { arena.nodeCount }

  /// All leaves in order, for tests. - Complexity: O(nodes)
  var leaves: [HeightNode] {
    func leaves(_ node: Int32) -> [HeightNode] {
      arena[node].form == .inner ? arena.children(node).flatMap(leaves) : [arena[node]]
    }
    return root < 0 ? [] : leaves(root)
  }

  /// Rounds fixed-point lines to lines.
  public static func lines(_ fixed: FixedLines) -> Int {
    let half: Int64 = 1 << (HeightEstimates.fractionBits - 1)
    return Int((fixed + half) >> HeightEstimates.fractionBits)
  }

  /// Converts lines to fixed-point lines.
  public static func fixed(_ lines: Int) -> FixedLines {
    Int64(lines) << HeightEstimates.fractionBits
  }

  /// Columns that heights are measured for.
  public var width: Int { arena.width }

  /// Sets the width that text is wrapped to: measured heights become stale.
  /// - Complexity: O(1)
  public mutating func setWidth(_ newWidth: Int) {
    let newWidth = max(1, newWidth)
    guard newWidth != width else { return }
    estimates.rescale(to: newWidth)
    arena.setWidth(newWidth)
  }

  /// Sets the estimate of a row before anything is learned, in lines; at least 1.
  mutating func setEstimatedRowHeight(_ height: Int) { estimates.estimatedRowHeight = height }

  /// While frozen, commits do not change the estimates.
  mutating func freezeEstimates(_ isFrozen: Bool) { estimates.isFrozen = isFrozen }

  /// Moves the estimates in use towards those learned.
  /// - Returns: whether any estimate has changed.
  /// - Complexity: O(kinds)
  @discardableResult mutating func commitEstimates() -> Bool { estimates.commit() }

  /// Lets the next commit continue if the last one stopped short. - Complexity: O(kinds)
  mutating func refreshEstimates() { estimates.refresh() }

  /// Descriptions of violated invariants; empty if all hold. Tests call it after every change.
  /// - Complexity: O(rows in packed leaves + nodes)
  func brokenInvariants() -> [String] {
    arena.brokenInvariants(below: root, estimates)
  }

  /// The number of rows in a range that are measured at the present width.
  /// - Precondition: `rows` are rows of the tree.
  /// - Complexity: O(log n)
  package func measuredCount(ofRows rows: Range<Int>) -> Int {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "rows outside the tree")
    func before(_ row: Int) -> Int {
      if row == 0 { return 0 }
      return row == count ? measuredCount : arena.measuredCount(beforeRow: row, below: root)
    }
    return before(rows.upperBound) - before(rows.lowerBound)
  }

  // MARK: Offsets

  /// The fixed-point lines of all rows before `row`.
  /// - Precondition: `row` is in `0...count`.
  /// - Complexity: O(log n)
  public func offset(ofRow row: Int) -> FixedLines {
    precondition(row >= 0 && row <= count, "row outside the tree")
    guard row > 0 else { return 0 }
    guard row < count else { return totalFixed }
    return arena.offset(ofRow: row, below: root, estimates)
  }

  /// The row that covers an offset, and the offset within that row; past the end, the last row.
  /// Rows without height cover nothing. `nil` if there are no rows.
  /// - Complexity: O(log n)
  public func row(atOffset offset: FixedLines) -> (row: Int, remainder: FixedLines)? {
    root < 0 ? nil : arena.row(atOffset: offset, below: root, estimates)
  }

  // MARK: One row

  private func locate(_ row: Int) -> HeightArena.Location {
    precondition(row >= 0 && row < count, "row outside the tree")
    return arena.locate(row, below: root)
  }

  /// The stored height of a row.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  func height(ofRow row: Int) -> RowHeight { arena.height(at: locate(row)) }

  /// The measured height of a row at the present width in lines, or `nil`.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  public func measuredHeight(ofRow row: Int) -> Int? {
    if case .measured(let height) = height(ofRow: row) { return height }
    return nil
  }

  /// The height of a row in lines, measured or estimated; an estimate is at least 1 unless the
  /// row's last known height was 0.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  public func estimatedHeight(ofRow row: Int) -> Int {
    let location = locate(row)
    switch arena.height(at: location) {
    case .measured(let height): return height
    case .unmeasured(let kind):
      let leaf = arena[location.leaf]
      let all = estimates.unmeasuredHeight(of: leaf, kind: kind)
      return max(1, Self.lines(all / Int64(max(1, leaf.kinds[kind]))))
    case .stale(let height, let width): return estimate(ofStale: height, width: width)
    }
  }

  private func estimate(ofStale height: Int, width oldWidth: Int) -> Int {
    guard height > 0 else { return 0 }
    let area = Int64(height) * Int64(oldWidth)
    return max(1, Self.lines(estimates.staleHeight(area: area, width: width)))
  }

  /// Sets the measured height of a row at the present width. The estimates of `kind` learn from it
  /// if the tree no longer knows the row's kind.
  ///
  /// - Parameter textLength: returns the cells of some rows' text if they are known; called for the
  ///   row itself and for the parts of a run of unmeasured rows that is cut.
  /// - Precondition: `row` is in `0..<count`, `kind` in `0..<16`. A negative height counts as 0.
  /// - Complexity: O(log n)
  public mutating func setHeight(
    _ height: Int, ofRow row: Int, kind: Int = 0, textLength: (Range<Int>) -> Int? = { _ in nil }
  ) {
    let height = min(max(0, height), Int(Int32.max))
    var location = locate(row)
    if arena[location.leaf].form == .gap {
      arena.pack(
        around: row, from: row - location.index, below: &root, &estimates, textLength)
      location = locate(row)
    }
    let old = arena.leaves.entry(location.index, inChunk: arena[location.leaf].payload)
    let new = HeightEntry(height: height, isMeasured: true)
    guard arena[location.leaf].epoch == arena.epoch, !old.isOverflow, !new.isOverflow else {
      if case .measured(let before) = arena.height(at: location), before == height { return }
      learn(height, kind: kind, at: location)
      return store(height, isMeasured: true, row: row, at: location)
    }
    if old.isMeasured {
      guard old != new else { return }
      estimates.learn(change: height - Int(old.low), kind: kind)
      return arena.replace(old, by: new, at: location, row: row, below: root)
    }
    let text = old.kind == nil ? nil : textLength(row..<row + 1)
    learn(height, kind: kind, text: text, at: location)
    var leaf = arena[location.leaf]
    leaf.measuredSum += Int64(height)
    leaf.measuredCount += 1
    if let kind = old.kind {
      let length = ownLength(text, kind: kind, in: leaf)
      leaf.add(rows: -1, length: -length, ofKind: kind)
    } else {
      leaf.staleArea -= Int64(old.low) * Int64(leaf.staleWidth)
    }
    arena.replace(new, at: location, by: leaf, row: row, below: root)
  }

  /// The text that a newly measured row removes from its leaf's total; the last row of a kind
  /// removes all that is left.
  private func ownLength(_ cells: Int?, kind: Int, in leaf: HeightNode) -> Int32 {
    guard let cells, leaf.kinds[kind] > 1 else { return leaf.share(ofKind: kind, rows: 1) }
    // The others keep at least the least text of any run.
    let least = Int(estimates.lowestLength(ofKind: kind)) * (Int(leaf.kinds[kind]) - 1)
    return Int32(
      min(HeightEstimates.units(ofCells: cells), max(0, Int(leaf.lengths[kind]) - least)))
  }

  /// Teaches the estimates the new height of a row.
  private mutating func learn(
    _ height: Int, kind: Int, text: Int? = nil, at location: HeightArena.Location
  ) {
    switch arena.height(at: location) {
    case .measured(let before): estimates.learn(change: height - before, kind: kind)
    case .unmeasured(let kind):
      let leaf = arena[location.leaf]
      let share = Double(leaf.lengths[kind]) / Double(max(1, leaf.kinds[kind]))
      let length = text.map { Double(max(0, $0)) / Double(HeightEstimates.lengthUnit) } ?? share
      estimates.learn(height: height, length: length, kind: kind)
    case .stale(let before, let width):
      estimates.learn(stale: estimate(ofStale: before, width: width), height: height)
      // The row's text is no longer known, so nothing is learned about text.
      estimates.learn(height: height, kind: kind)
    }
  }

  /// Marks a row's content as changed: its measured height becomes stale.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  public mutating func invalidate(row: Int) {
    let location = locate(row)
    guard case .measured(let height) = arena.height(at: location) else { return }
    store(height, isMeasured: false, row: row, at: location)
  }

  /// Writes the height of a row of a packed leaf by rewriting the leaf's content.
  private mutating func store(
    _ height: Int, isMeasured: Bool, row: Int, at location: HeightArena.Location
  ) {
    var content = arena.content(location.leaf)
    var height = height
    if !isMeasured {
      if content.hasStale {
        let scaled = Int(Int64(height) * Int64(width) / Int64(content.staleWidth))
        height = height > 0 ? max(1, scaled) : 0
      } else {
        content.staleWidth = Int32(width)
      }
    }
    content.set(height, isMeasured: isMeasured, at: location.index)
    arena.change(location.leaf, row: row, below: root) {
      $0.setContent(content, of: location.leaf)
    }
  }

  // MARK: Inserting, removing and moving rows

  /// Rows detached from a tree with all their heights, to be attached elsewhere.
  struct DetachedRows {
    fileprivate let root: Int32
    /// The number of rows.
    let count: Int
  }

  /// Inserts `count` unmeasured rows of one kind before `row`. `textLength` is the number of cells
  /// of all their text, or `nil` if unknown.
  /// - Precondition: `row` is in `0...self.count`, `kind` in `0..<16`.
  /// - Complexity: O(log² n), independent of `count`
  public mutating func insert(count: Int, kind: Int = 0, textLength: Int? = nil, at row: Int) {
    precondition(row >= 0 && row <= self.count, "row outside the tree")
    guard count > 0 else { return }
    let length = length(ofCells: textLength, kind: kind, rows: count)
    if self.count > 0, arena.grow(by: count, kind, length, at: row, below: root) { return }
    let (head, tail) = arena.split(root, at: row)
    let gap = arena.makeGap(kind: kind, count: count, length: length)
    root = arena.join(arena.join(head, gap), tail)
  }

  /// Removes rows.
  /// - Precondition: the rows are in `0..<count`.
  /// - Complexity: O(log² n + nodes removed)
  public mutating func remove(_ rows: Range<Int>) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "rows outside the tree")
    guard !rows.isEmpty, !arena.shrink(by: rows, below: root) else { return }
    arena.releaseTree(detach(rows).root)
  }

  /// Detaches rows; if they are not attached again, their nodes leak in the arena.
  /// - Precondition: the rows are in `0..<count`.
  /// - Complexity: O(log² n)
  mutating func detach(_ rows: Range<Int>) -> DetachedRows {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "rows outside the tree")
    guard !rows.isEmpty else { return DetachedRows(root: -1, count: 0) }
    let (head, rest) = arena.split(root, at: rows.lowerBound)
    let (middle, tail) = arena.split(rest, at: rows.count)
    root = arena.join(head, tail)
    return DetachedRows(root: middle, count: rows.count)
  }

  /// Attaches rows that `detach` returned before `row`.
  /// - Precondition: `row` is in `0...count`.
  /// - Complexity: O(log² n)
  mutating func attach(_ rows: DetachedRows, at row: Int) {
    precondition(row >= 0 && row <= count, "row outside the tree")
    let (head, tail) = arena.split(root, at: row)
    root = arena.join(arena.join(head, rows.root), tail)
  }

  /// Moves one row so that it has the index `destination` afterwards.
  /// - Precondition: both are in `0..<count`.
  /// - Complexity: O(log² n)
  public mutating func move(from source: Int, to destination: Int) {
    attach(detach(source..<source + 1), at: destination)
  }
}
