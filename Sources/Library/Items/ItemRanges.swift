import System

/// A set of items as ranges of their keys, ascending and with gaps between them.
package struct ItemRanges: Hashable, Sendable {
  package private(set) var ranges: [ClosedRange<Int64>] = []

  package init() {}

  /// - Complexity: O(n log n); O(n) if they are ascending.
  package init(_ items: some Sequence<ItemID>) {
    var keys = items.map(\.rawValue)
    let isAscending = zip(keys, keys.dropFirst()).allSatisfy { $0 <= $1 }
    if !isAscending { keys.sort() }
    for key in keys { append(key...key) }
  }

  package var isEmpty: Bool { ranges.isEmpty }

  /// The number of items.
  ///
  /// - Complexity: O(n) in the ranges.
  package var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Adds a range that does not begin before the last one.
  package mutating func append(_ range: ClosedRange<Int64>) {
    guard let last = ranges.last, range.lowerBound <= last.upperBound &+ 1 else {
      ranges.append(range)
      return
    }
    ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
  }

  /// - Complexity: O(log n) in the ranges.
  package func contains(_ item: ItemID) -> Bool {
    let index = ranges.partitionPoint { $0.upperBound < item.rawValue }
    return index < ranges.count && ranges[index].contains(item.rawValue)
  }

  // MARK: As bytes

  /// For each range two varints: the count of keys between the previous range and this one (before
  /// the first range, from 0), and its own count less one.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var next: Int64 = 0
    for range in ranges {
      bytes.append(varint: UInt64(bitPattern: range.lowerBound &- next))
      bytes.append(varint: UInt64(bitPattern: range.upperBound &- range.lowerBound))
      next = range.upperBound &+ 1
    }
    return bytes
  }

  /// Decodes ``bytes`` up to the first invalid range.
  init(bytes: [UInt8]) {
    var rest = bytes[...]
    var next: Int64 = 0
    while let gap = rest.popVarint(), let length = rest.popVarint() {
      let (low, isTooHigh) = next.addingReportingOverflow(Int64(bitPattern: gap))
      let (high, isTooLong) = low.addingReportingOverflow(Int64(bitPattern: length))
      guard !isTooHigh, !isTooLong, high >= low, high < .max, low >= next else {
        return
      }
      append(low...high)
      next = high + 1
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(varint number: UInt64) {
    var number = number
    while number >= 0x80 {
      append(UInt8(truncatingIfNeeded: number) | 0x80)
      number >>= 7
    }
    append(UInt8(truncatingIfNeeded: number))
  }
}

extension ArraySlice<UInt8> {
  /// `nil` at the end and if the number does not end within 64 bits.
  fileprivate mutating func popVarint() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = popFirst() else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }
}
