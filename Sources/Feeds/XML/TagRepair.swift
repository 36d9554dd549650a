import TextLayout

/// Takes out end tags that nothing began and puts in those that are missing, so that each element
/// ends where a reader would say: two stray `</p></div>` end the paragraph they stand in, not the
/// feed.
///
/// libxml2 takes any end tag for the end of the innermost element. A feed in which it found one
/// that did not fit is repaired and read again; what was repaired is told, for the rows it belongs
/// to.
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

  private let markup: XMLMarkup
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
    markup = XMLMarkup(source)
    line = firstLine
    bytes.reserveCapacity(source.count + source.count / 64)
    while let start = markup.opening(from: position) {
      copy(to: start)
      if let end = markup.sectionEnd(at: start) { copy(to: end) } else { readTag() }
    }
    copy(to: source.count)
  }

  private var source: [UInt8] { markup.bytes }

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

  private mutating func readTag() {
    let isEnd = position + 1 < source.count && source[position + 1] == UInt8(ascii: "/")
    let name = markup.name(at: position + (isEnd ? 2 : 1))
    guard !name.isEmpty, case let tag = markup.tag(at: position), tag.isClosed else {
      // A bare `<`, a document type, or the end of the bytes.
      return copy(to: position + 1)
    }
    if isEnd {
      close(name)
      position = tag.end
      line += source[name.upperBound..<tag.end].count { $0 == 0x0A }
    } else {
      copy(to: tag.end)
      guard source[tag.end - 2] != UInt8(ascii: "/") else { return }
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

  /// Elements that differ in case alone are one.
  private func key(_ name: Range<Int>) -> [UInt8] {
    source[name].map { (65...90).contains($0) ? $0 | 0x20 : $0 }
  }
}
