import TextLayout

/// JSON Feed documents, bare arrays of items and RSS in JSON to posts.
enum JSONFeedReader {
  /// - Complexity: O(n) in the bytes; each item is decoded alone.
  static func read(_ text: UnicodeText, baseURL: String?) throws(FeedError) -> FeedDocument {
    let (map, document) = text.bytes.withUnsafeBufferPointer { bytes in
      let map = JSONDocumentMap(bytes)
      return (map, Self.document(map, bytes, text, baseURL: baseURL))
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
    baseURL: String?
  ) -> FeedDocument {
    var result = FeedDocument(format: .jsonfeed)
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
      let head = Head(bytes, map.head)
      result.info = head.info(base: baseURL)
      base = result.info.homePage ?? result.info.feedURL ?? baseURL
      feedAuthor = ItemReader.joined(head.authors.compactMap { $0.author(base: base) })
    }
    let reader = JSONItemReader(base: base)
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
    var item = ItemReader(item: value.element(named: "item"), base: reader.base)
    return item.post(damage: nil)
  }

  fileprivate static func decoded(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> JSONValue? {
    guard range.count <= FeedLimits.itemBytes else { return nil }
    let (copy, _) = JSONItemReader.prepared(UnsafeBufferPointer(rebasing: bytes[range]))
    return try? JSONParser.value(of: copy)
  }

  /// The feed's own members.
  struct Head {
    var texts: [String: String] = [:]
    var authors: [JSONAuthor] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ members: [String: Range<Int>]) {
      let names = [
        "title", "home_page_url", "feed_url", "next_url", "icon", "favicon", "language",
      ]
      for name in names {
        if let range = members[name] { texts[name] = decoded(bytes, range)?.text }
      }
      if let range = members["authors"], case .array(let list) = decoded(bytes, range) {
        authors = list.compactMap(JSONAuthor.init)
      }
      if authors.isEmpty, let range = members["author"] {
        authors = decoded(bytes, range).flatMap(JSONAuthor.init).map { [$0] } ?? []
      }
    }

    func info(base: String?) -> TimelineInfo {
      let title = Sanitizing.collapsed(HTMLReader.decodingEntities(texts["title"] ?? ""))
      var info = TimelineInfo(title: title)
      info.homePage = WebAddress.lenient(texts["home_page_url"], base: base)
      info.feedURL = WebAddress.lenient(texts["feed_url"], base: base)
      let own = info.feedURL ?? info.homePage ?? base
      info.nextPage = WebAddress.lenient(texts["next_url"], base: own)
      info.icon =
        WebAddress.resolve(texts["icon"], base: own)
        ?? WebAddress.resolve(texts["favicon"], base: own)
      info.language = texts["language"].map(Sanitizing.line)
      return info
    }
  }
}

extension Post {
  /// Whether it came out of its source's fields, rather than holding source text.
  var isDecoded: Bool { !id.hasPrefix("byte ") && !id.hasPrefix("damage ") && !isBlank }
}
