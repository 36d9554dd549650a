extension Array {
  /// How many elements at the beginning belong before a place; no other ones do.
  /// - Complexity: O(log n)
  func countBefore(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
