import TextLayout

/// Takes out end tags that nothing began and puts in those that are missing, so that each element ends
/// where a reader would say: two stray `</p></div>` end the paragraph they stand in, not the feed.
///
/// libxml2 takes any end tag for the end of the innermost element. A feed in which it found one that did
/// not fit is repaired and read again; what was repaired is told, for the rows it belongs to.
struct TagRepair {
  /// A tag that was taken out or put in.
  struct Change {
    /// Where, in the repaired bytes.
    let byte: Int
    let line: Int
    /// Taken out; put in where it is false.
    let isStray: Bool
    /// The name of its element, in the bytes that were given.
    let name: Range<Int>
  }

  private let source: [UInt8]
  private(set) var bytes: [UInt8] = []
  private(set) var changes: [Change] = []
  /// Where the names of open elements stand.
  private var open: [Range<Int>] = []
  private var openCounts: [[UInt8]: Int] = [:]
  private var line: Int
  /// What of the source has been copied or left out.
  private var position = 0

  /// - Complexity: O(n) in the bytes.
  init(_ source: [UInt8], firstLine: Int) {
    self.source = source
    line = firstLine
    bytes.reserveCapacity(source.count + source.count / 64)
    while let start = source[position...].firstIndex(of: UInt8(ascii: "<")) {
      copy(to: start)
      if !skip("<![CDATA[", to: "]]>"), !skip("<!--", to: "-->"), !skip("<?", to: "?>") {
        readTag()
      }
    }
    copy(to: source.count)
  }

  /// What is said of a change.
  func message(_ change: Change) -> String {
    let name = Sanitizer.line(String(decoding: source[change.name].prefix(60), as: UTF8.self))
    return change.isStray ? "an end of “\(name)” that began nowhere" : "“\(name)” has no end"
  }

  private mutating func copy(to end: Int) {
    line += source[position..<end].count { $0 == 0x0A }
    bytes += source[position..<end]
    position = end
  }

  /// Copies a section that begins here with `start`, up to and with its end.
  private mutating func skip(_ start: StaticString, to end: StaticString) -> Bool {
    guard source[position...].starts(with: bytes(of: start)) else { return false }
    var index = position + start.utf8CodeUnitCount
    while index < source.count, !source[index...].starts(with: bytes(of: end)) { index += 1 }
    copy(to: min(index + end.utf8CodeUnitCount, source.count))
    return true
  }

  private func bytes(of text: StaticString) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  private mutating func readTag() {
    let isEnd = position + 1 < source.count && source[position + 1] == UInt8(ascii: "/")
    let name = self.name(at: position + (isEnd ? 2 : 1))
    guard !name.isEmpty, let end = tagEnd(from: name.upperBound) else {
      // A bare `<`, a document type, or the end of the bytes.
      return copy(to: position + 1)
    }
    if isEnd {
      close(name)
      position = end
      line += source[name.upperBound..<end].count { $0 == 0x0A }
    } else {
      copy(to: end)
      guard source[end - 2] != UInt8(ascii: "/") else { return }
      open.append(name)
      openCounts[key(name), default: 0] += 1
    }
  }

  private mutating func close(_ name: Range<Int>) {
    guard openCounts[key(name), default: 0] > 0 else {
      changes.append(Change(byte: bytes.count, line: line, isStray: true, name: name))
      return
    }
    while let inner = open.popLast() {
      openCounts[key(inner), default: 0] -= 1
      let isLast = key(inner) == key(name)
      if !isLast {
        changes.append(Change(byte: bytes.count, line: line, isStray: false, name: inner))
      }
      bytes += Array("</".utf8) + source[inner] + [UInt8(ascii: ">")]
      if isLast { return }
    }
  }

  private func name(at start: Int) -> Range<Int> {
    guard start < source.count, isNameByte(source[start]), source[start] > UInt8(ascii: "9") else {
      return start..<start
    }
    return start..<(source[start...].firstIndex { !isNameByte($0) } ?? source.count)
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...58, 65...90, 97...122, 45, 46, 95, 128...: true
    default: false
    }
  }

  /// Elements that differ in case alone are one.
  private func key(_ name: Range<Int>) -> [UInt8] {
    source[name].map { (65...90).contains($0) ? $0 | 0x20 : $0 }
  }

  /// Behind the `>` of the tag; nil where another tag begins or the bytes end before it.
  private func tagEnd(from start: Int) -> Int? {
    var quote: UInt8?
    for index in start..<source.count {
      let byte = source[index]
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: ">"): return index + 1
      case UInt8(ascii: "<"): return nil
      default: break
      }
    }
    return nil
  }
}
