import System

/// Replaces every `&` that begins no reference by `&amp;`, the commonest damage of feeds
/// (`a?x=1&y=2`), and every `<` that begins no tag by `&lt;` (`I <3 it`, `if a<b`).
///
/// libxml2 reports such characters and drops them together with the text behind them, in attributes
/// without a trace; a feed in which it found one is therefore repaired and read again.
enum BareMarkupRepair {
  /// CDATA sections, comments and processing instructions stay unchanged.
  ///
  /// - Complexity: O(n) in the bytes.
  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 64)
    let markup = XMLMarkup(bytes)
    var index = 0
    while index < bytes.count {
      if let end = markup.sectionEnd(at: index) {
        result += bytes[index..<end]
        index = end
        continue
      }
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "&") where !isReference(bytes[index...].prefix(64)): result += "&amp;".utf8
      case UInt8(ascii: "<") where !beginsTag(markup, at: index - 1): result += "&lt;".utf8
      default: result.append(byte)
      }
    }
    return result
  }

  /// Whether the `<` at `start` begins a tag: with a name, and without another `<` before the `>`
  /// except in a value. End tags, declarations and instructions always do.
  ///
  /// - Complexity: O(n) in the bytes of the tag.
  private static func beginsTag(_ markup: XMLMarkup, at start: Int) -> Bool {
    guard start + 1 < markup.bytes.count else { return false }
    switch markup.bytes[start + 1] {
    case UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?"): return true
    case UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...: break
    case let byte where byte.isLetter: break
    default: return false
    }
    let tag = markup.tag(at: start)
    return tag.isClosed || tag.end == markup.bytes.count
  }

  /// Whether the `&` before these bytes begins a name or number that ends in a semicolon.
  private static func isReference(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")), end > rest.startIndex else {
      return false
    }
    let isInName = { (byte: UInt8) in
      byte.isAlphanumeric || byte == UInt8(ascii: "_") || byte >= 128
    }
    let name = rest[..<end]
    guard let first = name.first else { return false }
    if first == UInt8(ascii: "#") {
      return name.count > 1 && name.dropFirst().allSatisfy(isInName)
    }
    return !(48...57).contains(first)
      && name.allSatisfy { isInName($0) || $0 == 45 || $0 == 46 }
  }
}
