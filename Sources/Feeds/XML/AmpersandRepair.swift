/// Makes `&amp;` of every `&` that begins no reference, the commonest damage of feeds: `a?x=1&y=2`.
///
/// libxml2 reports such an `&` and leaves it out together with the name behind it, in attributes
/// without a trace; so a feed in which it found one is repaired and read again.
enum AmpersandRepair {
  /// CDATA sections, comments and processing instructions stay as they are.
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
      result.append(byte)
      index += 1
      if byte == UInt8(ascii: "&"), !isReference(bytes[index...].prefix(64)) {
        result += Array("amp;".utf8)
      }
    }
    return result
  }

  /// Whether a reference by a name stands there that XML itself does not know.
  static func hasNamedReference(_ bytes: [UInt8]) -> Bool {
    var index = 0
    while let found = bytes[index...].firstIndex(of: UInt8(ascii: "&")) {
      index = found + 1
      let name = bytes[index...].prefix(6)
      let isKnown = ["amp;", "lt;", "gt;", "quot;", "apos;", "#"].contains {
        name.starts(with: $0.utf8)
      }
      if !isKnown { return true }
    }
    return false
  }

  /// Whether a name or number up to a semicolon follows the `&`.
  private static func isReference(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")), end > rest.startIndex else {
      return false
    }
    let isAlphanumeric = { (byte: UInt8) in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == UInt8(ascii: "_") || byte >= 128
    }
    let name = rest[..<end]
    guard let first = name.first else { return false }
    if first == UInt8(ascii: "#") {
      return name.count > 1 && name.dropFirst().allSatisfy(isAlphanumeric)
    }
    return !(48...57).contains(first)
      && name.allSatisfy { isAlphanumeric($0) || $0 == 45 || $0 == 46 }
  }
}
