extension StyledText {
  /// The approximate size in memory, in bytes, by which collections of texts are bounded.
  ///
  /// - Complexity: O(n) in the paragraphs.
  package var footprint: Int {
    var bytes = links.reduce(0) { $0 + MemoryLayout<String>.stride + $1.utf8.count }
    for paragraph in paragraphs {
      bytes += MemoryLayout<Paragraph>.stride + Self.allocation + paragraph.string.utf8.count
      bytes += paragraph.runs.count * MemoryLayout<Run>.stride
      bytes += (paragraph.style.table?.cells.count ?? 0) * MemoryLayout<Range<Int>>.stride
    }
    return bytes
  }

  /// The overhead of the allocator and the array for each array on the heap.
  private static let allocation = 48
}
