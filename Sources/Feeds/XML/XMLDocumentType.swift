/// The document type declaration at the beginning of a feed, read for the entities it declares.
enum XMLDocumentType {
  /// Offset behind the declaration that begins at `start`; `nil` if it does not end.
  ///
  /// - Complexity: O(n) in its bytes.
  static func end(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
    var quote: UInt8?
    var isInside = false
    var index = start + 2
    while index < bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case UInt8(ascii: "["): isInside = true
        case UInt8(ascii: "]"): isInside = false
        case UInt8(ascii: ">"): if !isInside { return index + 1 }
        case UInt8(ascii: "<"):
          if let comment = MarkupSection(in: bytes, at: index), comment == .comment {
            guard let end = comment.end(in: bytes, from: index + 4) else { return nil }
            index = end - 1
          } else if !isInside {
            return nil
          }
        default: break
        }
      }
      index += 1
    }
    return nil
  }

  /// A document type of our own with the entities that the first one in `bytes` declares with a
  /// text; nothing else of a document type is read. Empty if there are none, or the declaration is
  /// longer than ``FeedLimits/beginningBytes``.
  ///
  /// - Complexity: O(n) in the bytes.
  static func entities(in bytes: [UInt8]) -> [UInt8] {
    let source = Array(declaration(in: bytes))
    let markup = XMLMarkup(source)
    let mark = Array("<!ENTITY".utf8)
    var result: [UInt8] = []
    var position = 0
    while let start = markup.opening(from: position) {
      position = markup.sectionEnd(at: start) ?? start + 1
      guard source[start...].starts(with: mark) else { continue }
      let name = markup.name(at: markup.blankEnd(from: start + mark.count))
      let value = markup.blankEnd(from: name.upperBound)
      guard !name.isEmpty, value < source.count, case let quote = source[value],
        quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = source[(value + 1)...].firstIndex(of: quote)
      else { continue }
      position = end + 1
      for part in [mark[...], source[name], source[value...end]] {
        result += part
        result.append(UInt8(ascii: " "))
      }
      result[result.count - 1] = UInt8(ascii: ">")
    }
    return result.isEmpty ? [] : Array("<!DOCTYPE feed [".utf8) + result + Array("]>".utf8)
  }

  /// The first one in `bytes`; empty if there is none, or it is longer than
  /// ``FeedLimits/beginningBytes``.
  private static func declaration(in bytes: [UInt8]) -> ArraySlice<UInt8> {
    let mark = Array("<!doctype".utf8)
    let markup = XMLMarkup(bytes)
    var position = 0
    while let start = markup.opening(from: position) {
      if bytes[start...].prefix(mark.count).map({ $0 | 0x20 }) == mark.map({ $0 | 0x20 }) {
        guard let end = bytes.withUnsafeBytes({ end(in: $0, at: start) }),
          end - start <= FeedLimits.beginningBytes
        else { return [] }
        return bytes[start..<end]
      }
      position = markup.sectionEnd(at: start) ?? start + 1
    }
    return []
  }
}
