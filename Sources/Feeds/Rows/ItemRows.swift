/// Rows of a JSON document: the elements of its list of items, each found by its structure alone.
struct ItemRows: Sendable {
  private var scanner: JSONDocumentScanner
  /// Of the first byte of `pending`.
  private var position: Int
  /// Bytes of what has begun and not ended.
  private var pending: [UInt8] = []

  init(format: FeedFormat, offset: Int, startsAtItem: Bool) {
    scanner = JSONDocumentScanner(format: format, startsAtItem: startsAtItem)
    position = offset
  }

  var openRow: Int? { scanner.openItem }
  var restart: Int { scanner.openItem ?? position }
  var fault: JSONScanner.Fault? { scanner.fault }
  var head: DocumentHead { scanner.head }

  mutating func consume(_ bytes: UnsafeRawBufferPointer, _ body: (RowScanner.Row) -> Void) {
    guard pending.isEmpty else {
      pending.append(contentsOf: bytes)
      return scanPending(isFinal: false, body)
    }
    let bytes = bytes.bindMemory(to: UInt8.self)
    let used = scan(bytes, isFinal: false, body)
    pending = Array(bytes[used...])
    position += used
  }

  mutating func finish(_ body: (RowScanner.Row) -> Void) { scanPending(isFinal: true, body) }

  private mutating func scanPending(isFinal: Bool, _ body: (RowScanner.Row) -> Void) {
    let bytes = pending
    pending = []
    let used = bytes.withUnsafeBufferPointer { scan($0, isFinal: isFinal, body) }
    pending = used == 0 ? bytes : Array(bytes[used...])
    position += used
  }

  private mutating func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool, _ body: (RowScanner.Row) -> Void
  ) -> Int {
    scanner.scan(bytes, at: position, isFinal: isFinal) { span in
      body(RowScanner.Row(start: span.range.lowerBound, end: span.range.upperBound))
    }
  }
}
