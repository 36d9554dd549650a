import TextLayout

/// The text of the help page: a section for what comes first, and one for each heading.
enum HelpPage {
  /// The columns for the keys.
  private static let keyColumns = 20

  /// The sections of the page for content called `title`, with its `notes`, the keys to learn first
  /// and the lines of all keys.
  static func sections(
    title: String, notes: [String], firstKeys: [CommandTable.HelpLine] = [],
    lines: [CommandTable.HelpLine]
  ) -> [StyledText] {
    var first = StyledText()
    if !title.isEmpty { add(heading: title, to: &first) }
    for note in notes { first.appendParagraphs(note) }
    if !firstKeys.isEmpty {
      add(heading: "First keys", to: &first)
      add(firstKeys, to: &first)
    }
    let headings: [HelpHeading?] = [nil] + HelpHeading.allCases
    let others = headings.map { heading in
      var text = StyledText()
      let lines = lines.filter { $0.heading == heading }
      guard !lines.isEmpty else { return text }
      add(heading: heading?.rawValue ?? "Keys", to: &text)
      add(lines, to: &text)
      return text
    }
    return ([first] + others).filter { !$0.paragraphs.isEmpty }
  }

  private static func add(heading: String, to text: inout StyledText) {
    text.beginParagraph()
    text.append(heading, style: TextStyle(role: .heading))
  }

  private static func add(_ lines: [CommandTable.HelpLine], to text: inout StyledText) {
    for line in lines {
      var style = StyledText.ParagraphStyle()
      style.indent = keyColumns
      style.marker = padded(line.keys)
      style.spacingBefore = 0
      text.beginParagraph(style)
      text.append(line.text)
    }
  }

  private static func padded(_ keys: String) -> String {
    let columns = TextMetrics.current.width(of: keys)
    return keys + String(repeating: " ", count: max(1, keyColumns - columns))
  }
}
