/// Where in the list rows are higher or lower than their kinds' means: without it a list whose rows
/// are short at first and long later has its thumb a third of the track off. Its rules:
///
/// 1. The rows are cut into at most `limit` blocks of equal size, a power of two; a list that grows
///    melts them in pairs.
/// 2. A block remembers how many rows of each kind were measured in it and how high they were. Its
///    ratio is that height by what the means say, drawn towards the ratio of all blocks as far as
///    chance explains the difference (James and Stein 1961): rows that only alternate leave it
///    there. A block without a sample stands between its neighbours.
/// 3. Only guesses are multiplied; what was measured, and heights remembered from another width,
///    are known.
/// 4. The blocks' heights are computed anew when there are an eighth more measurements than last
///    time, so that they cost little and stand still mostly. Inside a block, positions go as in
///    the tree, so the way from rows to positions is monotone.
struct HeightRegions: Sendable {
  private static let limit = 64
  /// Rows below which a list has no regions.
  private static let fewRows = 1024
  private(set) var blockSize = 0
  private var rowCount = 0
  private var counts: [SIMD16<Int32>] = []
  private var sums: [Double] = []
  /// Sums of squared heights.
  private var squares: [Double] = []
  private var learned = 0
  private var shifted = 0
  /// The blocks' starts in fixed-point lines, one more than blocks; empty where there are none.
  private(set) var starts: [Double] = []
  private var learnedThen = 0
  private var isOld = false
  var isFrozen = false

  /// The list has `count` rows, nothing of them known.
  mutating func reset(count: Int) {
    let wasFrozen = isFrozen
    self = HeightRegions()
    isFrozen = wasFrozen
    rowCount = count
    guard count >= Self.fewRows else { return }
    blockSize = 16
    while blockSize * Self.limit < count { blockSize *= 2 }
    let blocks = (count + blockSize - 1) / blockSize
    counts = Array(repeating: .zero, count: blocks)
    sums = Array(repeating: 0, count: blocks)
    squares = sums
  }

  /// Rows came or went: at the end, or `shift` of them elsewhere. Too many of those, and what was
  /// learned stands at the wrong rows.
  mutating func resize(to count: Int, shift: Int) {
    shifted += shift
    starts = []
    guard blockSize > 0, shifted * 2 < blockSize, count >= rowCount - shift else {
      reset(count: count)
      return
    }
    rowCount = count
    while blockSize * Self.limit < count {
      blockSize *= 2
      let pairs = stride(from: 0, to: counts.count, by: 2)
      sums = pairs.map { sums[$0] + ($0 + 1 < sums.count ? sums[$0 + 1] : 0) }
      squares = pairs.map { squares[$0] + ($0 + 1 < squares.count ? squares[$0 + 1] : 0) }
      counts = pairs.map { $0 + 1 < counts.count ? counts[$0] &+ counts[$0 + 1] : counts[$0] }
    }
    let added = (count + blockSize - 1) / blockSize - counts.count
    guard added > 0 else { return }
    counts += Array(repeating: .zero, count: added)
    sums += Array(repeating: 0, count: added)
    squares += Array(repeating: 0, count: added)
  }

  mutating func rescale(from oldWidth: Int, to newWidth: Int) {
    let scale = Double(oldWidth) / Double(max(1, newWidth))
    for block in sums.indices {
      sums[block] *= scale
      squares[block] *= scale * scale
    }
    isOld = true
  }

  /// A row was measured for the first time.
  mutating func learn(height: Int, kind: Int, row: Int) {
    guard blockSize > 0, row / blockSize < counts.count else { return }
    counts[row / blockSize][kind] += 1
    sums[row / blockSize] += Double(height)
    squares[row / blockSize] += Double(height) * Double(height)
    learned += 1
  }

  /// Computes the blocks' heights where it is time to. - Complexity: O(blocks · log n)
  mutating func update(from tree: HeightTree) {
    // Frozen, they are only put up again where rows came or went.
    guard blockSize > 0, !isFrozen || starts.isEmpty, learned >= 32, rowCount == tree.count
    else { return }
    guard isOld || starts.isEmpty || learned > learnedThen + learnedThen / 8 else { return }
    learnedThen = learned
    isOld = false
    let ratios = ratios(tree.estimates)
    starts = [0]
    var before = tree.parts(before: 0)
    for block in counts.indices {
      let after = tree.parts(before: min(rowCount, (block + 1) * blockSize))
      let known = Double(max(0, after.known - before.known))
      let guessed = Double(max(0, after.guessed - before.guessed))
      starts.append(starts[block] + known + guessed * ratios[block])
      before = after
    }
  }

