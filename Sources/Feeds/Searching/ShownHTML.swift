import System

/// Copies HTML without those attributes of its tags that nothing shows.
///
/// Only tags that every parser reads alike are touched. From the first that is not so on all is
/// kept: what follows may be inside of it. The same goes for elements whose content is no markup.
struct ShownHTML {
  /// How the HTML is written where it stands.
  enum Form {
    /// In a string of JSON.
    case json
    /// In a section of XML's character data.
    case section
    /// In the text of XML, with references for its signs.
    case escaped
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let form: Form
  private let end: Int

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ form: Form, end: Int) {
    (self.bytes, self.form, self.end) = (bytes, form, end)
  }

  /// Appends a range of HTML.
  ///
  /// - Returns: whether all of it was understood, so that what follows is no part of a tag.
  /// - Complexity: O(n) in the bytes
  static func append(
    _ range: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, _ form: Form,
    to shown: inout ShownBytes
  ) -> Bool {
    let html = ShownHTML(bytes, form, end: range.upperBound)
    var copied = range.lowerBound
    var position = range.lowerBound
    var isUnderstood = true
    while position < html.end {
      switch html.sign(at: position) {
      case .opening(let length):
        let next = position + length
        guard next < html.end else {
          isUnderstood = false
          break
        }
        let byte = bytes[next]
        if byte.isLetter || html.slash(at: next) > 0 {
          let count = shown.bytes.count
          shown.append(copied..<position, of: bytes)
          guard let tag = html.appendTag(at: position, behind: next, to: &shown) else {
            shown.removeAll(from: count)
            isUnderstood = false
            break
          }
          copied = tag.close
          position = tag.end
          continue
        }
        if byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\\") {
          isUnderstood = false
          break
        }
        position = next
        continue
      case .other(let length):
        position += length
        continue
      case .unknown: isUnderstood = false
      }
      break
    }
    shown.append(copied..<html.end, of: bytes)
    if !isUnderstood { shown.isInOrder = false }
    return isUnderstood
  }

  // MARK: Signs

  private enum Sign {
    case opening(Int)
    case other(Int)
    /// It may be the beginning of a tag, or not.
    case unknown
  }

  /// What stands at a place, and how many bytes it takes.
  @inline(__always) private func sign(at place: Int) -> Sign {
    let byte = bytes[place]
    switch form {
    case .section: return byte == UInt8(ascii: "<") ? .opening(1) : .other(1)
    case .json:
      if byte == UInt8(ascii: "<") { return .opening(1) }
      guard byte == UInt8(ascii: "\\") else { return .other(1) }
      return escaped(at: place) == 0x3C ? .opening(6) : .other(2)
    case .escaped:
      guard byte == UInt8(ascii: "&") else { return .other(1) }
      return reference(at: place)
    }
  }

  private func reference(at place: Int) -> Sign {
    if has("&lt;", at: place) { return .opening(4) }
    for known in ["&amp;", "&gt;", "&quot;", "&apos;", "&nbsp;"] as [StaticString]
    where has(known, at: place) {
      return .other(known.utf8CodeUnitCount)
    }
    guard case .character(let value, let next) = RowReferences.reference(in: bytes, at: place + 1),
      has("&#", at: place), value != 0x3C, next <= end
    else { return .unknown }
    return .other(next - place)
  }

  /// The code point of an escape `\u…`; nil for any other.
  private func escaped(at place: Int) -> UInt32? {
    guard place + 6 <= end, bytes[place + 1] == UInt8(ascii: "u") else { return nil }
    return RowReferences.hexadecimal(bytes, at: place + 2)
  }

  @inline(__always) private func has(_ text: StaticString, at place: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard place + count <= end else { return false }
    for index in 0..<count where bytes[place + index] != text.utf8Start[index] { return false }
    return true
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private func slash(at place: Int) -> Int {
    if bytes[place] == UInt8(ascii: "/") { return 1 }
    return form == .json && has("\\/", at: place) ? 2 : 0
  }

  private func skipBlanks(from place: Int) -> Int {
    var place = place
    while place < end {
      if [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) {
        place += 1
      } else if form == .json,
        has("\\n", at: place) || has("\\t", at: place) || has("\\r", at: place)
      {
        place += 2
      } else {
        break
      }
    }
    return place
  }

  /// How many bytes the end of a tag takes that stands here; 0 where none does.
  private func closing(at place: Int) -> Int {
    guard place < end else { return 0 }
    if bytes[place] == UInt8(ascii: ">") { return 1 }
    switch form {
    case .section: return 0
    case .json:
      return bytes[place] == UInt8(ascii: "\\") && escaped(at: place) == 0x3E ? 6 : 0
    case .escaped: return has("&gt;", at: place) ? 4 : 0
    }
  }

  /// The quotation mark that stands here, and how many bytes it takes.
  private func quote(at place: Int) -> (mark: UInt8, length: Int)? {
    guard place < end else { return nil }
    let byte = bytes[place]
    if byte == UInt8(ascii: "'") { return (byte, 1) }
    if byte == UInt8(ascii: "\""), form != .json { return (byte, 1) }
    switch form {
    case .section: return nil
    case .json:
      if has("\\\"", at: place) { return (0x22, 2) }
      guard byte == UInt8(ascii: "\\"), let value = escaped(at: place),
        value == 0x22 || value == 0x27
      else { return nil }
      return (UInt8(value), 6)
    case .escaped:
      if has("&quot;", at: place) { return (0x22, 6) }
      if has("&#34;", at: place) { return (0x22, 5) }
      if has("&apos;", at: place) { return (0x27, 6) }
      return has("&#39;", at: place) ? (0x27, 5) : nil
    }
  }

  // MARK: Tags

  private enum Content {
    case markupOfAnotherKind
    case hidden
  }

  /// Elements whose content is no markup, or another's, and others of which it is not shown.
  private static let others = ElementNames<Content>([
    (
      .markupOfAnotherKind,
      "script style textarea title xmp iframe noembed noframes plaintext noscript svg math"
        + " template select option listing head object"
    ), (.hidden, "button map canvas rp"),
  ])

  /// Appends a tag with the attributes that may be shown, up to its end.
  ///
  /// - Returns: where its end stands, and what is behind it; nil where it is not understood.
  private func appendTag(
    at start: Int, behind opening: Int, to shown: inout ShownBytes
  ) -> (close: Int, end: Int)? {
    var place = opening + slash(at: opening)
    let first = place
    while place < end, Self.isName(bytes[place]) { place += 1 }
    guard place > first, bytes[first].isLetter, place - first <= 12 else { return nil }
    switch Self.others[ElementName(bytes[first..<place])] {
    case .markupOfAnotherKind: return nil
    case .hidden: shown.isInOrder = false
    case nil: break
    }
    shown.append(start..<place, of: bytes)
    while true {
      let before = place
      place = skipBlanks(from: place)
      if place < end, slash(at: place) > 0 { place += slash(at: place) }
      let length = closing(at: place)
      if length > 0 { return (place, place + length) }
      guard place > before, let next = attribute(at: place, blanksAt: before, to: &shown) else {
        return nil
      }
      place = next
    }
  }

  /// Passes an attribute, which is appended where it may be shown.
  private func attribute(
    at start: Int, blanksAt before: Int, to shown: inout ShownBytes
  ) -> Int? {
    var place = start
    while place < end, Self.isName(bytes[place]) || bytes[place] == UInt8(ascii: ":") { place += 1 }
    guard place > start else { return nil }
    let name = start..<place
    let equals = skipBlanks(from: place)
    if equals < end, bytes[equals] == UInt8(ascii: "=") {
      guard let next = valueEnd(from: skipBlanks(from: equals + 1)) else { return nil }
      place = next
    }
    shown.append(attribute: name, all: before..<place, of: bytes)
    return place
  }

  /// The place behind a value in quotation marks.
  private func valueEnd(from start: Int) -> Int? {
    guard let (mark, length) = quote(at: start) else { return nil }
    var place = start + length
    while place < end {
      let byte = bytes[place]
      guard byte == 0x22 || byte == 0x27 || byte == 0x26 || byte == 0x3C || byte == 0x5C else {
        place += 1
        continue
      }
      if let (other, length) = quote(at: place) {
        if other == mark { return place + length }
        place += length
        continue
      }
      switch sign(at: place) {
      case .opening, .unknown: return nil
      case .other(let length): place += length
      }
    }
    return nil
  }
}
