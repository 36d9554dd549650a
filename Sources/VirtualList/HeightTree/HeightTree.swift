/// The heights of all rows of a list: known, remembered or estimated.
///
/// A B+ tree whose nodes are in a `HeightArena`. Its rules:
///
/// 1. A leaf is a **gap**, a run of rows of one kind that nobody has measured, however long, or
///    **packed**, up to 1,024 rows at two bytes each. Ten million untouched rows are one node.
/// 2. A node sums up its rows: their count, the measured heights, the unmeasured rows and their
///    text by kind, and the stale heights as areas (height · width). Heights are *computed* from
///    that and from `estimates`, so a better estimate, or another width, costs nothing.
/// 3. The text of unmeasured rows is known as the total of a run, and any row of the run counts as
///    having its share. A run that is cut asks for the text of its parts where somebody knows it
///    (`setHeight`), else they share it by their rows. A row that is measured is asked for its own
///    text, and takes it out. A row is estimated as a + b · text, which adds up over any rows; what
///    rounding text up to whole lines adds to a row is part of a.
/// 4. A change of width is a new epoch: what was measured is stale from then on. A stale height is
///    never zero unless the row's height was.
/// 5. Structural change is splitting the tree at a row and joining trees, or, where it stays inside
///    a leaf or its parent, done there. Leaves that meet melt where they can: gaps of one kind,
///    packed leaves that fit into one, and a packed leaf with a gap of at most 224 rows, which
///    takes less room packed than as two more nodes. Where the text of a row differs by more than
///    an eighth, gaps longer than that stay apart and a packed leaf grows to half its size only: so
///    the tree knows where in the list rows are long.
/// 6. Inner nodes have 2 to 16 children, at least 8 unless they are the root; all leaves stand at
///    the same depth. An inner node holds running sums of its children, a packed leaf of its
///    blocks: while a subtree is all measured, a seek compares those and visits one node a level.
/// 7. Sums are Int64; estimates and offsets are fixed-point lines (`HeightEstimates.fractionBits`).
///
/// Rows at most `Int32.max`. A tree has one owner, and is lent but never copied.
public struct HeightTree: ~Copyable, Sendable {
  /// Fixed-point lines.
  public typealias FixedLines = Int64

  /// What estimates unmeasured rows; learns from `setHeight`.
  package private(set) var estimates: HeightEstimates
  private var arena: HeightArena
  /// −1 where there are no rows.
  private var root: Int32 = -1

  /// A tree of `count` rows of one kind, none of them measured.
  /// - Complexity: O(1)
  public init(count: Int = 0, kind: Int = 0, width: Int) {
    self.init(runs: [RowRun(kind: kind, count: count)], width: width)
  }

  /// A tree of runs of unmeasured rows, of some of which it is known how much text they have.
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

  /// The text of new rows in length units; of unknown text they have as much as their kind usually
  /// has. All rows together have at most `Int32.max` units.
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

  /// Rows. - Complexity: O(1)
  public var count: Int { root < 0 ? 0 : Int(arena[root].count) }

  /// Rows measured at the present width. - Complexity: O(1)
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

  /// Nodes held, for tests.
  var nodeCount: Int { arena.nodeCount }

  /// The leaves in order, for tests. - Complexity: O(nodes)
  var leaves: [HeightNode] {
    func leaves(_ node: Int32) -> [HeightNode] {
      arena[node].form == .inner ? arena.children(node).flatMap(leaves) : [arena[node]]
    }
    return root < 0 ? [] : leaves(root)
  }

  /// Fixed-point lines rounded to lines.
  public static func lines(_ fixed: FixedLines) -> Int {
    let half: Int64 = 1 << (HeightEstimates.fractionBits - 1)
    return Int((fixed + half) >> HeightEstimates.fractionBits)
  }

  /// Lines as fixed-point lines.
  public static func fixed(_ lines: Int) -> FixedLines {
    Int64(lines) << HeightEstimates.fractionBits
  }

  /// Columns that heights are measured for.
  public var width: Int { arena.width }

  /// Text is now wrapped to `newWidth` columns: every measured height becomes an estimate.
  /// - Complexity: O(1)
  public mutating func setWidth(_ newWidth: Int) {
    let newWidth = max(1, newWidth)
    guard newWidth != width else { return }
    estimates.rescale(to: newWidth)
    arena.setWidth(newWidth)
  }

  /// Lines an unmeasured row is taken for while nothing is known; at least 1.
  mutating func setEstimatedRowHeight(_ height: Int) { estimates.estimatedRowHeight = height }

  /// While frozen, estimates do not change.
  mutating func freezeEstimates(_ isFrozen: Bool) { estimates.isFrozen = isFrozen }

  /// Lets estimates take over part of what was learned.
  /// - Returns: whether any has changed.
  /// - Complexity: O(kinds)
  @discardableResult mutating func commitEstimates() -> Bool { estimates.commit() }

