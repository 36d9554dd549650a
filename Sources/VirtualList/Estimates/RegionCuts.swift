/// What was measured in a block of rows: how many of each kind, their text, and how high they were.
struct RegionSample: Sendable {
  var counts: SIMD16<Int32> = .zero
  /// In length units.
  var text: SIMD16<Float> = .zero
  /// Lines of all of them.
  var height = 0.0

  mutating func add(_ lines: Int, _ lesson: HeightTree.Lesson) {
    counts[lesson.kind] += 1
    text[lesson.kind] += Float(lesson.length)
    height += Double(lines)
  }

  mutating func add(_ other: RegionSample) {
    counts &+= other.counts
    text += other.text
    height += other.height
  }

  /// What these rows would be guessed together, in lines.
  func expected(_ estimates: HeightEstimates) -> Double {
    var sum = 0.0
    for kind in 0..<HeightEstimates.kindCount where counts[kind] > 0 {
      let (count, text) = (Double(counts[kind]), Double(text[kind]))
      sum += count * estimates.guess(ofKind: kind, length: text / count)
    }
    return sum
  }
}

/// Cuts blocks of rows into regions, inside which heights differ by chance. Its rules:
///
/// 1. Every block with a sample is a region at first. The two neighbours that differ least, by what
///    chance would make of it, become one, again and again, until all neighbours differ by more
///    (Ward 1963, in one dimension). A region's ratio is all its lines by all that was expected, so
///    it is as good as all its samples together, and no region is drawn towards the others.
/// 2. Differences are those of logarithms, since long rows vary by more lines than short ones. Rows
///    that were guessed lower than usual weigh less: of two lines, one more is half.
/// 3. Chance is estimated from neighbouring blocks: the lower three quarters of their squared
///    differences are its work, for regions have few edges. That counts what the rows of one screen
///    have in common too, and rows of two sorts.
struct RegionCuts: Sendable {
  private struct Region {
    var blocks: ClosedRange<Int>
    var weight: Double
    var height: Double
    var expected: Double

    var ratio: Double { height / max(1, expected) }
    var logarithm: Double { Logarithm.of(max(0.02, ratio)) }
  }

  /// What the guesses of every block are multiplied by; 1 where nothing is known.
  private(set) var ratios: [Double]

  /// - Complexity: O(blocks²)
  init(_ samples: [RegionSample], _ estimates: HeightEstimates) {
    ratios = Array(repeating: 1, count: samples.count)
    var regions: [Region] = []
    var rows = 0.0
    for (block, sample) in samples.enumerated() where sample.counts != .zero {
      let count = Double(sample.counts.wrappedSum())
      rows += count
      regions.append(
        Region(
          blocks: block...block, weight: count, height: sample.height,
          expected: max(0, sample.expected(estimates))))
    }
    guard !regions.isEmpty else { return }
    let usual = max(1e-6, regions.reduce(0) { $0 + $1.expected } / rows)
    for index in regions.indices {
      let share = min(1, regions[index].expected / regions[index].weight / usual)
      regions[index].weight *= max(0.01, share * share)
    }
    Self.merge(&regions)
    fill(from: regions)
  }

  private static func merge(_ regions: inout [Region]) {
    guard regions.count > 1 else { return }
    var logarithms = regions.map(\.logarithm)
    func difference(_ index: Int) -> Double {
      let (a, b) = (regions[index], regions[index + 1])
      let distance = logarithms[index] - logarithms[index + 1]
      return distance * distance * a.weight * b.weight / (a.weight + b.weight)
    }
    var differences = regions.indices.dropLast().map { difference($0) }
    // The lower three quarters of squared normal deviates have 0.368 of their mean.
    let usual = differences.sorted().prefix((differences.count * 3 + 3) / 4)
    let chance = max(1e-6, usual.reduce(0, +) / Double(usual.count) / 0.368)
    let bound = chance * (4 + 4 * Logarithm.of(Double(regions.count)))
    while let (index, least) = differences.enumerated().min(by: { $0.element < $1.element }),
      least < bound
    {
      let next = regions.remove(at: index + 1)
      logarithms.remove(at: index + 1)
      differences.remove(at: index)
      let low = regions[index].blocks.lowerBound
      regions[index].blocks = low...next.blocks.upperBound
      regions[index].weight += next.weight
      regions[index].height += next.height
      regions[index].expected += next.expected
      logarithms[index] = regions[index].logarithm
      if index > 0 { differences[index - 1] = difference(index - 1) }
      if index < differences.count { differences[index] = difference(index) }
    }
  }

  private mutating func fill(from regions: [Region]) {
    var next = 0
    var last = regions[0].ratio
    for region in regions {
      let first = region.blocks.lowerBound
      for block in next..<first {
        let way = Double(block - next + 1) / Double(first - next + 1)
        ratios[block] = last + (region.ratio - last) * way
      }
      for block in region.blocks { ratios[block] = region.ratio }
      next = region.blocks.upperBound + 1
      last = region.ratio
    }
    for block in next..<ratios.count { ratios[block] = last }
  }
}

/// The natural logarithm without the C library, which this module does not link.
enum Logarithm {
  /// - Precondition: `value` is positive and finite.
  static func of(_ value: Double) -> Double {
    // m · 2^e with m in 1..<2, and ln m = 2 artanh((m − 1) / (m + 1)).
    let part = (value.significand - 1) / (value.significand + 1)
    let square = part * part
    var (term, sum) = (part, 0.0)
    for odd in 0...12 {
      sum += term / Double(2 * odd + 1)
      term *= square
    }
    return 2 * sum + Double(value.exponent) * 0.693_147_180_559_945_3
  }
}
