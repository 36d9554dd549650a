/// Where things stand in a JSON document that is there whole: the members of its head, and its items.
struct JSONDocumentMap {
  /// Members of the head but for the items.
  private(set) var head: [String: Range<Int>] = [:]
  private(set) var items: [JSONScanner.Span] = []
  let isRSS: Bool
  let hasItems: Bool
  /// What is wrong outside any item.
  let fault: JSONScanner.Fault?

  /// - Complexity: O(n) in the bytes.
  init(_ bytes: UnsafeBufferPointer<UInt8>, format: FeedFormat) {
    var scanner = JSONDocumentScanner(format: format)
    var (head, items) = ([String: Range<Int>](), [JSONScanner.Span]())
    _ = scanner.scan(bytes, at: 0, isFinal: true) { event in
      switch event {
      case .item(let span): items.append(span)
      case .member(let name, let range): head[name] = range
      }
    }
    (self.head, self.items) = (head, items)
    (isRSS, hasItems, fault) = (scanner.isRSS, scanner.hasItems, scanner.fault)
  }
}
