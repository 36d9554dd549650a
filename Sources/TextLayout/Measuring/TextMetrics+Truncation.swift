extension TextMetrics {
  /// `text`, without line breaks, cut to at most `width` columns, ending in "…" if anything is cut;
  /// empty if `width` is less than 1.
  ///
  /// - Complexity: O(n) in the UTF-8 bytes kept; O(1) if there are at most `width`.
  public func truncated(_ text: String, toWidth width: Int) -> String {
    guard width > 0 else { return "" }
    // No character takes more columns than bytes.
    if text.utf8.count <= width { return text }
    var used = 0
    // The end of the part that fits before an ellipsis.
    var end = text.startIndex
    var index = text.startIndex
    while index < text.endIndex {
      let columns = self.width(of: text[index])
      let next = text.index(after: index)
      if used + columns > width { return text[..<end] + "…" }
      used += columns
      if used <= width - 1, text[index] != " " { end = next }
      index = next
    }
    return text
  }
}
