/// The heights of all rows of a list: known, remembered or guessed.
///
/// A B+ tree in a flat arena (nodes by Int32 index, no reference counting). Its rules:
///
/// 1. A leaf is a **gap**, a run of rows of one kind that nobody has measured, however long, or
///    **packed**, up to 1,024 rows at two bytes each. Ten million untouched rows are one node.
/// 2. A node sums up its rows: their count, the measured heights, the unmeasured rows and their
///    text by kind, and the stale heights as areas (height · width). Heights are *computed* from
///    that and from `estimates`, so a better estimate, or another width, costs nothing.
/// 3. The text of unmeasured rows is known as the total of a run, and any row of the run counts as
///    having its share. A run that is cut asks for the text of its parts where somebody knows it
///    (`setHeight`), else they share it by their rows; a row that is measured takes its own text
///    out, which it is asked for too, since that teaches more than a share would. A row is guessed as a + b · text, which adds
///    up over any rows; what rounding text up to whole lines adds to a row is part of a.
/// 4. A change of width is a new epoch. Summaries of an earlier epoch are read as if all they
///    measured were stale; a node is converted when something is written below it, and then all
///    nodes above it are. A stale height is never zero unless the row's height was.
/// 5. Structural change is splitting the tree at a row and joining trees, or, where it stays inside
///    a leaf or its parent, done there. Leaves that meet melt where they can: gaps of one kind,
///    packed leaves that fit into one, and a packed leaf with a gap of at most 224 rows, which
///    takes less room packed than as two more nodes. Where the text of a row differs by more than an
///    eighth, gaps longer than that stay apart and a packed leaf grows to half its size only: so the
///    tree knows where in the list rows are long.
/// 6. Inner nodes have 2 to 16 children, at least 8 unless they are the root; all leaves stand at
///    the same depth. An inner node holds running sums of its children, a packed leaf of its
///    blocks: while a subtree is all measured, a seek compares those and visits one node a level.
/// 7. Sums are Int64; estimates and offsets are fixed-point lines (`HeightEstimates.fractionBits`).
///
/// Splitting and joining: Blelloch, Ferizovic and Sun, *Just Join for Parallel Ordered Sets*
/// (2016), here by position in B+ trees. Rows at most `Int32.max`.
public struct HeightTree: Sendable {
  /// Fixed-point lines.
  public typealias FixedLines = Int64

  /// Rows of a packed leaf at most.
  static let leafCapacity = Fanout.capacity << BlockSums.blockBits
  /// Gaps of at most so many rows melt into a packed leaf beside them.
  static let smallGap = 224
  static let maximumFanout = Fanout.capacity
  static let minimumFanout = 8

  /// What guesses unmeasured rows; learns from `setHeight`.
  public var estimates: HeightEstimates
  /// Columns that heights are measured for.
  public internal(set) var width: Int

  var nodes: [HeightNode] = []
  var fanouts: [Fanout] = []
  var blockSums: [BlockSums] = []
  var freeNode: Int32 = -1
  var freeFanouts: [Int32] = []
  var freeBlocks: [Int32] = []
  var slabs = EntrySlabs()
  /// Heights too large for an entry, in the order of their entries, by leaf.
  var overflow: [Int32: [Int32]] = [:]
  var root: Int32 = -1
  var epoch: Int32 = 0

  /// A tree of `count` rows of one kind, none of them measured.
  /// - Complexity: O(1)
  public init(count: Int = 0, kind: Int = 0, width: Int, estimates: HeightEstimates = .init()) {
    self.init(runs: [(kind: kind, count: count)], width: width, estimates: estimates)
  }

  /// A tree of runs of unmeasured rows.
  /// - Complexity: O(runs · log runs)
  public init(
    runs: [(kind: Int, count: Int)], width: Int, estimates: HeightEstimates = .init()
  ) {
    self.init(
      runs: runs.map { RowRun(kind: $0.kind, count: $0.count) }, width: width,
      estimates: estimates)
  }

  /// A tree of runs of unmeasured rows, of some of which it is known how much text they have.
  /// - Complexity: O(runs · log runs)
  public init(runs: [RowRun], width: Int, estimates: HeightEstimates = .init()) {
    self.width = max(1, width)
    self.estimates = estimates
    self.estimates.rescale(to: self.width)
    self.estimates.forgetRuns()
    for run in runs where run.count > 0 {
      let length = length(ofCells: run.textLength, kind: run.kind, rows: run.count)
      root = join(root, makeGap(kind: run.kind, count: run.count, length: length))
    }
  }

  /// The text of new rows in length units; of unknown text they have as much as their kind usually
  /// has. All rows together have at most `Int32.max` units.
  mutating func length(ofCells cells: Int?, kind: Int, rows: Int) -> Int32 {
    let units =
      cells.map { HeightEstimates.units(ofCells: $0) }
      ?? Int(estimates.typicalLength(ofKind: kind) * Double(rows))
    var room = Int(Int32.max)
    if root >= 0 { room -= Int(nodes[Int(root)].lengths.wrappedSum()) }
    let length = Int32(min(max(0, units), max(0, room)))
    estimates.admit(length: length, rows: rows, kind: kind)
    return length
  }

  /// Rows. - Complexity: O(1)
  public var count: Int { root < 0 ? 0 : Int(nodes[Int(root)].count) }

  /// Rows measured at the present width. - Complexity: O(1)
  public var measuredCount: Int { root < 0 ? 0 : Int(summary(root).measuredCount) }

  /// The height of all rows, measured and guessed, in fixed-point lines. - Complexity: O(kinds)
  public var totalFixed: FixedLines { root < 0 ? 0 : fixedHeight(summary(root)) }

  /// The height of all rows, measured and guessed, in lines. - Complexity: O(kinds)
  public var totalHeight: Int { Self.lines(totalFixed) }

  /// Bytes of the nodes and entries held, without spare capacity of arrays.
  public var byteCount: Int {
    nodes.count * MemoryLayout<HeightNode>.stride
      + fanouts.count * MemoryLayout<Fanout>.stride
      + blockSums.count * MemoryLayout<BlockSums>.stride
      + slabs.byteCount + overflow.count * 64
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

  /// Text is now wrapped to `newWidth` columns: every measured height becomes an estimate.
  /// - Complexity: O(1)
  public mutating func setWidth(_ newWidth: Int) {
    let newWidth = max(1, newWidth)
    guard newWidth != width else { return }
    estimates.rescale(to: newWidth)
    width = newWidth
    epoch += 1
  }
}
