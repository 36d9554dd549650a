import TestSupport
import Testing

@testable import Library

@Suite struct ItemRangesTests {
  @Test(arguments: Rounds.seeds(20))
  func rangesAreASet(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let keys = Set(
      (0..<Int.random(in: 0...200, using: &random)).map { _ in
        Int64.random(in: 1...300, using: &random)
      })
    let ranges = ItemRanges(keys.map { ItemID($0) })
    #expect(ranges.count == keys.count, "seed \(seed)")
    #expect(ranges.items.map(\.rawValue) == keys.sorted(), "seed \(seed)")
    for key in Int64(0)...301 {
      #expect(ranges.contains(ItemID(key)) == keys.contains(key), "seed \(seed), \(key)")
    }
    for (range, next) in zip(ranges.ranges, ranges.ranges.dropFirst()) {
      #expect(range.upperBound + 1 < next.lowerBound, "seed \(seed)")
    }
    #expect(ItemRanges(bytes: ranges.bytes) == ranges, "seed \(seed)")
  }

  @Test func aMillionItemsInARowTakeFewBytes() {
    var ranges = ItemRanges()
    ranges.append(1...1_000_000)
    #expect(ranges.bytes.count < 8)
    ranges.append(Int64.max - 10...Int64.max - 2)
    #expect(ItemRanges(bytes: ranges.bytes) == ranges)
  }

  @Test(arguments: Rounds.seeds(200))
  func damagedBytesMakeValidRanges(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random) | (Bool.random(using: &random) ? 0x80 : 0)
    }
    let ranges = ItemRanges(bytes: bytes)
    #expect(ranges.count >= 0, "seed \(seed)")
    #expect(ranges.ranges.allSatisfy { $0.lowerBound >= 0 }, "seed \(seed)")
    for (range, next) in zip(ranges.ranges, ranges.ranges.dropFirst()) {
      #expect(range.upperBound < next.lowerBound, "seed \(seed)")
    }
  }
}
