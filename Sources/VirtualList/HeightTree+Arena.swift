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
      let children = fanouts[Int(node.payload)]
      for child in 0..<Int(node.used) { releaseTree(children[child]) }
    }
    release(index)
  }

  mutating func makeGap(kind: Int, count: Int) -> Int32 {
    var node = HeightNode()
    node.form = .gap
    node.count = Int32(count)
    node.add(rows: Int32(count), ofKind: kind)
    node.epoch = epoch
    node.width = Int32(width)
    return allocate(node)
  }

  /// An inner node over 2...16 children of one level.
  mutating func makeInner(_ children: [Int32]) -> Int32 {
    var node = HeightNode()
    node.form = .inner
    node.level = nodes[Int(children[0])].level + 1
    node.used = UInt8(children.count)
    var fanout = SIMD16<Int32>(repeating: -1)
    for (index, child) in children.enumerated() { fanout[index] = child }
    if let free = freeFanouts.popLast() {
      node.payload = free
      fanouts[Int(free)] = fanout
    } else {
      node.payload = Int32(fanouts.count)
      fanouts.append(fanout)
    }
    let index = allocate(node)
    recompute(index)
    return index
  }

  func children(_ node: Int32) -> [Int32] {
    let fanout = fanouts[Int(nodes[Int(node)].payload)]
    return (0..<Int(nodes[Int(node)].used)).map { fanout[$0] }
  }

  mutating func setChildren(_ children: [Int32], of node: Int32) {
    let payload = Int(nodes[Int(node)].payload)
    for (index, child) in children.enumerated() { fanouts[payload][index] = child }
    nodes[Int(node)].used = UInt8(children.count)
    recompute(node)
  }
}
