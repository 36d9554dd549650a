/// Where in the list rows are higher or lower than guessed: without it a list whose rows are short
/// at first and long later has its thumb a third of the track off. Its rules:
///
/// 1. The rows are cut into at most `limit` blocks of equal size, a power of two; a list that grows
///    melts them in pairs.
/// 2. A block remembers the rows that were measured in it. Its ratio is what they were high by what
///    they had been guessed; blocks that chance can tell apart no better than neighbours share one
///    (`RegionCuts`). Blocks between two regions, without a sample, go from one to the other.
/// 3. A block's guesses are for the text it really has, where that is known, and not for its share
///    of a longer run's.
/// 4. Only guesses are multiplied; what was measured, and heights remembered from another width,
///    are known.
/// 5. What the blocks' heights should be is computed anew when there are an eighth more measurements
///    than last time, or guesses have moved by a 64th; those in use go a quarter of the way with each
///    news, and stand still without. Inside a block, positions go as in the tree, so the way from
///    rows to positions is monotone.
struct HeightRegions: Sendable {
  private static let limit = 256
  /// Rows below which a list has no regions.
  private static let fewRows = 1024
  /// Measurements below which there are no regions, unless the text of rows is known.
  private static let fewSamples = 32
  private(set) var blockSize = 0
  private var rowCount = 0
  private var samples: [RegionSample] = []
  /// The text of each block in length units, where it is known.
  private var texts: [Int?] = []
  private var learned = 0
  private var shifted = 0
  /// The blocks' starts in fixed-point lines, one more than blocks; empty where there are none.
  private(set) var starts: [Double] = []
  /// Where they are going to.
  private var targets: [Double] = []
  private var learnedThen = 0
  /// What rows without and with the usual text were guessed then, by kind.
  private var guessesThen: [Double] = []
  private var isOld = false
  /// True where an update would change something.
  private(set) var hasNews = false
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
    samples = Array(repeating: RegionSample(), count: blocks)
    texts = Array(repeating: nil, count: blocks)
    hasNews = true
  }

  /// Rows came or went: at the end, or `shift` of them elsewhere. Too many of those, and what was
  /// learned stands at the wrong rows.
  mutating func resize(to count: Int, shift: Int) {
    shifted += shift
    starts = []
    targets = []
    hasNews = true
    guard blockSize > 0, shifted * 2 < blockSize, count >= rowCount - shift else {
      reset(count: count)
      return
    }
    // The last block was not full; where rows were shifted, all have others now.
    if shift > 0 {
      for block in texts.indices { texts[block] = nil }
    } else if !texts.isEmpty {
      texts[texts.count - 1] = nil
    }
    rowCount = count
    while blockSize * Self.limit < count {
      blockSize *= 2
      let pairs = stride(from: 0, to: samples.count, by: 2)
      texts = pairs.map { pair in
        guard pair + 1 < texts.count, let first = texts[pair] else { return nil }
        return texts[pair + 1].map { $0 + first }
      }
      samples = pairs.map { pair in
        var sample = samples[pair]
        if pair + 1 < samples.count { sample.add(samples[pair + 1]) }
        return sample
      }
    }
    let blocks = (count + blockSize - 1) / blockSize
    let added = blocks - samples.count
    if added > 0 {
      samples += Array(repeating: RegionSample(), count: added)
      texts += Array(repeating: nil, count: added)
    } else {
      samples.removeLast(-added)
      texts.removeLast(-added)
    }
  }

  /// Asks for the text of the blocks that have not said it. Where the first does not know, nobody is
  /// asked further.
  /// - Complexity: O(blocks)
  mutating func ask(_ textLength: (Range<Int>) -> Int?) {
    for block in texts.indices where texts[block] == nil {
      guard let cells = textLength(rows(block)) else { return }
      texts[block] = HeightEstimates.units(ofCells: cells)
      isOld = true
    }
  }

  mutating func rescale(from oldWidth: Int, to newWidth: Int) {
    for block in samples.indices {
      samples[block].height *= Double(oldWidth) / Double(max(1, newWidth))
    }
    isOld = true
    hasNews = true
  }

  /// A row was measured for the first time.
  mutating func learn(height: Int, _ lesson: HeightTree.Lesson, row: Int) {
    guard blockSize > 0, row / blockSize < samples.count else { return }
    samples[row / blockSize].add(height, lesson)
    learned += 1
    hasNews = true
  }

  /// Lets updates go on where the last one stopped short.
  mutating func renew() { if starts != targets { hasNews = true } }

  /// Computes where the blocks' heights go if it is time to, and moves them on.
  /// - Complexity: O(blocks); now and then O(blocks · (blocks + log n))
  mutating func update(from tree: HeightTree) {
    // Frozen, they are only put up again where rows came or went.
    guard hasNews, !isFrozen || starts.isEmpty else { return }
    hasNews = false
    guard blockSize > 0, rowCount == tree.count,
      learned >= Self.fewSamples || texts.first != .some(nil)
    else { return }
    let guesses = tree.estimates.usualGuesses
    let haveMoved = zip(guesses, guessesThen).contains { abs($0 - $1) > $1 / 64 }
    if isOld || targets.isEmpty || haveMoved || learned > learnedThen + learnedThen / 8 {
      learnedThen = learned
      guessesThen = guesses
      targets = computedStarts(tree)
      if isOld || starts.isEmpty { starts = targets }
      isOld = false
    }
    guard starts != targets else { return }
    let isNear = zip(starts, targets).allSatisfy { abs($0 - $1) < Double(blockSize) * 64 }
    for block in starts.indices {
      starts[block] = isNear ? targets[block] : starts[block] + (targets[block] - starts[block]) / 4
    }
  }

  private func computedStarts(_ tree: HeightTree) -> [Double] {
    let ratios = RegionCuts(samples, tree.estimates).ratios
    var starts = [0.0]
    var before = tree.parts(before: 0)
    for block in samples.indices {
      let after = tree.parts(before: rows(block).upperBound)
      var guessed = max(0, after.guessed - before.guessed)
      if let text = texts[block] {
        let unmeasured = after.rows - before.rows
        let share = Double(text) * unmeasured / Double(max(1, rows(block).count))
        let more = (share - (after.text - before.text)) * tree.meanSlope
        guessed = max(guessed / 64, guessed + more)
      }
      let known = max(0, after.known - before.known)
      starts.append(starts[block] + known + guessed * ratios[block])
      before = after
    }
    return starts
  }

  /// The height of all rows in fixed-point lines; nil where the tree's own counts.
  var total: Int64? { starts.last.map { Int64($0) } }

  /// A block's rows.
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
    let rows = rows(min(block, samples.count - 1))
    let (low, high) = (tree.offset(ofRow: rows.lowerBound), tree.offset(ofRow: rows.upperBound))
    let height = max(1, starts[min(block + 1, starts.count - 1)] - starts[block])
    let share = min(1, max(0, (Double(offset) - starts[block]) / height))
    return low + Int64(Double(high - low) * share)
  }
}
