import TextLayout

/// What a piece of HTML holds: text, and the media that stood in it.
struct HTMLContent {
  var text = StyledText()
  var pictures: [Post.Picture] = []
  var attachments: [Post.Attachment] = []
  /// Why the end of it is missing.
  var damage: String?
}

/// The attributes of one element, names in lower case.
struct HTMLAttributes {
  var pairs: [(name: String, value: String)] = []

  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Whether `class` has that word.
  func hasClass(_ word: String) -> Bool {
    self["class"]?.split(whereSeparator: \.isWhitespace).contains { $0 == word } ?? false
  }

  /// A number of pixels: `503`, `503px`; nil for percentages and what is no size.
  func pixels(_ name: String) -> Int? {
    guard let value = self[name] else { return nil }
    let text = Sanitizer.line(value).lowercased()
    let number = text.hasSuffix("px") ? text.dropLast(2) : text[...]
    guard let pixels = Double(number), pixels >= 0, pixels < 100_000 else { return nil }
    return Int(pixels.rounded())
  }
}
