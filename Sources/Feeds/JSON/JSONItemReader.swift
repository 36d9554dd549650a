import HTTP
import TextLayout

/// Converts items written in JSON to posts: elements of a document's list, or lines.
struct JSONItemReader: Sendable {
  /// The base of relative addresses.
  let base: String?
  /// Makes the post of an item; `nil` if the format of each item is detected separately.
  private let read: JSONFormat.PostReader?
  let form: ContentForm

  /// A reader of the items of sources in `format`.
  init(format: FeedFormat, base: String?, as form: ContentForm = .styled) {
    self.base = base
    self.form = form
    read = format.isJSONDocument ? format.json.post : nil
  }

  /// The post in `bytes`, which begin at `offset` of the source and contain one JSON value.
  ///
  /// A value that was cut off is closed, and read as far as it goes. If that fails, too, the post
  /// contains its beginning as text. In both cases the damage gives the reason.
  ///
  /// - Complexity: O(n) in the bytes.
  func post(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int) -> Post {
    guard bytes.count <= FeedLimits.itemBytes else {
      return raw(
        bytes, offset: offset,
        damage:
          "\(bytes.count) bytes, more than \(FeedLimits.itemBytes): only its beginning is shown")
    }
    let text = UnicodeText(utf8: Array(bytes))
    let value: JSONValue
    do throws(JSONScanner.Failure) {
      value = try JSONParser.value(of: text.bytes)
    } catch {
      return repairedPost(bytes, text.bytes, offset: offset, failure: error)
    }
    guard var post = post(of: value, offset: offset) else {
      guard case .object = value else {
        return raw(bytes, offset: offset, damage: "not a JSON object (item at byte \(offset))")
      }
      return raw(bytes, offset: offset, damage: nil)
    }
    if text.firstRepair != nil { post.addDamage("bytes that are not UTF-8 were replaced") }
    return post
  }

  /// The post of an item of RSS in JSON.
  func rssPost(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int) -> Post {
    guard bytes.count <= FeedLimits.itemBytes,
      let value = JSONParser.repairedValue(of: Array(bytes)),
      case .object = value
    else {
      return raw(bytes, offset: offset, damage: "not a readable item (byte \(offset))")
    }
    return ItemReader(item: value.element(named: "item"), base: base, as: form).post(damage: nil)
  }

  /// Returns `nil` if `value` is no post.
  private func post(of value: JSONValue, offset: Int) -> Post? {
    let item = JSONItemContext(base: base, offset: offset, notes: ItemDiagnostics(), form: form)
    let read = read ?? (JSONFormatEvidence(of: value).format ?? .jsonfeed).json.post
    guard var post = read(value, item) else { return nil }
    item.notes.mark(&post)
    return post
  }

  private func repairedPost(
    _ bytes: UnsafeBufferPointer<UInt8>, _ copy: [UInt8], offset: Int,
    failure: JSONScanner.Failure
  ) -> Post {
    let fault = copy.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      return scanner.value().fault
    }
    guard let fault, !fault.missing.isEmpty else {
      return raw(
        bytes, offset: offset, damage: "\(Self.reason(failure)) (item at byte \(offset))")
    }
    let damage = "\(fault.reason) at byte \(offset + bytes.count)"
    for candidate in fault.closed(copy) {
      if let value = try? JSONParser.value(of: candidate),
        var post = post(of: value, offset: offset)
      {
        post.addDamage(damage)
        return post
      }
    }
    return raw(bytes, offset: offset, damage: damage)
  }

  private static func reason(_ failure: JSONScanner.Failure) -> String {
    switch failure {
    case .malformed: "not valid JSON"
    case .tooDeep: "more than \(JSONScanner.maximumDepth) brackets open"
    case .tooMany: "more than \(FeedLimits.itemValues) values: only its beginning is shown"
    }
  }

  /// A post whose text is the beginning of its source.
  ///
  /// - Parameter isText: whether the source is text for readers.
  func raw(
    _ bytes: some Collection<UInt8>, offset: Int, damage: String?, isText: Bool = false
  ) -> Post {
    var post = Post(id: "byte \(offset)")
    let beginning = bytes.prefix(FeedLimits.beginningBytes)
    post.body = PlainText.styled(String(decoding: beginning, as: UTF8.self))
    post.damage = damage
    post.holdsSource = damage != nil && !isText
    return post
  }
}
