extension HeightTree {
  /// Cuts a tree before its row `row`; −1 stands for no rows. - Complexity: O(log n)
  mutating func split(_ node: Int32, at row: Int) -> (Int32, Int32) {
    guard node >= 0, row > 0 else { return (-1, node) }
    guard row < Int(nodes[Int(node)].count) else { return (node, -1) }
    switch nodes[Int(node)].form {
    case .gap:
      let kind = gapKind(node)
      let rest = nodes[Int(node)].count - Int32(row)
      let length = nodes[Int(node)].share(ofKind: kind, rows: rest)
      nodes[Int(node)].count -= rest
      nodes[Int(node)].add(rows: -rest, length: -length, ofKind: kind)
      return (node, makeGap(kind: kind, count: Int(rest), length: length))
    case .packed:
      var head = content(node)
      let tail = head.split(at: row)
      setContent(head, of: node)
      return (node, makePacked(tail))
    case .inner, .free:
      let all = children(node)
      release(node)
      var index = 0
      var rest = row
      while rest >= Int(nodes[Int(all[index])].count) {
        rest -= Int(nodes[Int(all[index])].count)
        index += 1
      }
      guard rest > 0 else { return (group(all[..<index]), group(all[index...])) }
      let (head, tail) = split(all[index], at: rest)
      return (join(group(all[..<index]), head), join(tail, group(all[(index + 1)...])))
    }
  }

  private mutating func group(_ children: ArraySlice<Int32>) -> Int32 {
    guard let first = children.first else { return -1 }
    return children.count == 1 ? first : makeInner(Array(children))
  }

  /// One tree of two. - Complexity: O(difference of their depths)
  mutating func join(_ left: Int32, _ right: Int32) -> Int32 {
    guard left >= 0 else { return right }
    guard right >= 0 else { return left }
    let (a, b) = concatenate(left, right)
    return b < 0 ? a : makeInner([a, b])
  }

  /// One or two nodes of the larger one's level holding the rows of both.
  private mutating func concatenate(_ left: Int32, _ right: Int32) -> (Int32, Int32) {
    let (a, b) = (nodes[Int(left)].level, nodes[Int(right)].level)
    if a == b { return a == 0 ? joinLeaves(left, right) : joinInner(left, right) }
    if a > b {
      var all = children(left)
      let (first, second) = concatenate(all[all.count - 1], right)
      all[all.count - 1] = first
      if second >= 0 { all.append(second) }
      return distribute(all, over: left)
    }
    var all = children(right)
    let (first, second) = concatenate(left, all[0])
    all[0] = first
    if second >= 0 { all.insert(second, at: 1) }
    return distribute(all, over: right)
  }

  /// Two nodes of one level: their edges meet all the way down, where leaves may melt.
  private mutating func joinInner(_ left: Int32, _ right: Int32) -> (Int32, Int32) {
    var all = children(left)
    let others = children(right)
    let (first, second) = concatenate(all[all.count - 1], others[0])
    all[all.count - 1] = first
    if second >= 0 { all.append(second) }
    all += others.dropFirst()
    release(right)
    return distribute(all, over: left)
  }

  /// Puts 1...32 children into `node` and, where they are too many, a second one beside it.
  mutating func distribute(_ all: [Int32], over node: Int32) -> (Int32, Int32) {
    guard all.count > Self.maximumFanout else {
      setChildren(all, of: node)
      return (node, -1)
    }
    let half = all.count / 2
    setChildren(Array(all[..<half]), of: node)
    return (node, makeInner(Array(all[half...])))
  }
}
