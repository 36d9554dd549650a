/// The items of a document of RSS or Atom, found and not read yet.
struct XMLItems: DocumentItems {
  private let bytes: [UInt8]
  private let rows: [RowScanner.Row]
  private let context: XMLContext

  /// Finds the items in bytes that are in `encoding`, or say themselves what they are in.
  ///
  /// - Complexity: O(n) in the bytes.
  init(
    _ bytes: [UInt8], encoding: TextEncoding? = nil, baseURL: String?, as form: ContentForm
  ) throws(FeedError) {
    var scanner = XMLRowScanner(offset: 0, encoding: encoding)
    var rows: [RowScanner.Row] = []
    bytes.withUnsafeBytes { buffer in
      _ = scanner.scan(buffer, at: 0, isFinal: true) { rows.append($0) }
    }
    context = XMLContext(scanner.head, baseURL: baseURL, as: form)
    self.bytes = bytes
    self.rows = rows
    guard rows.isEmpty else { return }
    if let fault = context.fault { throw Self.nothingReadable(fault.message, in: fault.line) }
    guard context.hasRoot else { throw Self.nothingReadable("no element", in: 1) }
  }

  private static func nothingReadable(_ reason: String, in line: Int) -> FeedError {
    FeedError(.nothingReadable(reason: reason, place: .line(max(1, line))))
  }

  var head: FeedHead { context.head }
  var count: Int { rows.count }
  var isRepaired: Bool { false }

  func length(at index: Int) -> Int { rows[index].end - rows[index].start }

  func post(at index: Int) -> Post {
    let row = rows[index]
    let length = row.end - row.start
    return context.post(
      Array(bytes[row.start..<row.start + min(length, RowReader.rowBytes)]), offset: row.start,
      length: length, line: { row.line })
  }

  var mark: Post? {
    context.fault.map { fault in
      var mark = Post(id: "damage in line \(fault.line)")
      mark.damage = XMLFeedReader.reason(fault)
      return mark
    }
  }

  func failure(ofPosts posts: [Post]) -> FeedError? {
    guard let first = posts.first, posts.allSatisfy({ $0.damage != nil && $0.isBlank }) else {
      return nil
    }
    let fault = context.firstFault(ofItem: bytes, rows.first) ?? context.fault
    return Self.nothingReadable(fault?.message ?? first.damage ?? "", in: fault?.line ?? 1)
  }
}
