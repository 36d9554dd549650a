/// Where the rows of some blocks of an index begin, the latest ones looked at.
struct BlockCache {
  private var blocks: [(row: Int, offsets: [Int], end: Int)] = []

  static let maximumCount = 32

  /// The rows of the block that begins with `row`, if that many are known.
  func offsets(ofBlockAt row: Int, count: Int) -> (offsets: [Int], end: Int)? {
    guard let block = blocks.last(where: { $0.row == row }), block.offsets.count >= count else {
      return nil
    }
    return (block.offsets, block.end)
  }

  mutating func insert(_ offsets: [Int], end: Int, ofBlockAt row: Int) {
    blocks.removeAll { $0.row == row }
    if blocks.count >= Self.maximumCount { blocks.removeFirst() }
    blocks.append((row, offsets, end))
  }

  /// The last block of the index has changed.
  mutating func removeLast() {
    guard let last = blocks.map(\.row).max() else { return }
    blocks.removeAll { $0.row == last }
  }
}
