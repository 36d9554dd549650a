import VirtualList

/// Row heights that can be searched by offset and changed.
protocol Heights: ~Copyable {
  var count: Int { get }
  var total: Int { get }
  var byteCount: Int { get }
  func row(atOffset offset: Int) -> Int
  mutating func set(_ height: Int, at row: Int)
  mutating func insert(_ height: Int, at row: Int)
}

/// The list's own structure.
struct TreeHeights: Heights, ~Copyable {
  private var tree: HeightTree

  init(_ heights: [Int]) {
    tree = HeightTree(count: heights.count, width: 80)
    for (row, height) in heights.enumerated() { tree.setHeight(height, ofRow: row) }
  }

  init(untouched count: Int) { tree = HeightTree(count: count, width: 80) }

  var count: Int { tree.count }
  var total: Int { tree.totalHeight }
  var byteCount: Int { tree.byteCount }

  func row(atOffset offset: Int) -> Int { tree.row(atOffset: HeightTree.fixed(offset))?.row ?? 0 }

  mutating func set(_ height: Int, at row: Int) { tree.setHeight(height, ofRow: row) }

  mutating func insert(_ height: Int, at row: Int) {
    tree.insert(count: 1, at: row)
    tree.setHeight(height, ofRow: row)
  }
}

/// Fenwick (1994), *A new data structure for cumulative frequency tables*: fast, but an insertion
/// rebuilds it, and every row has its height and its node.
struct FenwickHeights: Heights {
  private var heights: [Int]
  private var nodes: [Int] = []

  init(_ heights: [Int]) {
    self.heights = heights
    rebuild()
  }

  private mutating func rebuild() {
    nodes = [0] + heights
    for index in nodes.indices.dropFirst() {
      let parent = index + (index & -index)
      if parent < nodes.count { nodes[parent] += nodes[index] }
    }
  }

  var count: Int { heights.count }
  var total: Int {
    var sum = 0
    var index = heights.count
    while index > 0 {
      sum += nodes[index]
      index &= index - 1
    }
    return sum
  }
  var byteCount: Int { (heights.count + nodes.count) * MemoryLayout<Int>.stride }

  func row(atOffset offset: Int) -> Int {
    var index = 0
    var rest = offset
    var step = 1 << (Int.bitWidth - 1 - heights.count.leadingZeroBitCount)
    while step > 0 {
      if index + step < nodes.count, nodes[index + step] <= rest {
        index += step
        rest -= nodes[index]
      }
      step >>= 1
    }
    return index
  }

  mutating func set(_ height: Int, at row: Int) {
    let change = height - heights[row]
    heights[row] = height
    var index = row + 1
    while index < nodes.count {
      nodes[index] += change
      index += index & -index
    }
  }

  mutating func insert(_ height: Int, at row: Int) {
    heights.insert(height, at: row)
    rebuild()
  }
}

/// The usual array of offsets, searched by halving; every change moves all that follows.
struct PrefixHeights: Heights {
  private var offsets: [Int]

  init(_ heights: [Int]) {
    offsets = [0]
    offsets.reserveCapacity(heights.count + 1)
    var sum = 0
    for height in heights {
      sum += height
      offsets.append(sum)
    }
  }

  var count: Int { offsets.count - 1 }
  var total: Int { offsets[offsets.count - 1] }
  var byteCount: Int { offsets.count * MemoryLayout<Int>.stride }

  func row(atOffset offset: Int) -> Int {
    var (low, high) = (0, offsets.count - 1)
    while low + 1 < high {
      let middle = (low + high) / 2
      if offsets[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  mutating func set(_ height: Int, at row: Int) {
    let change = height - (offsets[row + 1] - offsets[row])
    for index in row + 1..<offsets.count { offsets[index] += change }
  }

  mutating func insert(_ height: Int, at row: Int) {
    offsets.insert(offsets[row], at: row)
    for index in row + 1..<offsets.count { offsets[index] += height }
  }
}
