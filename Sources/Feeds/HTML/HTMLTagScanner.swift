import System

/// Scans the attributes of an HTML tag, one after another.
struct HTMLTagScanner {
  struct Attribute {
    var name: Range<Int>
    /// Without its quotes.
    var value: Range<Int>
    var isQuoted: Bool
    /// Whether a quoted value has its closing quote; if not, it ends with the tag.
    var isClosed = true
  }

  /// The position of the next end tag of that name.
  ///
  /// - Complexity: O(n) in the bytes up to it.
  static func endTag(
    of name: ElementName, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    var position = start
    while let found = bytes.index(of: UInt8(ascii: "<"), from: position) {
      position = found + 1
      guard position < bytes.count, bytes[position] == UInt8(ascii: "/") else { continue }
      let written = bytes[(position + 1)...].prefix(16).prefix { $0.isAlphanumeric }
      if ElementName(written) == name { return found }
    }
    return nil
  }

  /// Passes each tag outside of comments to `tag`, which must read all of its attributes, with
  /// whether it is a start tag; and the bytes before each `<` to `text`.
  ///
  /// - Parameter isRaw: whether an element's content is no markup: nothing in it is passed on.
  /// - Complexity: O(n) in the bytes.
  static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, isRaw: (ElementName) -> Bool,
    text passText: (Slice<UnsafeBufferPointer<UInt8>>) -> Void,
    tag passTag: (inout HTMLTagScanner, _ isStart: Bool) -> Void
  ) {
    let buffer = UnsafeRawBufferPointer(bytes)
    var position = 0
    var hasUnclosedComment = false
    // Elements that have no end tag from here on.
    var endless: Set<ElementName> = []
    while position < bytes.count {
      let start = buffer.index(of: UInt8(ascii: "<"), from: position) ?? bytes.count
      passText(bytes[position..<start])
      guard start < bytes.count else { return }
      if let section = MarkupSection(in: buffer, at: start), section == .comment {
        // Without an end it is no comment.
        let end = hasUnclosedComment ? nil : section.end(in: buffer, from: start + 4)
        hasUnclosedComment = end == nil
        position = end ?? start + 4
        continue
      }
      var tag = HTMLTagScanner(bytes, at: start)
      guard tag.isTag else {
        position = start + 1
        continue
      }
      let isStart = bytes[start + 1] != UInt8(ascii: "/")
      passTag(&tag, isStart)
      position = tag.end
      guard isStart, isRaw(tag.name), !endless.contains(tag.name) else { continue }
      if let end = endTag(of: tag.name, in: buffer, from: position) {
        position = end
      } else {
        endless.insert(tag.name)
      }
    }
  }

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var name = ElementName("")
  private(set) var isTag = false
  /// The end of the part that was scanned; of the whole tag once `next()` has returned `nil`.
  private(set) var end: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
    self.bytes = bytes
    end = start + 1
    if end < bytes.count, bytes[end] == UInt8(ascii: "/") { end += 1 }
    guard end < bytes.count, (bytes[end] | 0x20) &- UInt8(ascii: "a") < 26 else { return }
    isTag = true
    let first = end
    while end < bytes.count, Self.isInName(bytes[end]) { end += 1 }
    name = ElementName(bytes[first..<end])
  }

  /// The next attribute; `nil` at the end of the tag.
  mutating func next() -> Attribute? {
    while end < bytes.count, bytes[end] <= 32 || bytes[end] == UInt8(ascii: "/") { end += 1 }
    guard end < bytes.count, bytes[end] != UInt8(ascii: ">") else {
      end = min(bytes.count, end + 1)
      return nil
    }
    let first = end
    end += 1
    while end < bytes.count, Self.isInName(bytes[end]) { end += 1 }
    let name = first..<end
    var value = end
    while value < bytes.count, bytes[value] <= 32 { value += 1 }
    guard value < bytes.count, bytes[value] == UInt8(ascii: "=") else {
      return Attribute(name: name, value: end..<end, isQuoted: false)
    }
    value += 1
    while value < bytes.count, bytes[value] <= 32 { value += 1 }
    end = value
    guard value < bytes.count else {
      return Attribute(name: name, value: end..<end, isQuoted: false)
    }
    let quote = bytes[value]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = value + 1
      if let close = bytes[start...].firstIndex(of: quote) {
        end = close + 1
        return Attribute(name: name, value: start..<close, isQuoted: true)
      }
      end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
      return Attribute(name: name, value: start..<end, isQuoted: true, isClosed: false)
    }
    while end < bytes.count, bytes[end] > 32, bytes[end] != UInt8(ascii: ">") { end += 1 }
    return Attribute(name: name, value: value..<end, isQuoted: false)
  }

  static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...32, UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "/"): false
    default: true
    }
  }
}
