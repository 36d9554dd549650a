import TextLayout

/// Documents of JSON to posts: JSON Feed, RSS in JSON, arrays and collections of other posts.
enum JSONDocumentReader {
  /// - Complexity: O(n) in the bytes; each item is decoded alone.
  static func read(
    _ text: UnicodeText, format: FeedFormat, baseURL: String?, as form: ContentForm = .styled
  ) throws(FeedError) -> FeedDocument {
    var scanner = JSONDocumentScanner(format: format)
    var items: [JSONScanner.Span] = []
    var document = FeedDocument(format: format)
    text.bytes.withUnsafeBufferPointer { bytes in
      _ = scanner.scan(bytes, at: 0, isFinal: true) { items.append($0) }
      let head = scanner.head.read(baseURL: baseURL)
      let reader = JSONItemReader(format: format, base: head.base, as: form)
      document.posts = items.map { span in
        let slice = UnsafeBufferPointer(rebasing: bytes[span.range])
        let offset = span.range.lowerBound + text.offset
        return scanner.head.isRSS
          ? rssPost(slice, offset: offset, reader) : reader.post(slice, offset: offset)
      }
      if let fault = scanner.fault {
        var mark = Post(id: "damage at byte \(fault.byte + text.offset)")
        mark.damage = "\(fault.reason) at byte \(fault.byte + text.offset)"
        document.posts.append(mark)
      }
      document.complete(head, isRepaired: text.firstRepair != nil)
    }
    if let fault = scanner.fault ?? items.first?.fault,
      document.posts.allSatisfy({ $0.damage != nil && !$0.isDecoded })
    {
      throw FeedError(
        .nothingReadable(reason: fault.reason, place: .byte(fault.byte + text.offset)))
    }
    return document
  }

  private static func rssPost(
    _ bytes: UnsafeBufferPointer<UInt8>, offset: Int, _ reader: JSONItemReader
  ) -> Post {
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
}

extension Post {
  /// Whether it came out of its source's fields, rather than holding source text.
  var isDecoded: Bool { !id.hasPrefix("byte ") && !id.hasPrefix("damage ") && !isBlank }
}
