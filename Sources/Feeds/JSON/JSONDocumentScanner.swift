/// Scans the structure of a JSON document in pieces: the members of its head, and its items.
///
/// 1. The format names the lists that hold items (``JSONFormat/Items``). The list of RSS in JSON,
///    which counts as JSON Feed, is `{"rss": {"channel": {"item": […]}}}`. A bare array is a list
///    of items in every format. An object without any list is itself one item, except in JSON Feed
///    or if it is a collection.
/// 2. The next piece must begin with the value that is incomplete in this one, unless this is the
///    final piece. A value that grows past ``FeedLimits/itemBytes`` is skipped as it arrives,
///    so that memory is bounded.
/// 3. The items of a thread are the posts nested in it (``JSONFormat/Thread``).
/// 4. ``JSONScanner`` determines the structure, with its rules for damaged input.
struct JSONDocumentScanner: Sendable {
  private enum State: Sendable {
    case start
    /// In an object: depth 0 is the document, the others are ``JSONFormat/path``.
    case members(depth: Int)
    /// In the list of items of the object at that depth; −1 for a bare array.
    case items(depth: Int)
    case end
    /// Nothing more is read. The document may have ended inside its last item.
    case done(insideItem: Bool)
  }

  private let format: JSONFormat
  private var state = State.start
  /// The offset of the document's object.
  private var objectStart = 0
  /// Whether the document's `type` is a collection.
  private var isCollection = false
  private var skipped: (start: Int, isItem: Bool, rest: JSONSkipper)?
  private var isLastItemTruncated = false
  private var hasFoundItem = false
  /// The head, as far as it has been scanned.
  private(set) var head: DocumentHead
  /// The first fault outside of any item.
  private(set) var fault: RowScanner.Fault?
  private(set) var firstRowFault: RowScanner.Fault?
  /// The offset of the item that is still incomplete.
  private(set) var openItem: Int?

  var endsInRow: Bool {
    if case .done(insideItem: true) = state { true } else { false }
  }

  init(format: FeedFormat, startsAtItem: Bool = false) {
    self.format = format.json
    head = DocumentHead(format: format)
    if startsAtItem { state = .items(depth: -1) }
  }

  /// Scans the complete values in a piece, and passes the items to `body`.
  ///
  /// - Returns: the number of bytes consumed; the others must come again, followed by more.
  /// - Complexity: O(n) in the bytes.
  mutating func scan(_ piece: SourcePiece, _ body: RowHandler) -> Int {
    let base = piece.base
    var scanner = JSONScanner(piece.bytes.bindMemory(to: UInt8.self))
    guard let end = skip(scanner.bytes, at: base, body) else { return piece.bytes.count }
    scanner.position = end
    openItem = nil
    while true {
      let used: Int?
      switch state {
      case .start: used = start(&scanner, piece)
      case .members(let depth): used = member(&scanner, piece, depth, body)
      case .items(let depth): used = item(&scanner, piece, depth, body)
      case .end:
        used = scanner.peek() == nil ? scanner.position : nil
        if used == nil {
          note(base + scanner.position, "more behind the end of the document")
          state = .done(insideItem: false)
        }
      case .done: return piece.bytes.count
      }
      guard let used else { continue }
      guard piece.isFinal, case .end = state else { return used }
      state = .done(insideItem: false)
    }
  }

  /// - Returns: the number of bytes consumed if more of them are needed; otherwise `nil`, as in all
  ///   steps.
  private mutating func start(_ scanner: inout JSONScanner, _ piece: SourcePiece) -> Int? {
    let base = piece.base
    guard scanner.peek() != nil || piece.isFinal else { return scanner.position }
    if scanner.accept("[") {
      head.hasItems = true
      state = .items(depth: -1)
    } else if scanner.accept("{") {
      objectStart = base + scanner.position - 1
      state = .members(depth: 0)
    } else {
      note(base + scanner.position, "neither an object nor an array")
      state = .done(insideItem: false)
    }
    return nil
  }

