/// The nodes of a height tree by index: a flat arena without reference counting.
///
/// 1. The index −1 stands for no node. A node is in use from its allocation until `release`; a free
///    node holds the index of the next free one.
/// 2. A change of width starts a new epoch. A node of an earlier epoch is read as if all its
///    measured heights were stale (`summary`). A write to a leaf converts all nodes above it to the
///    present epoch.
/// 3. An inner node has 8 to 16 children, a root 2 to 16, all of one level, and their running sums
///    (``Fanout``).
/// 4. A leaf changes in place by `change` or `replace`, which propagate the difference up to the
///    root. Splitting and joining rebuild the sums of the nodes that they touch.
struct HeightArena: Sendable {
  static let maximumFanout = Fanout.capacity
  static let minimumFanout = 8
  /// Gaps of at most this many rows merge into a neighbouring packed leaf.
  static let smallGap = 224

  /// The width, in columns, that heights are measured for.
  private(set) var width: Int
  /// The number of width changes so far.
  private(set) var epoch: Int32 = 0
  private(set) var leaves = PackedLeaves()
  private var nodes: [HeightNode] = []
  private var fanouts: [Fanout] = []
  private var freeNode: Int32 = -1
  private var freeFanouts: [Int32] = []

  init(width: Int) { self.width = width }

  /// Bytes held, without spare capacity of arrays.
  var byteCount: Int {
    nodes.count * MemoryLayout<HeightNode>.stride + fanouts.count * MemoryLayout<Fanout>.stride
      + leaves.byteCount
  }

  /// The number of nodes, in use or free.
  var nodeCount: Int { nodes.count }

  /// The number of free nodes. - Complexity: O(free nodes)
  var freeCount: Int {
    var (count, next) = (0, freeNode)
    while next >= 0, count <= nodes.count {
      count += 1
      next = nodes[Int(next)].payload
    }
    return count
  }

  /// Sets the width and starts a new epoch. - Complexity: O(1)
  mutating func setWidth(_ newWidth: Int) {
    width = newWidth
    epoch += 1
  }

  // MARK: Reading

  /// A node as stored.
  @inline(__always)
  subscript(node: Int32) -> HeightNode {
    _read { yield nodes[Int(node)] }
  }

  /// The running sums of an inner node.
  @inline(__always)
  subscript(fanoutOf node: Int32) -> Fanout {
    _read { yield fanouts[Int(nodes[Int(node)].payload)] }
  }

  /// A node's summary in the present epoch. - Complexity: O(1)
  func summary(_ node: Int32) -> HeightNode {
    var copy = nodes[Int(node)]
    copy.age(to: epoch, width: Int32(width))
    return copy
  }

  func children(_ node: Int32) -> [Int32] {
    let fanout = fanouts[Int(nodes[Int(node)].payload)]
    return (0..<Int(nodes[Int(node)].used)).map { fanout.children[$0] }
  }

  /// The position of a row: its leaf, and its index in the leaf.
  struct Location {
    var leaf: Int32
    var index: Int
  }

