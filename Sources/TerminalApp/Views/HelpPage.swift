import TextLayout

/// The text of the help page.
enum HelpPage {
  /// The columns for the keys.
  private static let keyColumns = 20

  /// The page for content called `title`, with its `notes` and the lines of its keys.
  static func text(title: String, notes: [String], lines: [CommandTable.HelpLine]) -> StyledText {
    var text = StyledText()
    if !title.isEmpty {
      text.beginParagraph()
      text.append(title, style: TextStyle(role: .heading))
    }
    for note in notes { text.appendParagraphs(note) }
    text.beginParagraph()
    text.append("Keys", style: TextStyle(role: .heading))
    var group = ""
    for (index, line) in lines.enumerated() {
      let isFirst = index == 0 || line.group != group
      if line.group != group, !line.group.isEmpty {
        text.beginParagraph()
        text.append(line.group, style: TextStyle(role: .heading))
      }
      group = line.group
      var style = StyledText.ParagraphStyle()
      style.indent = keyColumns
      style.marker = padded(line.keys)
      style.spacingBefore = isFirst ? 1 : 0
      text.beginParagraph(style)
      text.append(line.text)
    }
    return text
  }

  private static func padded(_ keys: String) -> String {
    let columns = TextMetrics.current.width(of: keys)
    return keys + String(repeating: " ", count: max(1, keyColumns - columns))
  }
}
