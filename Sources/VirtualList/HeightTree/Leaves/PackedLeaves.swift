/// The rows of a height tree's packed leaves, two bytes each.
///
/// 1. A leaf's node locates its rows: `payload` is their chunk of `used` units, `blocks` the index
///    of their block sums. Heights too large for two bytes are in a dictionary by the leaf's index.
/// 2. Block sums cover the measured heights, whether or not the leaf is of the present epoch.
/// 3. Nothing here changes a sum above the leaf; ``HeightArena`` does.
struct PackedLeaves: Sendable {
  /// The maximum number of rows of a leaf.
  static let capacity = Fanout.capacity << BlockSums.blockBits

  private var slabs = EntrySlabs()
  private var blockSums: [BlockSums] = []
  private var freeBlocks: [Int32] = []
  /// Heights too large for an entry, in the order of their entries, by leaf.
  private var overflow: [Int32: [Int32]] = [:]

  /// Approximate bytes held, including unused entries of the slabs.
  var byteCount: Int {
    blockSums.count * MemoryLayout<BlockSums>.stride + slabs.byteCount + overflow.count * 64
  }

  /// Whether any leaf has a height too large for an entry.
  var hasOverflow: Bool { !overflow.isEmpty }

  /// The leaves that have heights too large for an entry.
  var overflowing: some Collection<Int32> { overflow.keys }

  // MARK: Whole leaves

  /// The content of a leaf as stored. - Complexity: O(rows)
  func content(of leaf: Int32, _ node: HeightNode) -> LeafContent {
    var content = LeafContent(staleWidth: node.staleWidth)
    content.entries = withEntries(of: node, count: Int(node.count)) { Array($0) }
    content.lengths = node.lengths
    if !overflow.isEmpty, let heights = overflow[leaf] { content.overflow = heights }
    return content
  }

  /// Writes 1...1,024 rows and their summary into the leaf's node, moving to another chunk if the
  /// number of units changes. - Complexity: O(rows)
  mutating func write(_ content: LeafContent, to leaf: Int32, _ node: inout HeightNode) {
    let units = EntrySlabs.units(content.entries.count)
    if units != Int(node.used) {
      if node.used > 0 { slabs.release(node.payload, units: Int(node.used)) }
      node.payload = slabs.allocate(units: units)
      node.used = UInt8(units)
    }
    if node.blocks < 0 {
      node.blocks = freeBlocks.popLast() ?? Int32(blockSums.count)
      if Int(node.blocks) == blockSums.count { blockSums.append(BlockSums()) }
    }
    slabs.store(content.entries, in: node.payload)
    blockSums[Int(node.blocks)] = BlockSums(content.entries)
    if !content.overflow.isEmpty {
      overflow[leaf] = content.overflow
    } else if !overflow.isEmpty {
      overflow[leaf] = nil
    }
    content.summarize(into: &node)
  }

  mutating func release(_ leaf: Int32, _ node: HeightNode) {
    slabs.release(node.payload, units: Int(node.used))
    freeBlocks.append(node.blocks)
    if !overflow.isEmpty { overflow[leaf] = nil }
  }

  // MARK: Rows

  @inline(__always)
  func entry(_ index: Int, inChunk chunk: Int32) -> HeightEntry {
    HeightEntry(bits: slabs[chunk, index])
  }

  @inline(__always)
  mutating func setEntry(_ entry: HeightEntry, _ index: Int, inChunk chunk: Int32) {
    slabs[chunk, index] = entry.bits
  }

  /// The first `count` entries of a leaf.
  @inline(__always)
  func withEntries<T>(
    of node: HeightNode, count: Int, _ body: (UnsafeBufferPointer<UInt16>) -> T
  ) -> T {
    slabs.withEntries(node.payload, count: count, body)
  }

  /// Heights too large for an entry, in the order of their entries; `nil` if the leaf has none.
  func overflow(of leaf: Int32) -> [Int32]? { overflow.isEmpty ? nil : overflow[leaf] }

  /// A height too large for an entry. - Complexity: O(rows of the leaf)
  func overflowingHeight(_ index: Int, of leaf: Int32, _ node: HeightNode) -> Int {
    let before = withEntries(of: node, count: index) {
      $0.reduce(0) { $0 + (HeightEntry(bits: $1).isOverflow ? 1 : 0) }
    }
    return Int(overflow[leaf]?[before] ?? 0)
  }

  /// Inserts unmeasured rows, for which the leaf's chunk must have room; the caller updates the
  /// node. - Complexity: O(rows of the leaf)
  mutating func insert(kind: Int, count: Int, at index: Int, of node: HeightNode) {
    slabs.insert(
      HeightEntry(kind: kind).bits, count: count, at: index, of: Int(node.count), in: node.payload)
    blockSums[Int(node.blocks)] = slabs.withEntries(
      node.payload, count: Int(node.count) + count
    ) { BlockSums($0) }
  }

  // MARK: Block sums

  @inline(__always)
  func lines(ofBlocks blocks: Int32) -> SIMD16<Int32> { blockSums[Int(blocks)].lines }

  /// Adds lines to the running sums from the block of the row at `index` on.
  @inline(__always)
  mutating func add(lines: Int32, at index: Int, toBlocks blocks: Int32) {
    blockSums[Int(blocks)].lines = Fanout.adding(
      lines, from: index >> BlockSums.blockBits, to: blockSums[Int(blocks)].lines)
  }
}
