extension HeightTree {
  mutating func allocate(_ node: HeightNode) -> Int32 {
    guard freeNode >= 0 else {
      nodes.append(node)
      return Int32(nodes.count - 1)
    }
    let index = freeNode
    freeNode = nodes[Int(index)].payload
    nodes[Int(index)] = node
    return index
  }

  /// Gives back one node and what it owns besides its children.
  mutating func release(_ index: Int32) {
    let node = nodes[Int(index)]
    switch node.form {
    case .inner: freeFanouts.append(node.payload)
    case .packed:
      slabs.release(node.payload, units: Int(node.used))
      freeBlocks.append(node.blocks)
      if !overflow.isEmpty { overflow[index] = nil }
    case .gap, .free: break
    }
    nodes[Int(index)] = HeightNode()
    nodes[Int(index)].payload = freeNode
    freeNode = index
  }

  /// Gives back a whole subtree. - Complexity: O(nodes in it)
  mutating func releaseTree(_ index: Int32) {
    guard index >= 0 else { return }
    let node = nodes[Int(index)]
    if node.form == .inner {
      let children = fanouts[Int(node.payload)].children
      for child in 0..<Int(node.used) { releaseTree(children[child]) }
    }
    release(index)
  }

  /// A gap of `count` rows with so much text, in length units.
  mutating func makeGap(kind: Int, count: Int, length: Int32) -> Int32 {
    var node = HeightNode()
    node.form = .gap
    node.count = Int32(count)
    node.add(rows: Int32(count), length: length, ofKind: kind)
    node.epoch = epoch
    node.width = Int32(width)
    return allocate(node)
  }

  /// An inner node over 2...16 children of one level.
  mutating func makeInner(_ children: [Int32]) -> Int32 {
    var node = HeightNode()
    node.form = .inner
    node.level = nodes[Int(children[0])].level + 1
    if let free = freeFanouts.popLast() {
      node.payload = free
    } else {
      node.payload = Int32(fanouts.count)
      fanouts.append(Fanout())
    }
    let index = allocate(node)
    setChildren(children, of: index)
    return index
  }

  func children(_ node: Int32) -> [Int32] {
    let fanout = fanouts[Int(nodes[Int(node)].payload)]
    return (0..<Int(nodes[Int(node)].used)).map { fanout.children[$0] }
  }

  /// Gives an inner node other children and sums them up. - Complexity: O(children)
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

  /// Brings an inner node into the present epoch, in which nothing below it is measured yet.
  @inline(__always)
  mutating func ageInner(_ node: Int32) {
    guard nodes[Int(node)].epoch != epoch else { return }
    nodes[Int(node)].age(to: epoch, width: Int32(width))
    fanouts[Int(nodes[Int(node)].payload)].lines = .zero
  }

  /// The leaf of `row` was `before`, in the present epoch, and is `after`: makes it known to the
  /// nodes above it. - Complexity: O(log n)
  mutating func propagate(_ before: HeightNode, _ after: HeightNode, row: Int) {
    var node = root
    var rest = Int32(row)
    let rows = after.count - before.count
    let lines = Int32(truncatingIfNeeded: after.measuredSum - before.measuredSum)
    while nodes[Int(node)].form == .inner {
      ageInner(node)
      nodes[Int(node)].replace(before, by: after)
      let payload = Int(nodes[Int(node)].payload)
      let slot = fanouts[payload].slot(ofRow: rest)
      node = fanouts[payload].children[slot]
      if slot > 0 { rest -= fanouts[payload].rows[slot - 1] }
      fanouts[payload].add(rows: rows, lines: lines, to: slot)
    }
  }
}
