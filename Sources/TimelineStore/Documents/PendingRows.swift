import Feeds

/// The rows of a document whose first posts were read: all are known, and each can be read by
/// itself until all have been.
struct PendingRows: Sendable {
  /// Bytes of all rows up to and with each.
  private let ends: [Int]
  private let document: DocumentReader
  private let completion: any RowCompletion

  init(of document: DocumentReader, completion: any RowCompletion) {
    self.document = document
    self.completion = completion
    var sum = 0
    ends = document.lengths.map { length in
      sum += length
      return sum
    }
  }

  /// All rows of the document.
  var count: Int { ends.count }

  /// - Complexity: O(n) in the bytes of the row.
  func post(at row: Int) -> Post {
    var post = document.post(at: row)
    completion.complete(&post)
    return post
  }

  /// Bytes of some rows. - Complexity: O(1)
  func bytes(ofRows rows: Range<Int>) -> Int {
    let before = { (row: Int) in row > 0 ? ends[row - 1] : 0 }
    return before(rows.upperBound) - before(rows.lowerBound)
  }
}