  /// Lets estimates go on where they stopped short of what was learned. - Complexity: O(kinds)
  mutating func refreshEstimates() { estimates.refresh() }

  /// Everything that must hold of the structure at all times, in words; empty when it does. Tests
  /// call it after every change.
  /// - Complexity: O(rows in packed leaves + nodes)
  func brokenInvariants() -> [String] {
    arena.brokenInvariants(below: root, estimates)
  }

  // MARK: Offsets

  /// Fixed-point lines of all rows before `row`.
  /// - Precondition: `row` is in `0...count`.
  /// - Complexity: O(log n)
  public func offset(ofRow row: Int) -> FixedLines {
    precondition(row >= 0 && row <= count, "row outside the tree")
    guard row > 0 else { return 0 }
    guard row < count else { return totalFixed }
    return arena.offset(ofRow: row, below: root, estimates)
  }

  /// The row that covers an offset, and how far into it the offset lies; the last row past the end.
  /// Rows without height cover nothing. Nil where there are no rows.
  /// - Complexity: O(log n)
  public func row(atOffset offset: FixedLines) -> (row: Int, remainder: FixedLines)? {
    root < 0 ? nil : arena.row(atOffset: offset, below: root, estimates)
  }

  // MARK: One row

  private func locate(_ row: Int) -> HeightArena.Location {
    precondition(row >= 0 && row < count, "row outside the tree")
    return arena.locate(row, below: root)
  }

  /// What is known of a row's height.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  func height(ofRow row: Int) -> RowHeight { arena.height(at: locate(row)) }

  /// The measured height of a row at the present width in lines, else nil.
  /// - Complexity: O(log n)
  public func measuredHeight(ofRow row: Int) -> Int? {
    if case .measured(let height) = height(ofRow: row) { return height }
    return nil
  }

  /// The height of a row in lines, estimated where it is not measured; an estimate is at least 1
  /// unless the row was remembered as empty.
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

  /// The text that a row which was measured takes out of its leaf; the last of a kind takes all
  /// that is left.
  private func ownLength(_ cells: Int?, kind: Int, in leaf: HeightNode) -> Int32 {
    guard let cells, leaf.kinds[kind] > 1 else { return leaf.share(ofKind: kind, rows: 1) }
    // What the others keep is never less than any run has.
    let least = Int(estimates.lowestLength(ofKind: kind)) * (Int(leaf.kinds[kind]) - 1)
    return Int32(
      min(HeightEstimates.units(ofCells: cells), max(0, Int(leaf.lengths[kind]) - least)))
  }

  /// The estimates learn from a row that gets another height.
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
      // Its text is not known any more, and so tells nothing about text.
      estimates.learn(height: height, kind: kind)
    }
  }

  /// A row's content has changed: its height is only an estimate from now on.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  public mutating func invalidate(row: Int) {
    let location = locate(row)
    guard case .measured(let height) = arena.height(at: location) else { return }
    store(height, isMeasured: false, row: row, at: location)
  }

  /// Writes a height where the row already has an entry, by way of the leaf's content.
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

  /// Rows taken out of a tree with all that is known of them, to be put into it again elsewhere.
  struct DetachedRows {
    fileprivate let root: Int32
    /// Rows.
    let count: Int
  }

  /// Inserts `count` unmeasured rows of one kind before `row`. `textLength` is the cells that their
  /// text takes, nil where that is not known.
  /// - Precondition: `row` is in `0...self.count`.
  /// - Complexity: O(log n), whatever `count`
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
  /// - Complexity: O(log n + nodes removed)
  public mutating func remove(_ rows: Range<Int>) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "rows outside the tree")
    guard !rows.isEmpty, !arena.shrink(by: rows, below: root) else { return }
    arena.releaseTree(detach(rows).root)
  }

  /// Takes rows out; they must be attached again, or their nodes are never used again.
  /// - Precondition: the rows are in `0..<count`.
  /// - Complexity: O(log n)
  mutating func detach(_ rows: Range<Int>) -> DetachedRows {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "rows outside the tree")
    guard !rows.isEmpty else { return DetachedRows(root: -1, count: 0) }
    let (head, rest) = arena.split(root, at: rows.lowerBound)
    let (middle, tail) = arena.split(rest, at: rows.count)
    root = arena.join(head, tail)
    return DetachedRows(root: middle, count: rows.count)
  }

  /// Puts rows that `detach` gave back in before `row`.
  /// - Precondition: `row` is in `0...count`.
  /// - Complexity: O(log n)
  mutating func attach(_ rows: DetachedRows, at row: Int) {
    precondition(row >= 0 && row <= count, "row outside the tree")
    let (head, tail) = arena.split(root, at: row)
    root = arena.join(arena.join(head, rows.root), tail)
  }

  /// Moves one row so that it has the index `destination` afterwards.
  /// - Precondition: both are in `0..<count`.
  /// - Complexity: O(log n)
  public mutating func move(from source: Int, to destination: Int) {
    attach(detach(source..<source + 1), at: destination)
  }
}
