import System

/// Finds tags in bytes, and the sections that contain none, without parsing.
struct XMLMarkup {
  /// Markup that begins with a `<` and is no section.
  struct Tag {
    /// Offset behind its `>`; without one, offset of the next `<` or of the end of the bytes.
    var end: Int
    var isClosed = false
    /// Number of `=` outside of quotes.
    var attributes = 0
  }

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Offset of the next `<`.
  func opening(from start: Int) -> Int? {
    bytes.withUnsafeBytes { $0.index(of: UInt8(ascii: "<"), from: start) }
  }

  /// Offset behind the comment, CDATA section or processing instruction that begins at `start`; the
  /// end of the bytes if it is not closed; `nil` if none begins there.
  ///
  /// - Complexity: O(n) in its bytes.
  func sectionEnd(at start: Int) -> Int? {
    guard bytes[start] == UInt8(ascii: "<") else { return nil }
    return bytes.withUnsafeBytes { bytes in
      guard let section = MarkupSection(in: bytes, at: start) else { return nil }
      return section.end(in: bytes, from: start + section.mark.count) ?? bytes.count
    }
  }

  /// The tag that begins at `start`.
  ///
  /// - Complexity: O(n) in its bytes.
  func tag(at start: Int) -> Tag { bytes.withUnsafeBytes { Self.tag(in: $0, at: start) } }

  /// A quotation mark begins a value only behind a `=`.
  static func tag(in bytes: UnsafeRawBufferPointer, at start: Int) -> Tag {
    var tag = Tag(end: bytes.count)
    var quote: UInt8?
    var last: UInt8 = 0
    for index in start + 1..<bytes.count {
      let byte = bytes[index]
      defer { if byte > 0x20 { last = byte } }
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): if last == UInt8(ascii: "=") { quote = byte }
      case UInt8(ascii: "="): tag.attributes += 1
      case UInt8(ascii: ">"):
        (tag.end, tag.isClosed) = (index + 1, true)
        return tag
      // Text with a bare `<`.
      case UInt8(ascii: "<"):
        tag.end = index
        return tag
      default: break
      }
    }
    return tag
  }

  /// The range of the name at `start`; empty if there is none.
  func name(at start: Int) -> Range<Int> {
    guard start < bytes.count, bytes[start] > UInt8(ascii: "9") else { return start..<start }
    return start..<bytes.withUnsafeBytes { Self.nameEnd(in: $0, from: start) }
  }

  /// Offset behind the bytes of a name from `start` on, of which at most `count` are examined.
  static func nameEnd(
    in bytes: UnsafeRawBufferPointer, from start: Int, atMost count: Int = .max
  ) -> Int {
    let last = count < bytes.count - start ? start + count : bytes.count
    var end = start
    while end < last {
      switch bytes[end] {
      case 48...58, 65...90, 97...122, 45, 46, 95, 128...: end += 1
      default: return end
      }
    }
    return end
  }

  /// Offset of the first byte from `start` on that is not blank.
  func blankEnd(from start: Int) -> Int {
    bytes.withUnsafeBytes { Self.blankEnd($0, from: start) }
  }

  /// Offset of the last tag if the bytes end inside it.
  ///
  /// - Complexity: O(n) in the bytes.
  var unfinishedTag: Int? {
    var last: Int?
    var position = 0
    while let start = opening(from: position) {
      position = sectionEnd(at: start) ?? start + 1
      if position == start + 1 { last = start }
    }
    guard let last, !tag(at: last).isClosed else { return nil }
    return last
  }

  /// The name of the first element in lower case. As in HTML, an instruction needs no `?>`: it is
  /// skipped up to the next `<`.
  var firstElement: String? {
    var position = 0
    while let start = opening(from: position) {
      let name = name(at: start + 1)
      if !name.isEmpty { return String(decoding: bytes[name], as: UTF8.self).lowercased() }
      let isInstruction = bytes[start...].starts(with: "<?".utf8)
      position = isInstruction ? start + 1 : sectionEnd(at: start) ?? start + 1
    }
    return nil
  }

  /// Offset of the first tag with more attributes than are read; `nil` if there is none. libxml2
  /// compares each attribute with all before it, and has no limit: a tag of a megabyte takes it
  /// minutes.
  ///
  /// Every `<` is examined, in sections and document types as well: only parsing as libxml2 does
  /// could show which of them it takes for tags.
  ///
  /// - Complexity: O(n) in the bytes, because no attribute continues behind a `<`.
  var overfullTag: Int? {
    bytes.withUnsafeBytes { buffer in
      var position = 0
      while let start = buffer.index(of: UInt8(ascii: "<"), from: position) {
        if Self.isCrowded(buffer, at: start) { return start }
        position = start + 1
      }
      return nil
    }
  }

  /// Whether more attributes with quoted values follow each other than a tag may have.
  private static func isCrowded(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    var index = anyNameEnd(bytes, from: start + 1)
    for _ in 0...FeedLimits.tagAttributes {
      let name = blankEnd(bytes, from: index)
      let nameEnd = anyNameEnd(bytes, from: name)
      index = blankEnd(bytes, from: nameEnd)
      guard nameEnd > name, index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
        return false
      }
      index = blankEnd(bytes, from: index + 1)
      guard index < bytes.count, case let quote = bytes[index],
        quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      else { return false }
      repeat {
        index += 1
      } while index < bytes.count && bytes[index] != quote
        && bytes[index] != UInt8(ascii: "<")
      guard index < bytes.count, bytes[index] == quote else { return false }
      index += 1
    }
    return true
  }

  private static func blankEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    return index
  }

  /// Offset behind all bytes that any parser may take for a name.
  private static func anyNameEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: "="),
        UInt8(ascii: ">"):
        return index
      default: index += 1
      }
    }
    return index
  }
}
