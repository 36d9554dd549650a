/// A node of the height tree, with the summary of all rows below it. 192 bytes.
struct HeightNode: Sendable {
  enum Form: UInt8, Sendable { case gap, packed, inner, free }

  /// Unmeasured rows by kind.
  var kinds: SIMD16<Int32> = .zero
  /// The text of those rows by kind, in units of `HeightEstimates.lengthUnit` cells.
  var lengths: SIMD16<Int32> = .zero
  /// Σ height of the rows measured in `epoch`.
  var measuredSum: Int64 = 0
  /// Σ height · width of the rows whose height is of another width or content. An area, so that a
  /// change of width visits no nodes: dividing by the present width scales all of them.
  var staleArea: Int64 = 0
  var count: Int32 = 0
  var measuredCount: Int32 = 0
  /// The width epoch of `measuredSum`, and its width.
  var epoch: Int32 = 0
  var width: Int32 = 1
  /// Packed leaves: the width of the stale entries.
  var staleWidth: Int32 = 1
  /// Inner nodes: the index of their fanout. Packed leaves: their chunk. Free nodes: the next one.
  var payload: Int32 = -1
  /// Packed leaves: the index of their block sums.
  var blocks: Int32 = -1
  /// 0 for leaves.
  var level: UInt8 = 0
  var form: Form = .free
  /// A bit for each kind that may have unmeasured rows here; sums skip the other kinds.
  var kindMask: UInt16 = 0
  /// The number of children of an inner node, or of units in a packed leaf's chunk.
  var used: UInt8 = 0

  init() {}

  /// Creates a gap that belongs to no epoch yet.
  init(gapOf count: Int32, kind: Int, length: Int32) {
    form = .gap
    self.count = count
    add(rows: count, length: length, ofKind: kind)
  }

  /// The kind of a gap's rows.
  var gapKind: Int { kindMask.trailingZeroBitCount }

  /// Converts the summary to a later epoch: measured heights become stale.
  /// - Complexity: O(1)
  mutating func age(to newEpoch: Int32, width newWidth: Int32) {
    guard epoch != newEpoch else { return }
    staleArea += measuredSum * Int64(width)
    measuredSum = 0
    measuredCount = 0
    epoch = newEpoch
    width = newWidth
  }

  /// Adds the summary of `other`, which is of the same epoch.
  mutating func add(_ other: HeightNode) {
    Self.forEachKind(in: other.kindMask) {
      kinds[$0] += other.kinds[$0]
      lengths[$0] += other.lengths[$0]
    }
    kindMask |= other.kindMask
    measuredSum += other.measuredSum
    staleArea += other.staleArea
    count += other.count
    measuredCount += other.measuredCount
  }

  mutating func clearSummary() {
    kinds = .zero
    lengths = .zero
    kindMask = 0
    measuredSum = 0
    staleArea = 0
    count = 0
    measuredCount = 0
  }

  /// Replaces a part of the summary: `old` has become `new`; both are of this node's epoch.
  mutating func replace(_ old: HeightNode, by new: HeightNode) {
    kindMask |= new.kindMask
    Self.forEachKind(in: old.kindMask | new.kindMask) {
      kinds[$0] += new.kinds[$0] - old.kinds[$0]
      lengths[$0] += new.lengths[$0] - old.lengths[$0]
    }
    measuredSum += new.measuredSum - old.measuredSum
    staleArea += new.staleArea - old.staleArea
    count += new.count - old.count
    measuredCount += new.measuredCount - old.measuredCount
  }

  /// Adds unmeasured rows of one kind and their text; negative numbers remove.
  mutating func add(rows: Int32, length: Int32 = 0, ofKind kind: Int) {
    kinds[kind] += rows
    lengths[kind] += length
    kindMask |= 1 << UInt16(kind)
  }

  /// The share that `rows` of a kind's unmeasured rows have in its text; all of the text for all
  /// rows.
  func share(ofKind kind: Int, rows: Int32) -> Int32 {
    kinds[kind] > 0 ? Int32(Int64(lengths[kind]) * Int64(rows) / Int64(kinds[kind])) : 0
  }

  /// Whether the text per unmeasured row of two nodes differs by an eighth at most.
  func hasTextLike(_ other: HeightNode) -> Bool {
    let (rows, others) = (Int64(kinds.wrappedSum()), Int64(other.kinds.wrappedSum()))
    guard rows > 0, others > 0 else { return true }
    let text = Int64(lengths.wrappedSum()) * others
    let otherText = Int64(other.lengths.wrappedSum()) * rows
    return abs(text - otherText) * 8 <= max(text, otherText)
  }

  @inline(__always)
  static func forEachKind(in mask: UInt16, _ body: (Int) -> Void) {
    var mask = mask
    while mask != 0 {
      body(mask.trailingZeroBitCount)
      mask &= mask - 1
    }
  }
}
