import System

/// Adds missing end tags to elements that hide their content, such as `<style>`, `<title>`,
/// `<iframe>`, `<select>` and `<div hidden>`: without one a parser takes the rest of the text for
/// hidden content.
///
/// 1. The end tag is inserted right after the start tag, or after the sources of a video.
///    Everything that follows is shown, including content that was meant for the element.
/// 2. A comment without an end is text. So is a CDATA section in HTML, closed or not: it is text
///    that was wrapped once too often.
/// 3. A value without a closing quote ends before the next `>`.
/// 4. Attributes, comments, and elements without markup in them are not searched.
struct HTMLEndTagRepair {
  private static let choice: ElementName = "option"
  private static let readingMark: ElementName = "rp"
  private static let hidden: ElementName = "hidden"
  /// Elements that end without an end tag.
  private static let endlessByDesign = [ElementName: Bool](names: [
    (true, "p li dt dd tr td th thead tbody tfoot caption colgroup optgroup rb rt rtc body html")
  ])

  private struct Edit {
    let range: Range<Int>
    let bytes: [UInt8]
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }
  private var edits: [Edit] = []
  /// The end tags to insert for start tags whose end tag has not come yet.
  private var waiting: [ElementName: [Edit]] = [:]
  /// The open elements of each name from the outermost one with a `hidden` attribute on, with the
  /// end tags to insert for those that have the attribute.
  private var hiding: [ElementName: [Edit?]] = [:]
  /// Elements that have no end tag from here on.
  private var endless: Set<ElementName> = []
  private var hasUnclosedComment = false
  private var hasUnclosedSection = false
  /// Offset behind the end of the last CDATA section found.
  private var sectionEnd = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// - Returns: the repaired text; `nil` if there is nothing to repair.
  /// - Complexity: O(n log n) in the bytes.
  static func closed(_ html: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var elements = HTMLEndTagRepair(html)
    return elements.repaired()
  }

  private func isHidden(_ attribute: HTMLTagScanner.Attribute) -> Bool {
    attribute.name.count == 6 && ElementName(bytes[attribute.name]) == Self.hidden
  }

  private mutating func repaired() -> [UInt8]? {
    var position = 0
    while let start = buffer.index(of: UInt8(ascii: "<"), from: position),
      start + 1 < bytes.count
    {
      position = next(behind: start)
    }
    for tags in waiting.values { edits += tags }
    for tags in hiding.values { edits += tags.compactMap(\.self) }
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

  /// Examines the markup at `start`, and returns the position after it.
  private mutating func next(behind start: Int) -> Int {
    switch MarkupSection(in: buffer, at: start) {
    case .comment: return comment(start)
    case .characterData: return characterData(start)
    case nil where bytes[start + 1] != UInt8(ascii: "!"): break
    case .instruction, nil:
      if let end = buffer.index(of: UInt8(ascii: ">"), from: start) { return end + 1 }
      edits.append(Edit(range: start..<start + 1, bytes: Array("&lt;".utf8)))
      return bytes.count
    }
    var tag = HTMLTagScanner(bytes, at: start)
    guard tag.isTag else { return start + 1 }
    var isHidden = false
    while let attribute = tag.next() {
      isHidden = isHidden || self.isHidden(attribute)
      guard !attribute.isClosed else { continue }
      let (value, quote) = (attribute.value, bytes[attribute.value.lowerBound - 1])
      edits.append(Edit(range: value.upperBound..<value.upperBound, bytes: [quote]))
    }
    guard bytes[tag.end - 1] == UInt8(ascii: ">") else { return bytes.count }
    let isEnd = bytes[start + 1] == UInt8(ascii: "/")
    guard let ending = HTMLElement(tag.name)?.ending else {
      let standsAlone = bytes[tag.end - 2] == UInt8(ascii: "/")
      track(tag.name, at: start, end: tag.end, isEnd: isEnd, isHidden: isHidden && !standsAlone)
      return tag.end
    }
    switch ending {
    case .raw:
      guard !isEnd else { return tag.end }
      if !endless.contains(tag.name),
        let end = HTMLTagScanner.endTag(of: tag.name, in: buffer, from: tag.end)
      {
        return end
      }
      endless.insert(tag.name)
      edits.append(end(behind: tag.end, of: start))
    case .nested:
      if tag.name == "select", isEnd { waiting[Self.choice] = nil }
      if isEnd {
        _ = waiting[tag.name]?.popLast()
      } else {
        waiting[tag.name, default: []].append(
          end(behind: skippingSources(from: tag.end), of: start))
      }
    case .choice, .reading:
      let hidden = ending == .choice ? Self.choice : Self.readingMark
      waiting[hidden] = !isEnd && tag.name == hidden ? [end(behind: tag.end, of: start)] : nil
    }
    return tag.end
  }

  /// Tracks an element that its attribute may hide, or that is inside such a one of its name.
  private mutating func track(
    _ name: ElementName, at start: Int, end: Int, isEnd: Bool, isHidden: Bool
  ) {
    guard isHidden || hiding[name] != nil, HTMLElement(name)?.has(.void) != true,
      Self.endlessByDesign[name] == nil
    else { return }
    if isEnd {
      _ = hiding[name]?.popLast()
      if hiding[name]?.isEmpty == true { hiding[name] = nil }
    } else {
      hiding[name, default: []].append(isHidden ? self.end(behind: end, of: start) : nil)
    }
  }

  /// An end tag for the element whose tag begins at `start`.
  private func end(behind place: Int, of start: Int) -> Edit {
    let name = bytes[(start + 1)...].prefix(while: HTMLTagScanner.isInName)
    return Edit(range: place..<place, bytes: Array("</".utf8) + name + [UInt8(ascii: ">")])
  }

  private func skippingSources(from place: Int) -> Int {
    var end = place
    while let start = bytes[end...].firstIndex(where: { $0 > 32 }),
      case var tag = HTMLTagScanner(bytes, at: start), bytes[start] == UInt8(ascii: "<"), tag.isTag,
      HTMLElement(tag.name)?.has(.mediaPart) == true
    {
      while tag.next() != nil {}
      end = tag.end
    }
    return end
  }

  // MARK: Comments and sections

  private mutating func comment(_ start: Int) -> Int {
    let text = start + 4
    for mark in [">", "->"] where bytes[text...].starts(with: mark.utf8) {
      edits.append(Edit(range: start..<text + mark.utf8.count, bytes: Self.emptyComment))
      return text + mark.utf8.count
    }
    var position = hasUnclosedComment ? bytes.count : text
    while let found = buffer.index(of: UInt8(ascii: "-"), from: position) {
      position = found + 1
      let rest = bytes[position...]
      if rest.starts(with: "->".utf8) { return found + 3 }
      if rest.starts(with: "-!>".utf8) {
        edits.append(Edit(range: start..<found + 4, bytes: Self.emptyComment))
        return found + 4
      }
    }
    hasUnclosedComment = true
    edits.append(Edit(range: start..<text, bytes: [UInt8(ascii: " ")]))
    return text
  }
  private static let emptyComment = Array("<!---->".utf8)

  private mutating func characterData(_ start: Int) -> Int {
    let text = start + 9
    edits.append(Edit(range: start..<text, bytes: []))
    // A section that begins in another one has the same end, which is searched only once.
    if !hasUnclosedSection, text > sectionEnd - 3 {
      if let end = MarkupSection.characterData.end(in: buffer, from: text) {
        sectionEnd = end
        edits.append(Edit(range: end - 3..<end, bytes: []))
      } else {
        hasUnclosedSection = true
      }
    }
    return text
  }
}
