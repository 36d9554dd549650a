/// An item of JSON Feed as it is written: every field optional, numbers taken for text where text is
/// meant, and what has quite another type noted instead of thrown.
struct JSONItem: Decodable {
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

  enum CodingKeys: String, CodingKey {
    case id, url, title, summary, image, language, authors, author, tags, attachments
    case externalURL = "external_url"
    case contentHTML = "content_html"
    case contentText = "content_text"
    case bannerImage = "banner_image"
    case published = "date_published"
    case modified = "date_modified"
    case own = "_tideline"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var odd: [String] = []
    id = container.text(.id, &odd)
    url = container.text(.url, &odd)
    externalURL = container.text(.externalURL, &odd)
    title = container.text(.title, &odd)
    contentHTML = container.text(.contentHTML, &odd)
    contentText = container.text(.contentText, &odd)
    summary = container.text(.summary, &odd)
    image = container.text(.image, &odd)
    bannerImage = container.text(.bannerImage, &odd)
    published = container.text(.published, &odd)
    modified = container.text(.modified, &odd)
    language = container.text(.language, &odd)
    authors = container.list(.authors, &odd)
    if authors.isEmpty { authors = container.list(.author, &odd) }
    tags = container.list(.tags, &odd)
    attachments = container.list(.attachments, &odd)
    own = container.value(.own, &odd)
    oddities = odd
  }

  /// Whether any field that JSON Feed knows is there.
  var isRecognized: Bool {
    [id, url, externalURL, title, contentHTML, contentText, summary, image, bannerImage, published]
      .contains { $0 != nil } || !attachments.isEmpty || own != nil || !oddities.isEmpty
  }
}

/// An author: an object, or a name alone.
struct JSONAuthor: Decodable {
  var name: String?
  var url: String?
  var avatar: String?
  var own: JSONExtension?

  enum CodingKeys: String, CodingKey {
    case name, url, avatar
    case own = "_tideline"
  }

  init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      self.name = name
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var odd: [String] = []
    name = container.text(.name, &odd)
    url = container.text(.url, &odd)
    avatar = container.text(.avatar, &odd)
    own = container.value(.own, &odd)
  }

  /// Nil where there is neither a name nor a handle.
  func author(base: String?) -> Post.Author? {
    let author = Post.Author(
      name: Sanitizing.collapsed(HTMLReader.decodingEntities(name ?? "")),
      handle: Sanitizing.collapsed(own?.handle ?? ""), url: WebAddress.lenient(url, base: base),
      avatar: WebAddress.resolve(avatar, base: base))
    return author.name.isEmpty && author.handle.isEmpty ? nil : author
  }
}

struct JSONAttachment: Decodable {
  var url: String?
  var mimeType: String?
  var title: String?
  var byteCount: Double?
  var duration: Double?
  var own: JSONExtension?

  enum CodingKeys: String, CodingKey {
    case url, title
    case mimeType = "mime_type"
    case byteCount = "size_in_bytes"
    case duration = "duration_in_seconds"
    case own = "_tideline"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var odd: [String] = []
    url = container.text(.url, &odd)
    mimeType = container.text(.mimeType, &odd)
    title = container.text(.title, &odd)
    byteCount = container.text(.byteCount, &odd).flatMap(Double.init)
    duration = container.text(.duration, &odd).flatMap(Double.init)
    own = container.value(.own, &odd)
  }
}

/// What JSON Feed has no field for, under `_tideline`.
struct JSONExtension: Decodable {
  var handle: String?
  var error: String?
  var warning: String?
  var inReplyTo: String?
  var width: Int?
  var height: Int?

  enum CodingKeys: String, CodingKey {
    case handle, error, warning, width, height
    case inReplyTo = "in_reply_to"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var odd: [String] = []
    handle = container.text(.handle, &odd)
    error = container.text(.error, &odd)
    warning = container.text(.warning, &odd)
    inReplyTo = container.text(.inReplyTo, &odd)
    width = container.text(.width, &odd).flatMap { Int($0) }
    height = container.text(.height, &odd).flatMap { Int($0) }
  }
}

extension KeyedDecodingContainer {
  /// A string, or a number or truth value written as one; anything else is noted in `odd`.
  func text(_ key: Key, _ odd: inout [String]) -> String? {
    guard contains(key) else { return nil }
    if let text = try? decode(String.self, forKey: key) { return text }
    if let isNull = try? decodeNil(forKey: key), isNull { return nil }
    if let number = try? decode(Int64.self, forKey: key) { return String(number) }
    if let number = try? decode(Double.self, forKey: key) { return String(number) }
    if let flag = try? decode(Bool.self, forKey: key) { return String(flag) }
    odd.append(key.stringValue)
    return nil
  }

  /// An array, or one value in place of it; elements that do not fit are noted.
  func list<Element: Decodable>(_ key: Key, _ odd: inout [String]) -> [Element] {
    guard contains(key) else { return [] }
    if let list = try? decode([Element].self, forKey: key) { return list }
    if let isNull = try? decodeNil(forKey: key), isNull { return [] }
    if let one = try? decode(Element.self, forKey: key) { return [one] }
    odd.append(key.stringValue)
    guard let list = try? decode([Lenient<Element>].self, forKey: key) else { return [] }
    return list.compactMap(\.value)
  }

  /// A value of that type; nil where there is none, noted where it is another.
  func value<Value: Decodable>(_ key: Key, _ odd: inout [String]) -> Value? {
    guard contains(key) else { return nil }
    if let value = try? decode(Value.self, forKey: key) { return value }
    if let isNull = try? decodeNil(forKey: key), isNull { return nil }
    odd.append(key.stringValue)
    return nil
  }
}

/// An element of a list in which others may not be what they should.
private struct Lenient<Value: Decodable>: Decodable {
  var value: Value?
  init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
