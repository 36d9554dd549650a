/// Bytes of a source, as they arrive.
struct SourcePiece {
  let bytes: UnsafeRawBufferPointer
  /// Offset of `bytes` in the source.
  let base: Int
  /// Whether the source ends with them.
  let isFinal: Bool

  /// The bytes between two offsets in the source, which must be within the piece.
  func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound - base..<range.upperBound - base])
  }
}

/// Finds the rows of a source, piece by piece, by its structure alone.
protocol SourceScanner: Sendable {
  typealias RowHandler = (RowScanner.Row) -> Void

  /// Scans the complete part of a piece; `body` receives the rows.
  ///
  /// - Returns: the number of bytes that are finished; the others must be passed again, with more.
  /// - Complexity: O(n) in the bytes.
  mutating func scan(_ piece: SourcePiece, _ body: RowHandler) -> Int
  /// Offset of the row that has begun but not ended.
  var openItem: Int? { get }
  /// Whether that row is text, of which a part can be read by itself; false by default.
  var isOpenItemText: Bool { get }
  /// Offset at which scanning can start over; `nil` if that is the end of the finished bytes.
  /// ``openItem`` by default.
  var restart: Int? { get }
  /// Whether the source has ended inside its last row.
  var endsInRow: Bool { get }
  /// The error outside of rows.
  var fault: RowScanner.Fault? { get }
  /// The error in the first row, if its structure shows it.
  var firstRowFault: RowScanner.Fault? { get }
  var documentHead: DocumentHead { get }
}

extension SourceScanner {
  var isOpenItemText: Bool { false }
  var restart: Int? { openItem }
  var firstRowFault: RowScanner.Fault? { nil }
}

extension JSONDocumentScanner: SourceScanner {
  var documentHead: DocumentHead { head }
}

extension XMLRowScanner: SourceScanner {
  var fault: RowScanner.Fault? { XMLContext(head, baseURL: nil).fault }
  var documentHead: DocumentHead { DocumentHead(xml: head) }
}
