extension Array {
  /// The number of elements at the beginning that satisfy `isBefore`; no other elements may.
  ///
  /// - Complexity: O(log n)
  @inlinable package func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension BidirectionalCollection {
  /// The collection without the elements at its beginning and its end that satisfy `isLeftOut`.
  @inlinable package func trimmed(where isLeftOut: (Element) -> Bool) -> SubSequence {
    guard let first = firstIndex(where: { !isLeftOut($0) }),
      let last = lastIndex(where: { !isLeftOut($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