  /// - Complexity: O(log n)
  func locate(_ row: Int, below root: Int32) -> Location {
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

  /// The stored height of a row.
  func height(at location: Location) -> RowHeight {
    let leaf = Int(location.leaf)
    guard nodes[leaf].form == .packed else { return .unmeasured(kind: nodes[leaf].gapKind) }
    let entry = leaves.entry(location.index, inChunk: nodes[leaf].payload)
    if let kind = entry.kind { return .unmeasured(kind: kind) }
    let height =
      entry.isOverflow
      ? leaves.overflowingHeight(location.index, of: location.leaf, nodes[leaf]) : Int(entry.low)
    guard entry.isMeasured else {
      return .stale(height: height, width: Int(nodes[leaf].staleWidth))
    }
    let isCurrent = nodes[leaf].epoch == epoch
    return isCurrent ? .measured(height) : .stale(height: height, width: Int(nodes[leaf].width))
  }

  // MARK: Making and releasing nodes

  private mutating func allocate(_ node: HeightNode) -> Int32 {
    guard freeNode >= 0 else {
      nodes.append(node)
      return Int32(nodes.count - 1)
    }
    let index = freeNode
    freeNode = nodes[Int(index)].payload
    nodes[Int(index)] = node
    return index
  }

  /// Frees a node and its storage, but not its children.
  mutating func release(_ index: Int32) {
    let node = nodes[Int(index)]
    switch node.form {
    case .inner: freeFanouts.append(node.payload)
    case .packed: leaves.release(index, node)
    case .gap, .free: break
    }
    nodes[Int(index)] = HeightNode()
    nodes[Int(index)].payload = freeNode
    freeNode = index
  }

  /// Frees a whole subtree. - Complexity: O(nodes in it)
  mutating func releaseTree(_ index: Int32) {
    guard index >= 0 else { return }
    if nodes[Int(index)].form == .inner {
      for child in children(index) { releaseTree(child) }
    }
    release(index)
  }

  /// Creates a gap of `count` rows with `length` units of text.
  mutating func makeGap(kind: Int, count: Int, length: Int32) -> Int32 {
    var node = HeightNode(gapOf: Int32(count), kind: kind, length: length)
    node.epoch = epoch
    node.width = Int32(width)
    return allocate(node)
  }

  /// Creates a packed leaf of 1...1,024 rows.
  mutating func makePacked(_ content: LeafContent) -> Int32 {
    var node = HeightNode()
    node.form = .packed
    let leaf = allocate(node)
    setContent(content, of: leaf)
    return leaf
  }

  /// Creates an inner node over 2...16 children of one level.
  mutating func makeInner(_ children: [Int32]) -> Int32 {
    var node = HeightNode()
    node.form = .inner
    node.level = nodes[Int(children[0])].level + 1
    node.payload = freeFanouts.popLast() ?? Int32(fanouts.count)
    if Int(node.payload) == fanouts.count { fanouts.append(Fanout()) }
    let index = allocate(node)
    setChildren(children, of: index)
    return index
  }

  /// Replaces the children of an inner node and its sums. - Complexity: O(children)
  mutating func setChildren(_ children: [Int32], of node: Int32) {
    var sum = nodes[Int(node)]
    sum.used = UInt8(children.count)
    sum.clearSummary()
    sum.epoch = epoch
    sum.width = Int32(width)
    var fanout = Fanout()
    for lane in 0..<Fanout.capacity {
      if lane < children.count {
        fanout.children[lane] = children[lane]
        sum.add(summary(children[lane]))
      }
      fanout.rows[lane] = sum.count
      fanout.lines[lane] = Int32(truncatingIfNeeded: sum.measuredSum)
    }
    fanouts[Int(sum.payload)] = fanout
    nodes[Int(node)] = sum
  }

  // MARK: Leaves

  /// The rows of a packed leaf as of the present epoch; does not change the leaf.
  func content(_ leaf: Int32) -> LeafContent {
    let node = nodes[Int(leaf)]
    var content = leaves.content(of: leaf, node)
    if node.epoch != epoch { content.age(measuredWidth: node.width) }
    return content
  }

  /// Replaces the rows of a packed leaf; the caller updates the sums above it.
  mutating func setContent(_ content: LeafContent, of leaf: Int32) {
    leaves.write(content, to: leaf, &nodes[Int(leaf)])
    nodes[Int(leaf)].epoch = epoch
    nodes[Int(leaf)].width = Int32(width)
  }

  /// Adds `rows` to a gap and `length` to their text, both possibly negative; the caller updates
  /// the sums above it.
  mutating func resizeGap(_ gap: Int32, by rows: Int32, length: Int32) {
    let kind = nodes[Int(gap)].gapKind
    nodes[Int(gap)].count += rows
    nodes[Int(gap)].add(rows: rows, length: length, ofKind: kind)
  }

  /// Inserts unmeasured rows into a packed leaf; the caller updates the sums above it.
  mutating func insert(kind: Int, count: Int, length: Int32, at index: Int, of leaf: Int32) {
    let node = nodes[Int(leaf)]
    if node.epoch == epoch, EntrySlabs.units(Int(node.count) + count) == Int(node.used) {
      leaves.insert(kind: kind, count: count, at: index, of: node)
      nodes[Int(leaf)].count += Int32(count)
      nodes[Int(leaf)].add(rows: Int32(count), length: length, ofKind: kind)
    } else {
      var content = content(leaf)
      content.insert(kind: kind, count: count, length: length, at: index)
      setContent(content, of: leaf)
    }
  }

  // MARK: Sums above leaves

  /// Changes the leaf of `row`, then the sums above it. - Complexity: O(log n) besides `body`
  mutating func change(
    _ leaf: Int32, row: Int, below root: Int32, _ body: (inout HeightArena) -> Void
  ) {
    let before = summary(leaf)
    body(&self)
    propagate(before, nodes[Int(leaf)], row: row, below: root)
  }

  /// Writes the height of a row that was not measured before into a packed leaf of the present
  /// epoch, whose node becomes `after`, and updates the sums above it. - Complexity: O(log n)
  mutating func replace(
    _ entry: HeightEntry, at location: Location, by after: HeightNode, row: Int, below root: Int32
  ) {
    let before = nodes[Int(location.leaf)]
    leaves.setEntry(entry, location.index, inChunk: before.payload)
    leaves.add(lines: Int32(entry.low), at: location.index, toBlocks: before.blocks)
    nodes[Int(location.leaf)] = after
    propagate(before, after, row: row, below: root)
  }

  /// Updates the nodes above the leaf of `row`, which has changed from `before`, in the present
  /// epoch, to `after`.
  private mutating func propagate(
    _ before: HeightNode, _ after: HeightNode, row: Int, below root: Int32
  ) {
    var node = root
    var rest = Int32(row)
    let rows = after.count - before.count
    let lines = Int32(truncatingIfNeeded: after.measuredSum - before.measuredSum)
    while nodes[Int(node)].form == .inner {
      let payload = Int(nodes[Int(node)].payload)
      if nodes[Int(node)].epoch != epoch {
        // In the present epoch, nothing below it has been measured yet.
        nodes[Int(node)].age(to: epoch, width: Int32(width))
        fanouts[payload].lines = .zero
      }
      nodes[Int(node)].replace(before, by: after)
      let slot = fanouts[payload].slot(ofRow: rest)
      node = fanouts[payload].children[slot]
      if slot > 0 { rest -= fanouts[payload].rows[slot - 1] }
      fanouts[payload].add(rows: rows, lines: lines, to: slot)
    }
  }

  /// Changes the height of a row measured in the present epoch. - Complexity: O(log n)
  mutating func replace(
    _ old: HeightEntry, by new: HeightEntry, at location: Location, row: Int, below root: Int32
  ) {
    leaves.setEntry(new, location.index, inChunk: nodes[Int(location.leaf)].payload)
    let lines = Int32(new.low) - Int32(old.low)
    var node = Int(root)
    var rest = Int32(row)
    // Each array is checked for uniqueness once, and not at every level.
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
    leaves.add(lines: lines, at: location.index, toBlocks: nodes[node].blocks)
  }
}
