import TextLayout

/// What the help page says.
enum HelpText {
  private static let keys: [(String, String)] = [
    ("j k ↓ ↑", "next, previous; what goes on below the screen is shown first"),
    ("Ctrl-E Ctrl-Y", "one line down, up; so does the wheel"),
    ("Ctrl-D Ctrl-U", "half a page down, up"),
    ("Space b PgDn PgUp", "a page down, up"),
    ("g Home", "the top"),
    ("G End", "the end, and follow it"),
    ("5j 12G 50%", "counts: five down, the twelfth, the middle"),
    ("zt zz zb", "selected row to the top, middle, bottom"),
    (".", "new rows at the top; so does a click on the number of them"),
    ("x", "show what a content warning or a filter hides in the selected row; hide it again"),
    ("r", "read the source anew; the place is kept"),
    ("mouse", "wheel scrolls, click selects, the bar drags"),
    ("F12", "layout inspector: why each cell is as high as it is, what list and pictures do"),
    ("v V c C", "in the inspector: next, previous view; next, previous constraint"),
    ("x", "in the inspector: switch the marked constraint off and on"),
    ("< >", "in the inspector: the list a column narrower, wider"),
    ("p i", "in the inspector: hold pictures back; let one in"),
    ("Tab J K", "in the inspector: next section; scroll the panel"),
    ("Ctrl-L", "draw everything anew"),
    ("Ctrl-Z", "suspend"),
    ("?", "this page"),
    ("q", "back; at the top, quit"),
  ]

  /// The page for a screen whose content says `notes` about itself.
  static func page(title: String, notes: [String]) -> StyledText {
    var text = StyledText()
    text.beginParagraph()
    text.append(title, style: TextStyle(role: .heading))
    for note in notes { text.appendParagraphs(note) }
    text.beginParagraph()
    text.append("Keys", style: TextStyle(role: .heading))
    for (index, (key, action)) in keys.enumerated() {
      var style = StyledText.ParagraphStyle()
      style.indent = 20
      style.marker = padded(key, to: 20)
      style.spacingBefore = index == 0 ? 1 : 0
      text.beginParagraph(style)
      text.append(action)
    }
    return text
  }

  private static func padded(_ key: String, to columns: Int) -> String {
    key + String(repeating: " ", count: max(0, columns - TextMetrics.current.width(of: key)))
  }
}
