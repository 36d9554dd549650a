/// Decides which `<` in a title begin a tag, and which are text.
///
/// 1. A tag is markup if HTML has its name and its element is complete: both tags, or one that
///    needs no other. If the source declares the title as HTML, or the tag has attributes, one tag
///    suffices.
/// 2. Tags of elements with hidden content, such as scripts and styles, are text, unless the source
///    declares the title as HTML.
/// 3. A tag that is cut off at the end of the title is left out; the start tag of a cut-off end tag
///    is markup, not text.
struct TitleMarkup {
  /// The title with every `<` that begins no tag as `&lt;`.
  private(set) var html = ""
  /// Whether something was left out.
  private(set) var isCut = false

  private struct Tag {
    var range: Range<Int>
    var name: String
    var isEnd: Bool
    var isMarkup: Bool
  }

  /// - Complexity: O(n) in the bytes, and in the tags times the open ones.
  init(_ title: String, isDeclared: Bool) {
    let bytes = Array(title.utf8)
    let markup = XMLMarkup(bytes)
    var tags: [Tag] = []
    var open: [Int] = []
    var end = bytes.count
    var position = 0
    while let start = markup.opening(from: position) {
      position = start + 1
      if position < bytes.count, bytes[position] == UInt8(ascii: "!"),
        let last = markup.sectionEnd(at: start), bytes[last - 1] == UInt8(ascii: ">")
      {
        // A comment or CDATA section, escaped once too often.
        tags.append(Tag(range: start..<last, name: "", isEnd: false, isMarkup: true))
        position = last
        continue
      }
      let isEnd = position < bytes.count && bytes[position] == UInt8(ascii: "/")
      let range = markup.name(at: isEnd ? position + 1 : position)
      let name = String(decoding: bytes[range], as: UTF8.self).lowercased()
      guard let element = HTMLElement(ElementName(bytes[range])), Self.isKnown(element, isDeclared)
      else { continue }
      let tag = markup.tag(at: start)
      guard tag.isClosed else {
        guard tag.end == bytes.count, tag.attributes > 0 || isEnd && !open.isEmpty else { continue }
        if isEnd, let index = open.popLast() { tags[index].isMarkup = true }
        (end, isCut) = (start, true)
        break
      }
      let isAlone =
        isDeclared || tag.attributes > 0 || element.has(.standsAlone)
      tags.append(Tag(range: start..<tag.end, name: name, isEnd: isEnd, isMarkup: isAlone))
      position = tag.end
      if !isEnd {
        open.append(tags.count - 1)
      } else if let index = open.lastIndex(where: { tags[$0].name == name }) {
        tags[open[index]].isMarkup = true
        tags[tags.count - 1].isMarkup = true
        open.removeSubrange(index...)
      }
    }
    var result: [UInt8] = []
    position = 0
    for tag in tags where tag.range.lowerBound < end {
      Self.append(bytes[position..<tag.range.lowerBound], to: &result)
      let text = bytes[tag.range]
      if tag.name.isEmpty {
        let opening = Array("<![CDATA[".utf8)
        if text.starts(with: opening) {
          let closes = text.count >= 12 && text.suffix(3).elementsEqual("]]>".utf8)
          Self.append(text.dropFirst(opening.count).dropLast(closes ? 3 : 0), to: &result)
        }
      } else if tag.isMarkup {
        result += text
      } else {
        Self.append(text, to: &result)
      }
      position = tag.range.upperBound
    }
    Self.append(bytes[min(position, end)..<end], to: &result)
    html = String(decoding: result, as: UTF8.self)
  }

  private static func isKnown(_ element: HTMLElement, _ isDeclared: Bool) -> Bool {
    guard let effect = element.effect else { return element.has(.isInTitles) }
    return isDeclared || effect != .hidden
  }

  private static func append(_ text: ArraySlice<UInt8>, to result: inout [UInt8]) {
    for byte in text {
      if byte == UInt8(ascii: "<") { result += Array("&lt;".utf8) } else { result.append(byte) }
    }
  }
}
