import Feeds

/// The rows of a document whose first posts were read. Each row can be read by itself before the
/// rest of the document is.
struct PendingRows: Sendable {
  /// For each row, the number of bytes up to its end.
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

  /// The number of all rows of the document.
  var count: Int { ends.count }

  /// - Complexity: O(n) in the bytes of the row.
  func post(at row: Int) -> Post {
    var post = document.post(at: row)
    completion.complete(&post)
    return post
  }

  /// The size of rows in bytes. - Complexity: O(1)
  func bytes(ofRows rows: Range<Int>) -> Int {
    let before = { (row: Int) in row > 0 ? ends[row - 1] : 0 }
    return before(rows.upperBound) - before(rows.lowerBound)
  }
}
