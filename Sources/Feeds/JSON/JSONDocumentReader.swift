import TextLayout

/// Documents of JSON to posts: JSON Feed, RSS in JSON, arrays and collections of other posts.
enum JSONDocumentReader {
  /// - Complexity: O(n) in the bytes; each item is decoded alone.
  static func read(
    _ text: UnicodeText, format: FeedFormat, baseURL: String?
  ) throws(FeedError) -> FeedDocument {
    let (map, document) = text.bytes.withUnsafeBufferPointer { bytes in
      let map = JSONDocumentMap(bytes, format: format)
      return (map, Self.document(map, bytes, text, format: format, baseURL: baseURL))
    }
    if let fault = map.fault ?? map.items.first?.fault,
      document.posts.allSatisfy({ $0.damage != nil && !$0.isDecoded })
    {
      throw FeedError(
        .nothingReadable(reason: fault.reason, place: .byte(fault.byte + text.offset)))
    }
    return document
  }

  private static func document(
    _ map: JSONDocumentMap, _ bytes: UnsafeBufferPointer<UInt8>, _ text: UnicodeText,
    format: FeedFormat, baseURL: String?
  ) -> FeedDocument {
    var result = FeedDocument(format: format)
    var feedAuthor: Post.Author?
    let base: String?
    if map.isRSS {
      let channel = FeedElement(name: "channel")
      for (name, range) in map.head.sorted(by: { $0.key < $1.key }) {
        guard let value = decoded(bytes, range) else { continue }
        let element = value.element(named: name)
        if case .array = value {
          channel.children += element.children
        } else {
          channel.children.append(.element(element))
        }
      }
      result.info = XMLFeedReader.info(of: channel, in: channel, base: baseURL)
      feedAuthor = XMLFeedReader.author(of: channel)
      base = result.info.homePage ?? baseURL
    } else {
      let members = JSONHead(bytes, map.head, format: format, hasItems: map.hasItems)
      let own = members.read(baseURL: baseURL)
      (result.info, feedAuthor, base) = (own.info, own.author, own.base)
    }
    let reader = JSONItemReader(format: format, base: base)
    for span in map.items {
      let slice = UnsafeBufferPointer(rebasing: bytes[span.range])
      let offset = span.range.lowerBound + text.offset
      var post =
        map.isRSS
        ? rssPost(slice, offset: offset, reader) : reader.post(slice, offset: offset)
      if text.firstRepair != nil, post.holdsReplacement {
        post.addDamage("bytes that are not text were replaced")
      }
      result.posts.append(post)
    }
    if let fault = map.fault {
      var mark = Post(id: "damage at byte \(fault.byte + text.offset)")
      mark.damage = "\(fault.reason) at byte \(fault.byte + text.offset)"
      result.posts.append(mark)
    }
    result.fillFromFeed(author: feedAuthor)
    result.makeIDsUnique()
    return result
  }

  private static func rssPost(
    _ bytes: UnsafeBufferPointer<UInt8>, offset: Int, _ reader: JSONItemReader
  ) -> Post {
    guard bytes.count <= FeedLimits.itemBytes, let value = decoded(bytes, bytes.indices),
      case .object = value
    else {
      // Only to say what is wrong: whatever it is, it is no item.
      var post = reader.raw(bytes, offset: offset, damage: nil)
      post.damage = "not a readable item (byte \(offset))"
      return post
    }
    let item = ItemReader(item: value.element(named: "item"), base: reader.base)
    return item.post(damage: nil)
  }

  static func decoded(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> JSONValue? {
    guard range.count <= FeedLimits.itemBytes else { return nil }
    let (copy, _) = JSONItemReader.prepared(UnsafeBufferPointer(rebasing: bytes[range]))
    return try? JSONParser.value(of: copy)
  }
}

extension Post {
  /// Whether it came out of its source's fields, rather than holding source text.
  var isDecoded: Bool { !id.hasPrefix("byte ") && !id.hasPrefix("damage ") && !isBlank }
}
