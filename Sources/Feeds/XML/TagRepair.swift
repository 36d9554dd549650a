import TextLayout

/// Removes stray end tags and adds missing ones, so that each element ends where a human would end
/// it: two stray `</p></div>` end their paragraph, not the feed, and an `<enclosure>` without an
/// end does not contain its siblings.
///
/// libxml2 takes any end tag for the end of the innermost element. If it reports a mismatched or
/// missing end tag, the item is repaired and read again, and the first change is reported.
///
/// An element without an end tag ends
/// 1. at once, if no element of its name ever holds anything (`<br>`);
/// 2. before the next element of a feed that it cannot hold (``FeedElementContent``), if it is one
///    itself or stands directly in an item;
/// 3. with the element it stands in.
struct TagRepair {
  /// A tag of the source that is closed by its own `>`.
  private struct Tag {
    enum Kind {
      case start, end, empty
    }

    let range: Range<Int>
    let name: Range<Int>
    let kind: Kind
    /// Whether a start tag has no end tag of its own.
    var isUnclosed = false
  }

  private struct Open {
    let name: Range<Int>
    /// The line in which it begins.
    let line: Int
    /// The content the element may have; `nil` if it does not end early.
    let content: FeedElementContent?
  }

  private let markup: XMLMarkup
  private(set) var bytes: [UInt8] = []
  /// The first tag that was removed or inserted, as an error.
  private(set) var fault: XMLFeedParser.Fault?
  private var open: [Open] = []
  private var openCounts: [ElementName: Int] = [:]
  /// Indices in `open` of elements that have a `content`, and of those that must not end early:
  /// elements with an end tag, and elements that hold whole items.
  private var closableElements: [Int] = []
  private var fixed: [Int] = []
  private var line: Int
  /// Offset up to which the source has been copied or left out.
  private var position = 0

  /// - Complexity: O(n) in the bytes.
  init(_ source: [UInt8], firstLine: Int) {
    markup = XMLMarkup(source)
    line = firstLine
    bytes.reserveCapacity(source.count + source.count / 64)
    for tag in tags() {
      copy(to: tag.range.lowerBound)
      switch tag.kind {
      case .start: begin(tag)
      case .empty:
        endBefore(tag.name)
        copy(to: tag.range.upperBound)
      case .end:
        close(tag.name)
        position = tag.range.upperBound
        line += source[tag.name.upperBound..<tag.range.upperBound].count { $0 == 0x0A }
      }
    }
    copy(to: source.count)
  }

  private var source: [UInt8] { markup.bytes }

  /// Notes a stray tag, which was removed, or else a missing one, which was inserted.
  ///
  /// - Parameters:
  ///   - name: the name of its element, as a range of the source.
  ///   - line: the line of the stray tag, or the line in which the element without an end begins.
  private mutating func note(_ name: Range<Int>, line: Int, isStray: Bool) {
    guard fault == nil else { return }
    let name = Sanitizer.line(String(decoding: source[name].prefix(60), as: UTF8.self))
    fault = XMLFeedParser.Fault(
      line: line,
      message: isStray ? "an end of “\(name)” that began nowhere" : "“\(name)” has no end")
  }

  /// The tags outside of sections, except a bare `<`, a document type, and an unfinished tag at the
  /// end of the bytes.
  private func tags() -> [Tag] {
    var tags: [Tag] = []
    // Start tags without an end tag so far: their indices, and their number per name.
    var waiting: [Int] = []
    var counts: [ElementName: Int] = [:]
    var position = 0
    while let start = markup.opening(from: position) {
      position = markup.sectionEnd(at: start) ?? start + 1
      guard position == start + 1 else { continue }
      let isEnd = position < source.count && source[position] == UInt8(ascii: "/")
      let name = markup.name(at: position + (isEnd ? 1 : 0))
      guard !name.isEmpty, case let tag = markup.tag(at: start), tag.isClosed else { continue }
      position = tag.end
      let isEmpty = source[tag.end - 2] == UInt8(ascii: "/")
      tags.append(
        Tag(range: start..<tag.end, name: name, kind: isEnd ? .end : isEmpty ? .empty : .start))
      if isEnd {
        guard counts[key(name), default: 0] > 0 else { continue }
        while let index = waiting.popLast() {
          counts[key(tags[index].name), default: 0] -= 1
          if key(tags[index].name) == key(name) { break }
          tags[index].isUnclosed = true
        }
      } else if !isEmpty {
        waiting.append(tags.count - 1)
        counts[key(name), default: 0] += 1
      }
    }
    for index in waiting { tags[index].isUnclosed = true }
    return tags
  }

  private mutating func copy(to end: Int) {
    line += source[position..<end].count { $0 == 0x0A }
    bytes += source[position..<end]
    position = end
  }

  private mutating func begin(_ tag: Tag) {
    endBefore(tag.name)
    let line = line
    copy(to: tag.range.upperBound)
    let content = FeedElementContent(source[tag.name])
    let isInContainer = open.last.map { FeedElementContent(source[$0.name]) == .feed } ?? false
    let mayEnd = tag.isUnclosed && content != .feed && (content != nil || isInContainer)
    let own = mayEnd ? content ?? .markup : nil
    if mayEnd {
      closableElements.append(open.count)
    } else if !tag.isUnclosed || content == .feed {
      fixed.append(open.count)
    }
    open.append(Open(name: tag.name, line: line, content: own))
    openCounts[key(tag.name), default: 0] += 1
    if own == .never { endElements(from: open.count - 1) }
  }

  /// Ends the elements without an end tag that cannot hold an element of that name.
  private mutating func endBefore(_ name: Range<Int>) {
    while let index = closableElements.last, index > fixed.last ?? -1,
      let content = open[index].content,
      !content.mayHold(source[name], in: source[open[index].name])
    {
      endElements(from: index)
    }
  }

  private mutating func endElements(from index: Int) {
    while open.count > index, let inner = pop() { end(inner) }
  }

  private mutating func pop() -> Open? {
    guard let last = open.popLast() else { return nil }
    openCounts[key(last.name), default: 0] -= 1
    if closableElements.last == open.count { closableElements.removeLast() }
    if fixed.last == open.count { fixed.removeLast() }
    return last
  }

  /// Inserts an end tag that is missing in the source.
  private mutating func end(_ element: Open) {
    note(element.name, line: element.line, isStray: false)
    write(endOf: element.name)
  }

  private mutating func write(endOf name: Range<Int>) {
    bytes += Array("</".utf8) + source[name] + [UInt8(ascii: ">")]
  }

  private mutating func close(_ name: Range<Int>) {
    guard openCounts[key(name), default: 0] > 0 else {
      note(name, line: line, isStray: true)
      return
    }
    while let inner = pop() {
      guard key(inner.name) != key(name) else { return write(endOf: inner.name) }
      end(inner)
    }
  }

  /// Elements whose names differ only in case are the same.
  private func key(_ name: Range<Int>) -> ElementName { ElementName(source[name]) }
}
