import System

/// Adds missing end tags to elements that hide their content, such as `<style>`, `<title>`,
/// `<iframe>` and `<select>`: without one a parser takes the rest of the text for hidden content.
///
/// 1. The end tag is inserted right after the start tag, or after the sources of a video.
///    Everything that follows is shown, including content that was meant for the element.
/// 2. A comment without an end is text. So is a CDATA section in HTML, closed or not: it is text
///    that was wrapped once too often.
/// 3. Attributes, comments, and elements without markup in them are not searched.
struct HTMLEndTagRepair {
  private static let choice: ElementName = "option"
  private static let readingMark: ElementName = "rp"

  private struct Edit {
    let range: Range<Int>
    let bytes: [UInt8]
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }
  private var edits: [Edit] = []
  /// The end tags to insert for start tags whose end tag has not come yet.
  private var waiting: [ElementName: [Edit]] = [:]
  /// Elements that have no end tag from here on.
  private var endless: Set<ElementName> = []
  private var hasUnclosedComment = false
  private var hasUnclosedSection = false

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// - Returns: the repaired text; `nil` if there is nothing to repair.
  /// - Complexity: O(n log n) in the bytes.
  static func closed(_ html: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var elements = HTMLEndTagRepair(html)
    return elements.needsRepair ? elements.repaired() : nil
  }

  /// Whether the text contains one of these elements, or a comment.
  private var needsRepair: Bool {
    var position = 0
    while let start = buffer.index(of: UInt8(ascii: "<"), from: position) {
      position = start + 1
      guard position < bytes.count else { return false }
      if bytes[position] == UInt8(ascii: "!") || bytes[position] == UInt8(ascii: "?") {
        return true
      }
      let name = ElementName(bytes[position...].prefix(16).prefix { $0.isAlphanumeric })
      if HTMLElement(name)?.ending != nil { return true }
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
    while tag.next() != nil {}
    guard bytes[tag.end - 1] == UInt8(ascii: ">") else { return bytes.count }
    guard let ending = HTMLElement(tag.name)?.ending else { return tag.end }
    let isEnd = bytes[start + 1] == UInt8(ascii: "/")
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
    if !hasUnclosedSection {
      if let end = MarkupSection.characterData.end(in: buffer, from: text) {
        edits.append(Edit(range: end - 3..<end, bytes: []))
      } else {
        hasUnclosedSection = true
      }
    }
    return text
  }
}
