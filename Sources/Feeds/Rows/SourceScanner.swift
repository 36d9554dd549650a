/// Finds the rows of a source in pieces of it, by its structure alone.
protocol SourceScanner: Sendable {
  /// Reads what is whole in `bytes`, which begin at `base` of the source; `body` gets the rows.
  ///
  /// - Returns: how many of the bytes are done with; the others must come again, with more.
  /// - Complexity: O(n) in the bytes.
  mutating func scan(
    _ bytes: UnsafeRawBufferPointer, at base: Int, isFinal: Bool,
    _ body: (RowScanner.Row) -> Void
  ) -> Int
  /// Where the row begins that has begun and not ended.
  var openItem: Int? { get }
  /// Whether that row is text, of which a part can be read as it is; false by default.
  var openItemIsText: Bool { get }
  /// Where scanning can start over; nil, the default of no open row, behind what is done with.
  var restart: Int? { get }
  /// What is wrong outside of rows.
  var fault: RowScanner.Fault? { get }
  /// What is wrong with the first row, where that shows by its structure.
  var firstRowFault: RowScanner.Fault? { get }
  var documentHead: DocumentHead { get }
}

extension SourceScanner {
  var openItemIsText: Bool { false }
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
