import CXML2
import System
import TextLayout

/// The content of a piece of HTML: its text, and the media in it.
struct HTMLContent {
  var text = StyledText()
  /// Replaces `text` if the content was read as ``ContentForm/source``.
  var source: SourceText?
  var pictures: [Post.Picture] = []
  var attachments: [Post.Attachment] = []
  /// The reason why the end of the text is missing.
  var damage: String?

  var hasText: Bool { !text.isEmpty || source?.isEmpty == false }

  /// Writes the text to `post`.
  func fill(_ post: inout Post) {
    post.body = text
    post.sourceText = source
  }

  /// The content of text without markup.
  static func plain(_ text: String, as form: ContentForm) -> HTMLContent {
    guard form == .styled else { return HTMLContent(source: .text(text)) }
    let (shown, damage) = PlainText.bounded(text)
    return HTMLContent(text: PlainText.styled(shown), damage: damage)
  }
}

/// The attributes of one element, with names in lower case; those of a parser are read on access.
struct HTMLAttributes {
  private var pairs: [(name: String, value: String)] = []
  /// Names and values in turn, up to a `nil`: valid during the parser's callback.
  private var list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

  init(pairs: [(name: String, value: String)]) { self.pairs = pairs }

  init(_ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) { self.list = list }

  /// - Complexity: O(n) in the attributes.
  subscript(name: String) -> String? {
    guard let list else { return pairs.first { $0.name == name }?.value }
    var index = 0
    while let found = list[index] {
      let isEqual = name.withCString { wanted in
        found.withMemoryRebound(to: CChar.self, capacity: 1) { strcasecmp($0, wanted) == 0 }
      }
      if isEqual { return LibXML.string(list[index + 1]) ?? "" }
      index += 2
    }
    return nil
  }

  /// The names, in lower case, of the attributes that begin with `data-`.
  ///
  /// - Complexity: O(n) in the attributes.
  var dataNames: [String] {
    guard let list else { return pairs.map(\.name).filter { $0.hasPrefix("data-") } }
    var names: [String] = []
    var index = 0
    while let found = list[index] {
      let isData = found.withMemoryRebound(to: CChar.self, capacity: 1) {
        strncasecmp($0, "data-", 5) == 0
      }
      if isData, let name = LibXML.string(found) { names.append(name.lowercased()) }
      index += 2
    }
    return names
  }

  var isEmpty: Bool { list == nil ? pairs.isEmpty : list?.pointee == nil }

  /// Whether `class` contains one of these words.
  func hasClass(_ words: String...) -> Bool {
    guard let all = self["class"] else { return false }
    return all.utf8.split(whereSeparator: { $0 <= 32 }).contains { word in
      words.contains { $0.utf8.elementsEqual(word) }
    }
  }

  /// A number of pixels: `503`, `503px`; `nil` for percentages and invalid sizes.
  func pixels(_ name: String) -> Int? {
    guard let value = self[name] else { return nil }
    let text = Sanitizer.line(value).lowercased()
    let number = text.hasSuffix("px") ? text.dropLast(2) : text[...]
    guard let pixels = Double(number), pixels >= 0, pixels < 100_000 else { return nil }
    return Int(pixels.rounded())
  }

  /// A whole number within `bounds`; `nil` for anything else.
  func number(_ name: String, in bounds: ClosedRange<Int>) -> Int? {
    self[name].flatMap { Int($0.trimmingBlanks) }.flatMap { bounds.contains($0) ? $0 : nil }
  }
}

extension String {
  /// The string without spaces, tabs and line breaks around it.
  var trimmingBlanks: Substring {
    trimmed { $0 == " " || $0.isNewline || $0 == "\t" }
  }
}
