import TextLayout

/// A caption: a sentence about what the screen shows, and the key to press next.
package enum DemoCaption {
  /// - Parameter caption: keys stand between backquotes, and are emphasized.
  package static func text(_ caption: String) -> StyledText {
    var text = StyledText()
    let parts = caption.split(separator: "`", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      text.append(
        String(part),
        style: index.isMultiple(of: 2)
          ? TextStyle(role: .body) : TextStyle(role: .tag, traits: .bold))
    }
    return text
  }
}