  private func ratios(_ estimates: HeightEstimates) -> [Double] {
    var sampled: [(block: Int, count: Double, ratio: Double)] = []
    var (scatter, degrees) = (0.0, 0.0)
    for block in counts.indices {
      let count = Double(counts[block].wrappedSum())
      guard count > 0, sums[block] > 0 else { continue }
      var expected = 0.0
      for kind in 0..<HeightEstimates.kindCount where counts[block][kind] > 0 {
        expected += Double(counts[block][kind]) * estimates.mean(ofKind: kind)
      }
      sampled.append((block, count, sums[block] / max(1, expected)))
      scatter += squares[block] * count * count / (sums[block] * sums[block]) - count
      degrees += count - 1
    }
    guard !sampled.isEmpty else { return Array(repeating: 1, count: counts.count) }
    let number = Double(sampled.count)
    let center = sampled.reduce(0) { $0 + $1.ratio } / number
    // Variance of a row's height, in parts of the mean; of a block's mean by chance; of the blocks.
    let variance = degrees > 0 ? max(0, scatter / degrees) : 1
    func chance(_ count: Double, _ ratio: Double) -> Double {
      let part = ratio / center
      return part * part * variance / count
    }
    var between = 0.0
    for (_, count, ratio) in sampled {
      let part = ratio / center - 1
      between += part * part - chance(count, ratio)
    }
    between = max(0, between / number)
    var result = Array(repeating: 0.0, count: counts.count)
    var next = 0
    for (block, count, ratio) in sampled {
      let weight = between / max(1e-9, between + chance(count, ratio))
      let value = center * (1 + weight * (ratio / center - 1))
      // Blocks without a sample are between their neighbours.
      let last = next > 0 ? result[next - 1] : value
      for gap in next..<block {
        result[gap] = last + (value - last) * Double(gap - next + 1) / Double(block - next + 1)
      }
      result[block] = value
      next = block + 1
    }
    for gap in next..<counts.count { result[gap] = result[next - 1] }
    return result
  }

  /// The height of all rows in fixed-point lines; nil where the tree's own counts.
  var total: Int64? { starts.last.map { Int64($0) } }

  /// A block's rows, and its share of the list.
  private func rows(_ block: Int) -> Range<Int> {
    block * blockSize..<min(rowCount, (block + 1) * blockSize)
  }

  /// Where an offset of the tree, in `row`, stands by regions. - Complexity: O(log n)
  func offset(of offset: Int64, row: Int, in tree: HeightTree) -> Int64? {
    guard !starts.isEmpty, row < rowCount else { return nil }
    let block = row / blockSize
    let rows = rows(block)
    let (low, high) = (tree.offset(ofRow: rows.lowerBound), tree.offset(ofRow: rows.upperBound))
    let share = min(1, max(0, Double(offset - low) / Double(max(1, high - low))))
    return Int64(starts[block] + (starts[block + 1] - starts[block]) * share)
  }

  /// The tree's offset for one by regions. - Complexity: O(blocks + log n)
  func treeOffset(of offset: Int64, in tree: HeightTree) -> Int64? {
    guard !starts.isEmpty, rowCount == tree.count else { return nil }
    let next = starts.firstIndex { $0 > Double(offset) } ?? starts.count - 1
    let block = max(0, next - 1)
    let rows = rows(min(block, counts.count - 1))
    let (low, high) = (tree.offset(ofRow: rows.lowerBound), tree.offset(ofRow: rows.upperBound))
    let height = max(1, starts[min(block + 1, starts.count - 1)] - starts[block])
    let share = min(1, max(0, (Double(offset) - starts[block]) / height))
    return low + Int64(Double(high - low) * share)
  }
}

extension HeightTree {
  /// The fixed-point lines of all rows before `row`: measured or remembered, and guessed by kind.
  /// Inside a packed leaf the guesses count as evenly spread.
  /// - Complexity: O(log n)
  func parts(before row: Int) -> (known: FixedLines, guessed: FixedLines) {
    guard row > 0 else { return (0, 0) }
    var guessed: FixedLines = 0
    func guesses(_ node: HeightNode) -> FixedLines {
      linearHeight(node) - node.measuredSum << HeightEstimates.fractionBits
    }
    if row >= count {
      guessed = root < 0 ? 0 : guesses(summary(root))
      return (totalFixed - guessed, guessed)
    }
    var (node, rest) = (root, row)
    while nodes[Int(node)].form == .inner {
      let fanout = fanouts[Int(nodes[Int(node)].payload)]
      var child = 0
      while rest >= Int(nodes[Int(fanout[child])].count) {
        guessed += guesses(summary(fanout[child]))
        rest -= Int(nodes[Int(fanout[child])].count)
        child += 1
      }
      node = fanout[child]
    }
    let leaf = summary(node)
    // In 128 bits: the lines of ten million rows by their number leave 64 behind.
    guessed += Int64(Int128(guesses(leaf)) * Int128(rest) / Int128(max(1, leaf.count)))
    return (offset(ofRow: row) - guessed, guessed)
  }
}
