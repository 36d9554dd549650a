/// How the items of a document ended.
package enum DocumentEnding: Sendable {
  /// All items were found, and the last one is complete.
  case whole
  /// There are more items than the maximum.
  case atLimit
  /// The document ends inside its last item, which may be incomplete; in JSON Lines, the last line
  /// has no line break.
  case insideItem
}

/// Finds all items of a document at once, but reads their posts only on request, so that the first
/// screen need not wait for the rest.
///
/// 1. The document's metadata is known from the beginning, even if it follows the items.
/// 2. The posts do not depend on how many are requested at a time, and their ids are unique, unless
///    ``keepsRepeatedIDs`` is set.
package struct DocumentReader: Sendable {
  private let bytes: [UInt8]
  /// Offset of `bytes` in the source.
  private let offset: Int
  private let rows: [RowScanner.Row]
  package let ending: DocumentEnding
  private let reader: RowReader
  /// The error outside of the items; it is reported by a post of its own after the last one.
  private let fault: RowScanner.Fault?
  /// The error in the first item of JSON.
  private let firstRowFault: RowScanner.Fault?
  /// Whether bytes that are not text were replaced by U+FFFD.
  private let isRepaired: Bool
  /// Number of items that have been read.
  private var position = 0
  private var isFaultPending: Bool
  private var ids = UniqueIDs()
  /// Whether posts keep the id of their source even if another post has it. False by default.
  package var keepsRepeatedIDs = false

  /// Finds the items in bytes without a byte order mark that begin at `offset` of the source.
  ///
  /// - Parameters:
  ///   - known: for an XML document, the encoding to which it was converted.
  ///   - maximum: the maximum number of items; further items are ignored.
  /// - Complexity: O(n) in the bytes.
  init(
    _ bytes: [UInt8], offset: Int = 0, format: FeedFormat,
    within known: DocumentHead = DocumentHead(), isRepaired: Bool = false, baseURL: String?,
    as form: ContentForm, atMost maximum: Int = .max
  ) {
    var scanner = RowScanner(format: format, offset: offset, within: known)
    var rows: [RowScanner.Row] = []
    var isCut = false
    bytes.withUnsafeBytes { bytes in
      scanner.scan(bytes, isFinal: true) { row in
        if rows.count < maximum { rows.append(row) } else { isCut = true }
      }
    }
    ending = isCut ? .atLimit : scanner.endsInRow ? .insideItem : .whole
    reader = RowReader(format: format, head: scanner.head, baseURL: baseURL, as: form)
    if let context = reader.context {
      let isEmpty = rows.isEmpty && !context.hasRoot
      fault =
        context.fault
        ?? (isEmpty ? RowScanner.Fault(place: .line(1), reason: "no element") : nil)
    } else {
      fault = scanner.fault
    }
    firstRowFault = scanner.firstRowFault
    isFaultPending = fault != nil
    self.bytes = bytes
    self.offset = offset
    self.rows = rows
    self.isRepaired = isRepaired
  }

  /// The document's metadata.
  package var info: TimelineInfo { reader.info }

  /// Whether all posts have been read.
  package var isAtEnd: Bool { position == rows.count && !isFaultPending }

  /// The byte count of each post's item; 0 for a post that reports an error outside of items.
  package var lengths: [Int] { rows.map { $0.end - $0.start } + (fault == nil ? [] : [0]) }

  /// Any one of the posts, already read or not. Its id may lack the number that makes it unique.
  ///
  /// - Precondition: `index` is within ``lengths``.
  /// - Complexity: O(n) in the bytes of the post.
  package func post(at index: Int) -> Post {
    var post = index < rows.count ? post(of: rows[index]) : fault?.mark ?? Post(id: "")
    fill(&post)
    return post
  }

  /// The next posts: at most `count`, of items that begin within the next `bytes`. If none of the
  /// document's first posts can be read, further ones are added until one can.
  ///
  /// - Throws: `FeedError` if nothing of the document can be read.
  /// - Complexity: O(n) in the bytes of these posts.
  package mutating func next(
    atMost count: Int, within bytes: Int = .max
  ) throws(FeedError) -> [Post] {
    let isFirst = position == 0
    var left = bytes
    let fitting = rows[position...].prefix(count).prefix { row in
      defer { left -= min(left, row.end - row.start) }
      return left > 0
    }
    var posts = take(fitting.count)
    if isFirst, var failure = failure(ofPosts: posts) {
      while !isAtEnd {
        posts += take(max(1, fitting.count))
        guard let still = self.failure(ofPosts: posts) else { return posts }
        failure = still
      }
      throw failure
    }
    return posts
  }

  private mutating func take(_ count: Int) -> [Post] {
    let end = position + min(count, rows.count - position)
    var posts = rows[position..<end].map(post(of:))
    position = end
    if position == rows.count, isFaultPending {
      isFaultPending = false
      if let fault { posts.append(fault.mark) }
    }
    for index in posts.indices {
      fill(&posts[index])
      if !keepsRepeatedIDs { ids.number(&posts[index]) }
    }
    return posts
  }

  private func post(of row: RowScanner.Row) -> Post {
    bytes.withUnsafeBytes { bytes in
      let own = UnsafeRawBufferPointer(rebasing: bytes[row.start - offset..<row.end - offset])
      return reader.post(ofRow: own, offset: row.start, length: own.count) { row.line }
    }
  }

  /// The error if nothing of the document can be read; `nil` if one of the posts is sound.
  private func failure(ofPosts posts: [Post]) -> FeedError? {
    let context = reader.context
    guard let first = posts.first,
      posts.allSatisfy({ $0.damage != nil && (context == nil ? !$0.isDecoded : $0.isBlank) })
    else { return nil }
    var found = fault ?? firstRowFault
    if let context {
      let ofFirst = rows.first.flatMap { row in
        let own = bytes[row.start - offset..<row.end - offset].prefix(RowReader.rowBytes)
        return context.fault(ofItem: Array(own), line: row.line)
      }
      let damage = RowScanner.Fault(place: .line(1), reason: first.damage ?? "")
      found = ofFirst ?? fault ?? damage
    }
    return found.map { FeedError(.nothingReadable(reason: $0.reason, place: $0.place)) }
  }

  /// Marks a post whose bytes were repaired, and fills in fields that its item omits.
  private func fill(_ post: inout Post) {
    if isRepaired { post.markReplacements() }
    reader.head.fill(&post)
  }
}

extension Post {
  /// Whether the post was decoded from fields; otherwise it holds source text.
  fileprivate var isDecoded: Bool {
    !id.hasPrefix("byte ") && !id.hasPrefix("damage ") && !isBlank
  }
}
