/// Finds the items of a document in pieces of it, by its structure alone.
protocol DocumentScanner: Sendable {
  /// Reads what is whole in `bytes`, which begin at `base` of the document; `body` gets the items.
  ///
  /// - Returns: how many of the bytes are done with; the others must come again, with more.
  /// - Complexity: O(n) in the bytes.
  mutating func scanRows(
    _ bytes: UnsafeRawBufferPointer, at base: Int, isFinal: Bool,
    _ body: (RowScanner.Row) -> Void
  ) -> Int
  /// Where the item begins that is not whole yet.
  var openItem: Int? { get }
  var rowFault: RowScanner.Fault? { get }
  var documentHead: DocumentHead { get }
}

extension JSONDocumentScanner: DocumentScanner {
  mutating func scanRows(
    _ bytes: UnsafeRawBufferPointer, at base: Int, isFinal: Bool,
    _ body: (RowScanner.Row) -> Void
  ) -> Int {
    scan(bytes.bindMemory(to: UInt8.self), at: base, isFinal: isFinal) { span in
      body(RowScanner.Row(start: span.range.lowerBound, end: span.range.upperBound))
    }
  }

  var rowFault: RowScanner.Fault? {
    fault.map { RowScanner.Fault(place: .byte($0.byte), reason: $0.reason) }
  }
  var documentHead: DocumentHead { head }
}

extension XMLRowScanner: DocumentScanner {
  mutating func scanRows(
    _ bytes: UnsafeRawBufferPointer, at base: Int, isFinal: Bool,
    _ body: (RowScanner.Row) -> Void
  ) -> Int {
    scan(bytes, at: base, isFinal: isFinal, body)
  }

  var rowFault: RowScanner.Fault? {
    XMLContext(head, baseURL: nil).fault.map {
      RowScanner.Fault(place: .line($0.line), reason: $0.message)
    }
  }
  var documentHead: DocumentHead { DocumentHead(xml: head) }
}

/// Rows of a document: its items, as its scanner finds them.
struct ItemRows: Sendable {
  private var scanner: any DocumentScanner
  /// Of the first byte of `pending`.
  private var position: Int
  /// Bytes of what has begun and not ended.
  private var pending: [UInt8] = []

  init(_ scanner: any DocumentScanner, offset: Int) {
    self.scanner = scanner
    position = offset
  }

  var openRow: Int? { scanner.openItem }
  var restart: Int { scanner.openItem ?? position }
  var fault: RowScanner.Fault? { scanner.rowFault }
  var head: DocumentHead { scanner.documentHead }

  mutating func consume(_ bytes: UnsafeRawBufferPointer, _ body: (RowScanner.Row) -> Void) {
    guard pending.isEmpty else {
      pending.append(contentsOf: bytes)
      return scanPending(isFinal: false, body)
    }
    let used = scan(bytes, isFinal: false, body)
    pending = Array(bytes[used...])
    position += used
  }

  mutating func finish(_ body: (RowScanner.Row) -> Void) { scanPending(isFinal: true, body) }

  private mutating func scanPending(isFinal: Bool, _ body: (RowScanner.Row) -> Void) {
    let bytes = pending
    pending = []
    let used = bytes.withUnsafeBytes { scan($0, isFinal: isFinal, body) }
    pending = used == 0 ? bytes : Array(bytes[used...])
    position += used
  }

  private mutating func scan(
    _ bytes: UnsafeRawBufferPointer, isFinal: Bool, _ body: (RowScanner.Row) -> Void
  ) -> Int {
    scanner.scanRows(bytes, at: position, isFinal: isFinal, body)
  }
}
