import HTTP
import System
import TextLayout

/// Computes the ``RowSizeBound`` of a JSON Feed item: an object of strings, with authors and tags.
/// Anything else makes it fail.
struct RowSizeBoundReader {
  private typealias Text = RowSizeBound.Text
  private typealias Failure = JSONScanner.Failure

  private var scanner: JSONScanner

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { scanner = JSONScanner(bytes) }

  /// `nil` if the item is not certainly a plain one.
  static func bound(of bytes: UnsafeBufferPointer<UInt8>) -> RowSizeBound? {
    var reader = RowSizeBoundReader(bytes)
    return try? reader.item()
  }

  private mutating func item() throws(Failure) -> RowSizeBound {
    var bound = RowSizeBound()
    var isRecognized = false
    var members = try scanner.openObject()
    while let field = try field(in: &members) {
      var ignored = Text()
      // `JSONFeedReader` recognizes an item by any of these. It does so by `date_published`, too,
      // but not by `date_modified`, which is the same field here.
      switch field {
      case .address, .title, .text, .html, .picture: isRecognized = true
      default: break
      }
      switch field {
      case .address, .name: _ = try string(&ignored)
      case .date:
        guard DateParser.plainRFC3339Seconds(try string(&ignored)) != nil else { throw .malformed }
      case .title: _ = try string(&bound.title)
      case .text: _ = try string(&bound.body)
      case .html:
        // It must contain neither a tag nor an entity.
        let html = try string(&bound.body)
        guard !html.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
          throw .malformed
        }
      case .picture: bound.pictures.append(try plainAddress())
      case .authors:
        var authors = try scanner.openArray()
        while try scanner.hasNext(in: &authors) { try author() }
      case .author: try author()
      case .tags:
        var tags = try scanner.openArray()
        while try scanner.hasNext(in: &tags) {
          // Each tag with its mark and the two spaces before it.
          bound.tags.columns += 3
          _ = try string(&bound.tags)
        }
      case .person, .own, .handle: throw .malformed
      }
    }
    guard isRecognized, scanner.peek() == nil else { throw .malformed }
    return bound
  }

  private mutating func author() throws(Failure) {
    var ignored = Text()
    var members = try scanner.openObject()
    while let field = try field(in: &members) {
      switch field {
      case .address, .person: _ = try string(&ignored)
      case .own:
        var own = try scanner.openObject()
        while let field = try self.field(in: &own) {
          guard field == .handle else { throw .malformed }
          _ = try string(&ignored)
        }
      default: throw .malformed
      }
    }
  }

  // MARK: Strings

  /// Reads a string and counts it into `text`; returns its bytes as written.
  private mutating func string(
    _ text: inout Text
  ) throws(Failure) -> Slice<UnsafeBufferPointer<UInt8>> {
    try scanner.expect("\"")
    let start = scanner.position
    while let piece = try scanner.piece() {
      switch piece {
      case .plain(let range): for index in range { text.note(index, of: scanner.bytes) }
      case .escape("\""), .escape("\\"), .escape("/"): text.columns += 1
      case .escape("\n"): text.breaks += 1
      case .escape("\t"): text.columns += Sanitizer.tabWidth
      case .escape(let scalar):
        // Possible markup and line breaks make it fail.
        guard scalar.value >= 0xA0, !(0x2028...0x2029 ~= scalar.value) else { throw .malformed }
        text.columns += 2
      }
    }
    return scanner.bytes[start..<scanner.position - 1]
  }

  /// Reads a string that is an address in the form in which it is requested.
  private mutating func plainAddress() throws(Failure) -> String {
    var ignored = Text()
    let address = try string(&ignored)
    guard address.count <= 2_048, address.starts(with: "http".utf8),
      address.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") })
    else { throw .malformed }
    return String(decoding: address, as: UTF8.self)
  }

  // MARK: Fields

  private enum Field {
    case address, date, title, text, html, picture, authors, author, tags, name
    /// Only in authors.
    case person, own, handle
  }

  private static let fields: [(name: StaticString, field: Field)] = [
    ("id", .address), ("url", .address), ("title", .title), ("content_text", .text),
    ("date_published", .date), ("authors", .authors), ("image", .picture), ("name", .person),
    ("avatar", .person), ("tags", .tags), ("summary", .text), ("content_html", .html),
    ("external_url", .address), ("banner_image", .picture), ("date_modified", .date),
    ("language", .name), ("author", .author), ("_tideline", .own), ("handle", .handle),
  ]

  /// The field of the next member; `nil` behind the last. An unknown member makes it fail.
  private mutating func field(in members: inout JSONScanner.List) throws(Failure) -> Field? {
    guard try scanner.hasNext(in: &members) else { return nil }
    var ignored = Text()
    let name = try string(&ignored)
    guard let base = name.base.baseAddress, scanner.accept(":") else { throw .malformed }
    let start = base + name.startIndex
    for (known, field) in Self.fields
    where known.utf8CodeUnitCount == name.count
      && memcmp(start, known.utf8Start, name.count) == 0
    {
      _ = scanner.peek()
      return field
    }
    throw .malformed
  }
}
