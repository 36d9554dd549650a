/// The ways to divide a cell's samples into two groups for which there are block characters.
///
/// With each group drawn in its mean, a partition reduces the squared error of a single mean for
/// the cell by |s − S·n/N|² · N / (n·(N − n)), where `s` is the sum of the `n` samples of one group
/// and `S` the sum of all `N`. So one sum for each partition is enough to compare them.
struct BlockPartition {
  /// The character, and whether its strokes are the summed group or the rest.
  let scalar: UInt32
  let isGroup: Bool
  /// The number of samples in the group.
  let count: Int
  /// The weight of the square of 64·s − n·S.
  let weight: Double

  private init(_ character: Unicode.Scalar, _ count: Int, isGroup: Bool = true) {
    scalar = character.value
    self.isGroup = isGroup
    self.count = count
    weight = 1 / Double(64 * count * (64 - count))
  }

  /// In the order of ``sums(of:into:)``: quarters and upper rows, then columns, then blocks on the
  /// lower edge of a cell.
  static let all: [BlockPartition] = [
    BlockPartition("▀", 32), BlockPartition("▔", 8),
    BlockPartition("▘", 16), BlockPartition("▝", 16), BlockPartition("▖", 16),
    BlockPartition("▛", 16, isGroup: false), BlockPartition("▚", 32),
    BlockPartition("▏", 8), BlockPartition("▎", 16), BlockPartition("▍", 24),
    BlockPartition("▌", 32), BlockPartition("▋", 40), BlockPartition("▊", 48),
    BlockPartition("▕", 56, isGroup: false),
    BlockPartition("▆", 16, isGroup: false), BlockPartition("▅", 24, isGroup: false),
    BlockPartition("▃", 40, isGroup: false), BlockPartition("▂", 48, isGroup: false),
    BlockPartition("▁", 56, isGroup: false),
  ]

  /// The number of partitions before those on the lower edge.
  static let commonCount = 14

  /// Writes the sums of the groups, in the order of ``all``.
  static func sums(of cell: CellSamples, into sums: UnsafeMutableBufferPointer<UInt64>) {
    sums[0] = cell.rows.3
    sums[1] = cell.rows.0
    sums[2] = cell.upperLeft
    let upperRight = cell.rows.3 &- cell.upperLeft
    sums[3] = upperRight
    sums[4] = cell.lowerLeft
    let lowerRight = cell.all &- cell.rows.3 &- cell.lowerLeft
    sums[5] = lowerRight
    sums[6] = cell.upperLeft &+ lowerRight
    sums[7] = cell.columns.0
    sums[8] = cell.columns.1
    sums[9] = cell.columns.2
    sums[10] = cell.columns.3
    sums[11] = cell.columns.4
    sums[12] = cell.columns.5
    sums[13] = cell.columns.6
    sums[14] = cell.rows.1
    sums[15] = cell.rows.2
    sums[16] = cell.rows.4
    sums[17] = cell.rows.5
    sums[18] = cell.rows.6
  }

  /// The reduction of the squared error by a group with the sum `sum` in a cell with the sum `all`.
  func gain(_ sum: UInt64, all: UInt64) -> Double {
    let red = Int(sum & 0xFFFF) << 6 &- Int(all & 0xFFFF) &* count
    let green = Int(sum >> 32 & 0xFFFF) << 6 &- Int(all >> 32 & 0xFFFF) &* count
    let blue = Int(sum >> 16 & 0xFFFF) << 6 &- Int(all >> 16 & 0xFFFF) &* count
    return Double(red &* red &+ green &* green &+ blue &* blue) * weight
  }
}

/// A block character and the samples that it covers, row by row from the lowest bit. For cells of
/// which only a part is visible.
struct BlockShape {
  let scalar: UInt32
  let samples: UInt64

  private init(_ character: Unicode.Scalar, covers: (_ x: Int, _ y: Int) -> Bool) {
    scalar = character.value
    var samples: UInt64 = 0
    for y in 0..<8 { for x in 0..<8 where covers(x, y) { samples |= 1 << UInt64(y * 8 + x) } }
    self.samples = samples
  }

  private static let common: [BlockShape] =
    " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars.enumerated().map { bits, character in
      BlockShape(character) { x, y in bits >> (y / 4 * 2 + x / 4) & 1 == 1 }
    }
    + zip("▏▎▍▋▊▉".unicodeScalars, [1, 2, 3, 5, 6, 7]).map { character, columns in
      BlockShape(character) { x, _ in x < columns }
    } + [BlockShape("▕") { x, _ in x == 7 }, BlockShape("▔") { _, y in y == 0 }]

  private static let all: [BlockShape] =
    common
    + zip("▁▂▃▅▆▇".unicodeScalars, [1, 2, 3, 5, 6, 7]).map { character, rows in
      BlockShape(character) { _, y in y >= 8 - rows }
    }

  /// The block that covers `samples` best; on a tie the first.
  ///
  /// - Complexity: O(blocks).
  static func nearest(to samples: UInt64, withLower: Bool) -> BlockShape {
    let shapes = withLower ? all : common
    var best = shapes[0]
    var smallest = Int.max
    for shape in shapes {
      let difference = (shape.samples ^ samples).nonzeroBitCount
      if difference < smallest { (best, smallest) = (shape, difference) }
    }
    return best
  }
}