  private mutating func member(
    _ scanner: inout JSONScanner, _ piece: SourcePiece, _ depth: Int, _ body: RowHandler
  ) -> Int? {
    let (base, isFinal) = (piece.base, piece.isFinal)
    while scanner.accept(",") {}
    if scanner.accept("}") {
      leave(depth, at: base + scanner.position, body)
      return nil
    }
    let start = scanner.position
    if scanner.isAtEnd {
      guard isFinal else { return start }
      if !isLastItemTruncated { note(base + start, "ends inside an object") }
      leave(0, at: base + start, body)
      state = .done(insideItem: isLastItemTruncated)
      return nil
    }
    guard let name = scanner.key() else {
      if scanner.isAtEnd, !isFinal { return wait(from: start, scanner, base, isItem: false) }
      note(
        base + scanner.position, scanner.isAtEnd ? "ends inside an object" : "not a member's name")
      leave(depth, at: base + scanner.position, body)
      return nil
    }
    let next = scanner.peek()
    if scanner.isAtEnd, !isFinal { return start }
    let isObject = next == UInt8(ascii: "{")
    if isObject, depth < format.path.count, format.path[depth] == name {
      if name == "rss" { head.isRSS = true }
      _ = scanner.accept("{")
      state = .members(depth: depth + 1)
    } else if next == UInt8(ascii: "["), isList(name) {
      _ = scanner.accept("[")
      head.hasItems = true
      state = .items(depth: depth)
    } else {
      let valueStart = scanner.position
      let thread = format.thread.flatMap { depth == 0 && isObject && $0.name == name ? $0 : nil }
      if thread != nil { head.isThread = true }
      let span = scanner.value()
      if scanner.isAtEnd, !isFinal {
        return wait(from: start, valueStart: valueStart, scanner, base, isItem: false)
      }
      if depth == 0, name == "type" {
        isCollection = scanner.beginning(ofStringAt: span.range)?.contains("Collection") == true
      }
      if head.isRSS, name == "item", isObject {
        head.hasItems = true
        emit(span, base, body)
        return nil
      }
      if let thread {
        head.hasItems = true
        for post in thread.posts(scanner.bytes, span.range) {
          emit(JSONScanner.Span(range: post), base, body)
        }
        if let broken = span.fault { note(base + broken.byte, broken.reason) }
        return nil
      }
      head.add(name, scanner.bytes[span.range])
      if let broken = span.fault { note(base + broken.byte, broken.reason) }
      if span.range.isEmpty {
        note(base + span.range.upperBound, "no value")
        leave(depth, at: base + span.range.upperBound, body)
      }
    }
    return nil
  }

  private func isList(_ name: String) -> Bool {
    switch format.items {
    case .list(let own): name == (head.isRSS ? "item" : own) && !head.hasItems
    case .lists(let names): names.contains(name)
    }
  }

  private mutating func item(
    _ scanner: inout JSONScanner, _ piece: SourcePiece, _ depth: Int, _ body: RowHandler
  ) -> Int? {
    let (base, isFinal) = (piece.base, piece.isFinal)
    while scanner.accept(",") {}
    guard let next = scanner.peek() else {
      guard isFinal else { return scanner.position }
      if !isLastItemTruncated { note(base + scanner.position, "ends inside the list of items") }
      state = .done(insideItem: isLastItemTruncated)
      return nil
    }
    if next == UInt8(ascii: "]") {
      scanner.position += 1
      state = depth < 0 ? .end : .members(depth: depth)
      return nil
    }
    let start = scanner.position
    let span = scanner.value()
    if scanner.isAtEnd, !isFinal {
      openItem = base + start
      return wait(from: start, valueStart: start, scanner, base, isItem: true)
    }
    if span.range.isEmpty {
      // A closing brace between items, left over from a damaged one.
      note(base + scanner.position, "“\(Character(.init(next)))” out of place")
      scanner.position += 1
    } else {
      emit(span, base, body)
    }
    return nil
  }

  private mutating func emit(_ span: JSONScanner.Span, _ base: Int, _ body: RowHandler) {
    isLastItemTruncated = span.fault?.missing.isEmpty == false
    if !hasFoundItem, let fault = span.fault {
      firstRowFault = RowScanner.Fault(place: .byte(fault.byte + base), reason: fault.reason)
    }
    hasFoundItem = true
    body(RowScanner.Row(start: span.range.lowerBound + base, end: span.range.upperBound + base))
  }

  private mutating func leave(_ depth: Int, at end: Int, _ body: RowHandler) {
    state = depth == 0 ? .end : .members(depth: depth - 1)
    guard depth == 0, !head.hasItems, !isCollection, case .lists = format.items else { return }
    head.hasItems = true
    // The reader of this item will report its damage.
    fault = nil
    body(RowScanner.Row(start: objectStart, end: end))
  }

  private mutating func note(_ byte: Int, _ reason: String) {
    if fault == nil { fault = RowScanner.Fault(place: .byte(byte), reason: reason) }
  }

  // MARK: Overlong values

  /// Requests more bytes. The present ones must come again from `start` on, unless the value is too
  /// long: then its rest is skipped.
  ///
  /// - Returns: the number of bytes consumed.
  private mutating func wait(
    from start: Int, valueStart: Int? = nil, _ scanner: JSONScanner, _ base: Int, isItem: Bool
  ) -> Int {
    guard let valueStart, scanner.bytes.count - valueStart > FeedLimits.itemBytes else {
      return start
    }
    var rest = JSONSkipper()
    _ = rest.consume(UnsafeBufferPointer(rebasing: scanner.bytes[valueStart...]))
    skipped = (base + valueStart, isItem, rest)
    return scanner.bytes.count
  }

  /// Skips the rest of an overlong value, if there is one.
  ///
  /// - Returns: the position after it; `nil` if it does not end in `bytes`.
  private mutating func skip(
    _ bytes: UnsafeBufferPointer<UInt8>, at base: Int, _ body: RowHandler
  ) -> Int? {
    guard let value = skipped else { return 0 }
    guard let end = skipped?.rest.consume(bytes) else { return nil }
    skipped = nil
    if value.isItem { emit(JSONScanner.Span(range: value.start - base..<end), base, body) }
    return end
  }
}
