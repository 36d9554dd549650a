/// The items of a document of JSON, found and not read yet: JSON Feed, RSS in JSON, arrays and collections of
/// other posts.
struct JSONItems: DocumentItems {
  private let text: UnicodeText
  private let items: [JSONScanner.Span]
  private let reader: JSONItemReader
  private let isRSS: Bool
  private let fault: JSONScanner.Fault?
  let head: FeedHead

  /// - Complexity: O(n) in the bytes.
  init(_ text: UnicodeText, format: FeedFormat, baseURL: String?, as form: ContentForm) {
    var scanner = JSONDocumentScanner(format: format)
    var items: [JSONScanner.Span] = []
    text.bytes.withUnsafeBufferPointer { bytes in
      _ = scanner.scan(bytes, at: 0, isFinal: true) { items.append($0) }
    }
    head = scanner.head.read(baseURL: baseURL)
    reader = JSONItemReader(format: format, base: head.base, as: form)
    isRSS = scanner.head.isRSS
    fault = scanner.fault
    self.text = text
    self.items = items
  }

  var count: Int { items.count }
  var isRepaired: Bool { text.firstRepair != nil }

  func length(at index: Int) -> Int { items[index].range.count }

  func post(at index: Int) -> Post {
    text.bytes.withUnsafeBufferPointer { bytes in
      let range = items[index].range
      let slice = UnsafeBufferPointer(rebasing: bytes[range])
      let offset = range.lowerBound + text.offset
      return isRSS ? rssPost(slice, offset: offset) : reader.post(slice, offset: offset)
    }
  }

  private func rssPost(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int) -> Post {
    guard bytes.count <= FeedLimits.itemBytes,
      let value = JSONParser.repairedValue(of: Array(bytes)),
      case .object = value
    else {
      // Only to say what is wrong: whatever it is, it is no item.
      var post = reader.raw(bytes, offset: offset, damage: nil)
      post.damage = "not a readable item (byte \(offset))"
      return post
    }
    let item = ItemReader(
      item: value.element(named: "item"), base: reader.base, as: reader.form)
    return item.post(damage: nil)
  }

  var mark: Post? {
    fault.map { fault in
      var mark = Post(id: "damage at byte \(fault.byte + text.offset)")
      mark.damage = "\(fault.reason) at byte \(fault.byte + text.offset)"
      return mark
    }
  }

  func failure(ofPosts posts: [Post]) -> FeedError? {
    guard let fault = fault ?? items.first?.fault,
      posts.allSatisfy({ $0.damage != nil && !$0.isDecoded })
    else { return nil }
    return FeedError(
      .nothingReadable(reason: fault.reason, place: .byte(fault.byte + text.offset)))
  }
}

extension Post {
  /// Whether it came out of its source's fields, rather than holding source text.
  var isDecoded: Bool { !id.hasPrefix("byte ") && !id.hasPrefix("damage ") && !isBlank }
}
