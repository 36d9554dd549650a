/// Counts the elements of a text in HTML: those in one another, and all of them.
struct HTMLElementLimit {
  /// Why the rest is left out; nil as long as nothing is.
  private(set) var damage: String?
  private var count = 0

  /// Whether one more element is read, within `open` others and behind so many paragraphs.
  mutating func allows(open: Int, paragraphs: Int) -> Bool {
    count += 1
    if open >= FeedLimits.openElements {
      damage = "HTML nested deeper than \(FeedLimits.openElements) elements: the rest is left out"
    } else if count > FeedLimits.itemElements {
      damage = "HTML of more than \(FeedLimits.itemElements) elements: the rest is left out"
    } else if paragraphs >= FeedLimits.paragraphs {
      damage = "more than \(FeedLimits.paragraphs) paragraphs: the rest is left out"
    } else {
      return true
    }
    return false
  }
}
