import System

/// Gives an end tag to elements that hide what they hold and have none, as all that follows would be
/// taken for their content: `<style>`, `<title>`, `<iframe>`, `<select>`.
///
/// 1. The end stands right behind the start tag, behind the sources of a film. So all that follows
///    is shown; what was meant for the element, too.
/// 2. A comment without an end is none. Nor is a section of CDATA in HTML, which is a text that was
///    wrapped once too often: its words are shown.
/// 3. Nothing is looked for in the attributes of tags, in comments, and in elements whose content
///    is no markup.
struct UnclosedElements {
  private enum Kind {
    /// It ends with the first end tag of its name, as its content is no markup.
    case raw
    /// It ends with its own end tag.
    case nested
    /// It ends before the next of its kind, or with what it stands in.
    case choice, reading
  }

  private static let kinds = ElementNames<Kind>([
    (.raw, "script style title textarea iframe noembed noframes xmp"),
    (.nested, "head template svg select button map canvas noscript video audio object"),
    (.choice, "option optgroup datalist"), (.reading, "rp rt rb rtc ruby"),
  ])
  private static let choice: ElementName = "option"
  private static let readingMark: ElementName = "rp"
  /// Elements without content that belong to the film or object in which they stand.
  private static let sources = ElementNames<Bool>([(true, "source track param embed")])

  private struct Edit {
    let range: Range<Int>
    let bytes: [UInt8]
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }
  private var edits: [Edit] = []
  /// Start tags that wait for an end tag of their name, as the place for one and what it would be.
  private var waiting: [ElementName: [Edit]] = [:]
  /// Elements that have no end tag from here on.
  private var endless: Set<ElementName> = []
  private var hasEndlessComment = false
  private var hasEndlessSection = false

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// - Returns: nil where there is nothing to repair.
  /// - Complexity: O(n log n) in the bytes.
  static func closed(_ html: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var elements = UnclosedElements(html)
    return elements.isConcerned ? elements.repaired() : nil
  }

  /// Whether one of them begins somewhere, or a comment.
  private var isConcerned: Bool {
    var position = 0
    while let start = buffer.index(of: UInt8(ascii: "<"), from: position) {
      position = start + 1
      guard position < bytes.count else { return false }
      if bytes[position] == UInt8(ascii: "!") || bytes[position] == UInt8(ascii: "?") {
        return true
      }
      if Self.kinds[ElementName(bytes[position...].prefix(16).prefix { $0.isAlphanumeric })] != nil
      {
        return true
      }
    }
    return false
  }

  private mutating func repaired() -> [UInt8]? {
    var position = 0
    while let start = buffer.index(of: UInt8(ascii: "<"), from: position),
      start + 1 < bytes.count
    {
      position = next(behind: start)
    }
    edits += waiting.values.joined()
    guard !edits.isEmpty else { return nil }
    var result: [UInt8] = []
    var copied = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where edit.range.lowerBound >= copied {
      result += bytes[copied..<edit.range.lowerBound]
      result += edit.bytes
      copied = edit.range.upperBound
    }
    return result + bytes[copied...]
  }

  /// Where to go on behind what begins at `start`.
  private mutating func next(behind start: Int) -> Int {
    switch bytes[start + 1] {
    case UInt8(ascii: "!") where bytes[start...].starts(with: "<!--".utf8): return comment(start)
    case UInt8(ascii: "!") where bytes[start...].starts(with: "<![CDATA[".utf8):
      return section(start)
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      if let end = buffer.index(of: UInt8(ascii: ">"), from: start) { return end + 1 }
      edits.append(Edit(range: start..<start + 1, bytes: Array("&lt;".utf8)))
      return bytes.count
    default: break
    }
    var tag = HTMLTagScan(bytes, at: start)
    guard tag.isTag else { return start + 1 }
    while tag.next() != nil {}
    guard bytes[tag.end - 1] == UInt8(ascii: ">") else { return bytes.count }
    guard let kind = Self.kinds[tag.name] else { return tag.end }
    let isEnd = bytes[start + 1] == UInt8(ascii: "/")
    switch kind {
    case .raw:
      guard !isEnd else { return tag.end }
      if !endless.contains(tag.name), let end = end(of: tag.name, from: tag.end) { return end }
      endless.insert(tag.name)
      edits.append(end(behind: tag.end, of: start))
    case .nested:
      if tag.name == "select", isEnd { waiting[Self.choice] = nil }
      if isEnd {
        _ = waiting[tag.name]?.popLast()
      } else {
        waiting[tag.name, default: []].append(end(behind: passingSources(from: tag.end), of: start))
      }
    case .choice:
      waiting[Self.choice] = nil
      if !isEnd, tag.name == Self.choice {
        waiting[Self.choice] = [end(behind: tag.end, of: start)]
      }
    case .reading:
      waiting[Self.readingMark] = nil
      if !isEnd, tag.name == Self.readingMark {
        waiting[Self.readingMark] = [end(behind: tag.end, of: start)]
      }
    }
    return tag.end
  }

  /// An end tag for the element whose tag begins at `start`.
  private func end(behind place: Int, of start: Int) -> Edit {
    let name = bytes[(start + 1)...].prefix { $0.isAlphanumeric }
    return Edit(range: place..<place, bytes: Array("</".utf8) + name + [UInt8(ascii: ">")])
  }

  private func passingSources(from place: Int) -> Int {
    var end = place
    while let start = bytes[end...].firstIndex(where: { $0 > 32 }),
      case var tag = HTMLTagScan(bytes, at: start), bytes[start] == UInt8(ascii: "<"), tag.isTag,
      Self.sources[tag.name] != nil
    {
      while tag.next() != nil {}
      end = tag.end
    }
    return end
  }

  /// Where the next end tag of that name begins.
  private func end(of name: ElementName, from start: Int) -> Int? {
    var position = start
    while let found = buffer.index(of: UInt8(ascii: "<"), from: position) {
      position = found + 1
      guard position < bytes.count, bytes[position] == UInt8(ascii: "/") else { continue }
      if ElementName(bytes[(position + 1)...].prefix(16).prefix { $0.isAlphanumeric }) == name {
        return found
      }
    }
    return nil
  }

  // MARK: Comments and sections

  private mutating func comment(_ start: Int) -> Int {
    let text = start + 4
    for mark in [">", "->"] where bytes[text...].starts(with: mark.utf8) {
      edits.append(Edit(range: start..<text + mark.utf8.count, bytes: Self.emptyComment))
      return text + mark.utf8.count
    }
    var position = hasEndlessComment ? bytes.count : text
    while let found = buffer.index(of: UInt8(ascii: "-"), from: position) {
      position = found + 1
      let rest = bytes[position...]
      if rest.starts(with: "->".utf8) { return found + 3 }
      if rest.starts(with: "-!>".utf8) {
        edits.append(Edit(range: start..<found + 4, bytes: Self.emptyComment))
        return found + 4
      }
    }
    hasEndlessComment = true
    edits.append(Edit(range: start..<text, bytes: [UInt8(ascii: " ")]))
    return text
  }
  private static let emptyComment = Array("<!---->".utf8)

  private mutating func section(_ start: Int) -> Int {
    let text = start + 9
    edits.append(Edit(range: start..<text, bytes: []))
    if !hasEndlessSection {
      if let end = XMLScan.end(UInt8(ascii: "]"), in: buffer, from: text) {
        edits.append(Edit(range: end - 3..<end, bytes: []))
      } else {
        hasEndlessSection = true
      }
    }
    return text
  }
}
