extension StyledText {
  /// Bytes of memory that it takes, about: what a collection of texts is bounded by.
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

  /// What the system and the array add to each array on the heap.
  private static let allocation = 48
}
