extension Array {
  /// How many elements at the beginning belong before a place; no other ones do.
  ///
  /// - Complexity: O(log n)
  @inlinable package func countBefore(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension BidirectionalCollection {
  /// Without such elements at its beginning and its end.
  @inlinable package func trimmed(where isLeftOut: (Element) -> Bool) -> SubSequence {
    guard let first = firstIndex(where: { !isLeftOut($0) }),
      let last = lastIndex(where: { !isLeftOut($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
