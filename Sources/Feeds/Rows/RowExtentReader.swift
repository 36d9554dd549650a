import HTTP
import System

/// Goes through a JSON Feed item for `RowExtent`: an object of strings, with authors and tags, as
/// strict as `JSONParser`; anything else ends it.
struct RowExtentReader {
  private typealias Text = RowExtent.Text

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Nil where the item is not certain to be a plain one.
  mutating func item() -> RowExtent? {
    var extent = RowExtent()
    var isRecognized = false
    let isPlain = members { reader, field in
      let start = reader.position
      var ignored = Text()
      // As `JSONItem.isRecognized`.
      switch field {
      case .address, .date, .title, .text, .html, .picture: isRecognized = true
      default: break
      }
      switch field {
      case .address, .name: return reader.string(&ignored)
      case .date:
        guard reader.string(&ignored) else { return false }
        return DateParser.plainSeconds(reader.bytes[start + 1..<reader.position - 1]) != nil
      case .title: return reader.string(&extent.title)
      case .text: return reader.string(&extent.body)
      case .html: return reader.string(&extent.body) && reader.isPlain(start..<reader.position)
      case .picture:
        guard let address = reader.plainAddress() else { return false }
        extent.pictures.append(address)
        return true
      case .authors: return reader.elements { $0.author() }
      case .author: return reader.author()
      case .tags:
        return reader.elements {
          // Each with its mark and the space before it.
          extent.tags.columns += 3
          return $0.string(&extent.tags)
        }
      case .person, .own, .handle: return false
      }
    }
    skipSpace()
    guard isPlain, isRecognized, position == bytes.count else { return nil }
    return extent
  }

  private mutating func author() -> Bool {
    members { reader, field in
      var ignored = Text()
      switch field {
      case .address, .person: return reader.string(&ignored)
      case .own:
        return reader.members { reader, field in field == .handle && reader.string(&ignored) }
      default: return false
      }
    }
  }

  // MARK: JSON

  private mutating func skipSpace() {
    while position < bytes.count, JSONScanner.isSpace(bytes[position]) { position += 1 }
  }

  /// Reads white space and then `byte`.
  private mutating func accept(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// An object, each of whose values `value` reads, told its field.
  private mutating func members(_ value: (inout Self, Field) -> Bool) -> Bool {
    guard accept(UInt8(ascii: "{")) else { return false }
    if accept(UInt8(ascii: "}")) { return true }
    repeat {
      guard let field = field(), accept(UInt8(ascii: ":")) else { return false }
      skipSpace()
      guard value(&self, field) else { return false }
    } while accept(UInt8(ascii: ","))
    return accept(UInt8(ascii: "}"))
  }

  /// An array, each of whose elements `element` reads.
  private mutating func elements(_ element: (inout Self) -> Bool) -> Bool {
    guard accept(UInt8(ascii: "[")) else { return false }
    if accept(UInt8(ascii: "]")) { return true }
    repeat {
      skipSpace()
      guard element(&self) else { return false }
    } while accept(UInt8(ascii: ","))
    return accept(UInt8(ascii: "]"))
  }

  /// A string, counted into `text`.
  private mutating func string(_ text: inout Text) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return false }
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return true
      case UInt8(ascii: "\\"): guard escape(&text) else { return false }
      default:
        text.note(position, of: bytes)
        position += 1
      }
    }
    return false
  }

  private mutating func escape(_ text: inout Text) -> Bool {
    guard position + 1 < bytes.count else { return false }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.columns += 1
    case UInt8(ascii: "n"): text.breaks += 1
    case UInt8(ascii: "t"): text.columns += 4
    case UInt8(ascii: "u"): return hexadecimal(&text)
    default: return false
    }
    position += 2
    return true
  }

  /// Half of a pair takes a column at most, as a pair takes two. What may be markup or a line break
  /// ends it.
  private mutating func hexadecimal(_ text: inout Text) -> Bool {
    guard position + 6 <= bytes.count else { return false }
    var value = 0
    for offset in 2..<6 {
      switch bytes[position + offset] {
      case let byte where byte &- 48 < 10: value = value << 4 | Int(byte - 48)
      case let byte where (byte | 32) &- 97 < 6: value = value << 4 | Int((byte | 32) - 87)
      default: return false
      }
    }
    guard value >= 0xA0, !(0x2028...0x2029 ~= value) else { return false }
    text.columns += 2
    position += 6
    return true
  }

  // MARK: Fields

  private enum Field {
    case address, date, title, text, html, picture, authors, author, tags, name
    /// What only authors have.
    case person, own, handle
  }

  private static let fields: [(name: StaticString, field: Field)] = [
    ("id", .address), ("url", .address), ("title", .title), ("content_text", .text),
    ("date_published", .date), ("authors", .authors), ("image", .picture), ("name", .person),
    ("avatar", .person), ("tags", .tags), ("summary", .text), ("content_html", .html),
    ("external_url", .address), ("banner_image", .picture), ("date_modified", .date),
    ("language", .name), ("author", .author), ("_tideline", .own), ("handle", .handle),
  ]

  /// The key of a member, where it is known here.
  private mutating func field() -> Field? {
    guard accept(UInt8(ascii: "\"")), let base = bytes.baseAddress else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
    guard position < bytes.count else { return nil }
    let count = position - start
    position += 1
    for (name, field) in Self.fields
    where name.utf8CodeUnitCount == count && memcmp(base + start, name.utf8Start, count) == 0 {
      return field
    }
    return nil
  }

  /// Whether there is neither a tag nor an entity.
  private func isPlain(_ range: Range<Int>) -> Bool {
    !bytes[range].contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
  }

  /// A string that is an address as it will be asked for.
  private mutating func plainAddress() -> String? {
    let start = position + 1
    var text = Text()
    guard string(&text), position - 1 - start <= 2_048 else { return nil }
    let address = bytes[start..<position - 1]
    guard address.starts(with: "http".utf8),
      address.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") })
    else { return nil }
    return String(decoding: address, as: UTF8.self)
  }
}
