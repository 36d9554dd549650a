import System

/// Removes the attributes of an HTML tag beyond ``FeedLimits/tagAttributes``: libxml2 compares each
/// one with all before it, so a tag of a megabyte would take minutes.
///
/// 1. Tags are read as libxml2 reads them: a value in quotes follows only a `=`; anything that is
///    not a name is skipped up to the next blank or `>`.
/// 2. Every `<` is examined, even in a value: whether it begins a tag depends on the preceding
///    text.
/// 3. If values contain more `<` than can be examined in linear time, the rest is treated as text.
struct HTMLAttributeLimiter {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The number of bytes that may still be examined.
  private var budget: Int

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    budget = 4 * bytes.count + FeedLimits.beginningBytes
  }

  /// - Returns: `nil` if there is nothing to remove.
  /// - Complexity: O(n) in the bytes.
  static func withFewerAttributes(_ html: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var tags = HTMLAttributeLimiter(html)
    return tags.withFewerAttributes()
  }

  private mutating func withFewerAttributes() -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    var position = 0
    let buffer = UnsafeRawBufferPointer(bytes)
    while let start = buffer.index(of: UInt8(ascii: "<"), from: position) {
      position = start + 1
      guard let surplus = surplus(ofTagAt: start) else { continue }
      result += bytes[copied..<surplus.lowerBound]
      (copied, position) = (surplus.upperBound, max(position, surplus.upperBound))
      guard budget > 0 else {
        for byte in bytes[copied...] {
          if byte == UInt8(ascii: "<") { result += Array("&lt;".utf8) } else { result.append(byte) }
        }
        return result
      }
    }
    guard copied > 0 else { return nil }
    return result + bytes[copied...]
  }

  /// The surplus attributes of a tag; `nil` if there are none, empty if the budget is spent.
  private mutating func surplus(ofTagAt start: Int) -> Range<Int>? {
    var index = start + 1
    guard index < bytes.count, Self.beginsName(bytes[index]) || bytes[index] >= 0x80 else {
      return nil
    }
    while index < bytes.count, Self.isInName(bytes[index]) || bytes[index] >= 0x80 { index += 1 }
    var count = 0
    var cut: Int?
    while index < bytes.count {
      let before = index
      defer { budget -= index - before }
      if Self.isBlank(bytes[index]) {
        index += 1
        continue
      }
      if bytes[index] == UInt8(ascii: ">") { break }
      guard budget > 0 else { return start..<start }
      count += 1
      if count > FeedLimits.tagAttributes, cut == nil { cut = index }
      skipAttribute(&index)
    }
    guard let cut else { return nil }
    // A tag in a comment may be cut off by the end of the comment, which stays.
    let isComment = index - cut >= 2 && bytes[index - 1] == 0x2D && bytes[index - 2] == 0x2D
    return cut..<(isComment ? index - 2 : index)
  }

  /// Moves `index` past an attribute with its value, or past text that is not a name.
  private func skipAttribute(_ index: inout Int) {
    guard Self.beginsName(bytes[index]) else {
      while index < bytes.count, !Self.isBlank(bytes[index]), bytes[index] != UInt8(ascii: ">") {
        index += 1
      }
      return
    }
    // libxml2 splits a longer name.
    let longest = index + 100
    while index < min(bytes.count, longest), Self.isInName(bytes[index]) { index += 1 }
    var value = index
    while value < bytes.count, Self.isBlank(bytes[value]) { value += 1 }
    guard value < bytes.count, bytes[value] == UInt8(ascii: "=") else { return }
    value += 1
    while value < bytes.count, Self.isBlank(bytes[value]) { value += 1 }
    index = value
    guard index < bytes.count else { return }
    let quote = bytes[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      repeat { index += 1 } while index < bytes.count && bytes[index] != quote
      index = min(bytes.count, index + 1)
    } else {
      while index < bytes.count, !Self.isBlank(bytes[index]), bytes[index] != UInt8(ascii: ">") {
        index += 1
      }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func beginsName(_ byte: UInt8) -> Bool {
    switch byte {
    case 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "."): true
    default: false
    }
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    beginsName(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
  }
}
