/// An item of JSON Feed as it is written: every field optional, numbers taken for text where text is
/// meant, and what has quite another type noted instead of thrown.
struct JSONItem {
  var id: String?
  var url: String?
  var externalURL: String?
  var title: String?
  var contentHTML: String?
  var contentText: String?
  var summary: String?
  var image: String?
  var bannerImage: String?
  var published: String?
  var modified: String?
  var language: String?
  var authors: [JSONAuthor] = []
  var tags: [String] = []
  var attachments: [JSONAttachment] = []
  var own: JSONExtension?
  /// Names of fields that hold something else than they should.
  var oddities: [String] = []

  /// Nil for what is not an object.
  init?(_ value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    var author: [JSONAuthor] = []
    for member in members {
      switch member.key {
      case "id": id = member.text(&oddities)
      case "url": url = member.text(&oddities)
      case "external_url": externalURL = member.text(&oddities)
      case "title": title = member.text(&oddities)
      case "content_html": contentHTML = member.text(&oddities)
      case "content_text": contentText = member.text(&oddities)
      case "summary": summary = member.text(&oddities)
      case "image": image = member.text(&oddities)
      case "banner_image": bannerImage = member.text(&oddities)
      case "date_published": published = member.text(&oddities)
      case "date_modified": modified = member.text(&oddities)
      case "language": language = member.text(&oddities)
      case "authors": authors = member.list(&oddities, JSONAuthor.init)
      case "author": author = member.list(&oddities, JSONAuthor.init)
      case "tags": tags = member.list(&oddities, \.text)
      case "attachments": attachments = member.list(&oddities, JSONAttachment.init)
      case "_tideline": own = member.one(&oddities, JSONExtension.init)
      default: break
      }
    }
    if authors.isEmpty { authors = author }
  }

  /// Whether any field that JSON Feed knows is there.
  var isRecognized: Bool {
    [id, url, externalURL, title, contentHTML, contentText, summary, image, bannerImage, published]
      .contains { $0 != nil } || !attachments.isEmpty || own != nil || !oddities.isEmpty
  }
}

/// An author: an object, or a name alone.
struct JSONAuthor {
  var name: String?
  var url: String?
  var avatar: String?
  var own: JSONExtension?

  init?(_ value: JSONValue) {
    var odd: [String] = []
    switch value {
    case .string(let name): self.name = name
    case .object(let members):
      for member in members {
        switch member.key {
        case "name": name = member.text(&odd)
        case "url": url = member.text(&odd)
        case "avatar": avatar = member.text(&odd)
        case "_tideline": own = member.one(&odd, JSONExtension.init)
        default: break
        }
      }
    default: return nil
    }
  }

  /// Nil where there is neither a name nor a handle.
  func author(base: String?) -> Post.Author? {
    let author = Post.Author(
      name: Sanitizing.collapsed(HTMLReader.decodingEntities(name ?? "")),
      handle: Sanitizing.collapsed(own?.handle ?? ""), url: FeedAddress.lenient(url, base: base),
      avatar: FeedAddress.resolve(avatar, base: base))
    return author.name.isEmpty && author.handle.isEmpty ? nil : author
  }
}

struct JSONAttachment {
  var url: String?
  var mimeType: String?
  var title: String?
  var byteCount: Double?
  var duration: Double?
  var own: JSONExtension?

  init?(_ value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    var odd: [String] = []
    for member in members {
      switch member.key {
      case "url": url = member.text(&odd)
      case "mime_type": mimeType = member.text(&odd)
      case "title": title = member.text(&odd)
      case "size_in_bytes": byteCount = member.text(&odd).flatMap(Double.init)
      case "duration_in_seconds": duration = member.text(&odd).flatMap(Double.init)
      case "_tideline": own = member.one(&odd, JSONExtension.init)
      default: break
      }
    }
  }
}

extension JSONValue.Member {
  /// The value as text; nil for null, and for what is no scalar, which is noted in `odd`.
  func text(_ odd: inout [String]) -> String? {
    if let text = value.text { return text }
    if !value.isNull { odd.append(key) }
    return nil
  }

  /// The elements of an array, or one value in place of it; those that do not fit are noted.
  func list<Element>(
    _ odd: inout [String], _ element: (JSONValue) -> Element?
  ) -> [Element] {
    let values: [JSONValue]
    switch value {
    case .null: return []
    case .array(let elements): values = elements
    default: values = [value]
    }
    let list = values.compactMap(element)
    if list.count < values.count { odd.append(key) }
    return list
  }

  /// The value read by `read`; nil for null, and for what does not fit, which is noted.
  func one<Value>(_ odd: inout [String], _ read: (JSONValue) -> Value?) -> Value? {
    let result = read(value)
    if result == nil, !value.isNull { odd.append(key) }
    return result
  }
}
